import { accessSync, chmodSync, constants, lstatSync, mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "./disk.ts";
import { WriteError } from "./write-error.ts";

/** Proves that those of these folders that exist are writable folders and no links. */
export function checkFolders(out: string, folders: Iterable<string>): void {
  for (const folder of folders) isWritableFolder(join(out, folder));
}

/** Makes those of these folders that are missing, each one given before what is in it. */
export function makeFolders(out: string, folders: Iterable<string>): void {
  for (const folder of folders) {
    const place = join(out, folder);
    if (isWritableFolder(place)) continue;
    mkdirSync(place);
    chmodSync(place, 0o755);
  }
}

const IN_USE_OR_GONE: ReadonlySet<string> = new Set(["EBUSY", "EEXIST", "ENOENT", "ENOTDIR", "ENOTEMPTY"]);

/** Removes those of these folders that are empty, each one given before what is in it. */
export function removeFolders(out: string, folders: Iterable<string>): void {
  for (const folder of [...folders].reverse()) {
    try {
      rmdirSync(join(out, folder));
    } catch (error) {
      if (!IN_USE_OR_GONE.has(codeOf(error) ?? "")) throw error;
    }
  }
}

/** False where there is nothing; throws where there is something else. */
function isWritableFolder(place: string): boolean {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (!stats.isDirectory()) throw new WriteError(`${place} is not a folder`);
  accessSync(place, constants.W_OK | constants.X_OK);
  return true;
}
