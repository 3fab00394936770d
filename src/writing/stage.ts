import { closeSync, fchmodSync, fstatSync, fsync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "./disk.ts";

const MODE = 0o644;

/** Writes each text to a new file in this folder, safe on the disk when the promise is kept. */
export async function stage(folder: string, texts: readonly string[]): Promise<readonly string[]> {
  const files = texts.map((_, index) => join(folder, `${index}.tmp`));
  const open: number[] = [];
  let isRightMode: boolean | undefined;
  try {
    for (const [index, file] of files.entries()) {
      const descriptor = openSync(file, "wx", MODE);
      open.push(descriptor);
      // The umask is the same for all of them, and mostly takes nothing away.
      isRightMode ??= (fstatSync(descriptor).mode & 0o777) === MODE;
      if (!isRightMode) fchmodSync(descriptor, MODE);
      writeFileSync(descriptor, texts[index] ?? "");
    }
    await syncAll(open);
    return files;
  } finally {
    open.forEach((descriptor) => closeSync(descriptor));
  }
}

/** Makes renames in these folders last. Some file systems cannot do that for a folder, and need not. */
export async function syncFolders(folders: readonly string[]): Promise<void> {
  const open: number[] = [];
  try {
    for (const folder of folders) open.push(openSync(folder, "r"));
    await syncAll(open);
  } catch (error) {
    if (!["EINVAL", "ENOTSUP", "EPERM"].includes(codeOf(error) ?? "")) throw error;
  } finally {
    open.forEach((descriptor) => closeSync(descriptor));
  }
}

/** All at once: one after the other takes three times as long. */
async function syncAll(descriptors: readonly number[]): Promise<void> {
  const syncs = descriptors.map(
    (descriptor) =>
      new Promise<void>((resolve, reject) => {
        fsync(descriptor, (error) => (error === null ? resolve() : reject(error)));
      }),
  );
  // Nobody may close a descriptor that is still at work, so wait for all of them before failing.
  for (const sync of await Promise.allSettled(syncs)) if (sync.status === "rejected") throw sync.reason;
}
