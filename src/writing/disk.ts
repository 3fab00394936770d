import { constants, lstatSync, readFileSync, statSync, type Stats } from "node:fs";
import { join } from "node:path";
import { foldersAbove } from "./tree-path.ts";

/** What is on the disk where a file of the tree belongs. */
export type Found =
  | { readonly is: "missing" }
  | { readonly is: "file"; readonly bytes: Buffer }
  /** Something that is neither read nor replaced. The reason continues a sentence that starts with the path. */
  | { readonly is: "obstacle"; readonly reason: string };

/** What stands in the way of a tree at `out`, as a sentence. A link to a folder is the user's own choice. */
export function lookAtOut(out: string): string | undefined {
  try {
    if (statSync(out).isDirectory()) return undefined;
    return `${out} is not a folder`;
  } catch (error) {
    if (codeOf(error) === "ENOENT" && lstatSync(out, { throwIfNoEntry: false }) === undefined)
      return undefined;
    if (codeOf(error) === "ENOENT") return `${out} is a symbolic link that leads nowhere`;
    return `${out} cannot be read: ${sayError(error)}`;
  }
}

/** Looks below `out` without following a link anywhere on the way. */
export function look(out: string, path: string): Found {
  try {
    for (const folder of foldersAbove(path)) {
      const stats = lstatSync(join(out, folder), { throwIfNoEntry: false });
      if (stats === undefined) return { is: "missing" };
      if (!stats.isDirectory()) return obstacle(`cannot be reached: ${folder} ${sayType(stats)}`);
    }
    const stats = lstatSync(join(out, path), { throwIfNoEntry: false });
    if (stats === undefined) return { is: "missing" };
    if (!stats.isFile()) return obstacle(sayType(stats));
    return { is: "file", bytes: readFileSync(join(out, path), { flag: READ_NO_LINK }) };
  } catch (error) {
    return obstacle(`cannot be read: ${sayError(error)}`);
  }
}

// Should a link or a pipe have come between the look and the opening, neither is followed or waited for.
// The names are typed as strings only, but Node takes the numbers too.
const READ_NO_LINK = (constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK) as unknown as string;

function obstacle(reason: string): Found {
  return { is: "obstacle", reason };
}

function sayType(stats: Stats): string {
  if (stats.isSymbolicLink()) return "is a symbolic link";
  return stats.isDirectory() ? "is a folder" : stats.isFile() ? "is a file" : "is not a regular file";
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

const ERRORS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file is larger than is allowed here",
  ELOOP: "it is a symbolic link",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of the path is not a folder",
  EPERM: "not permitted",
  EROFS: "the file system is read-only",
};

/** What the system had against it, in words. */
export function sayError(error: unknown): string {
  const code = codeOf(error);
  return (code !== undefined && ERRORS[code]) || (error instanceof Error ? error.message : String(error));
}
