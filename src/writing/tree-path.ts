/** Every name that this program needs for itself beside the lock starts like this. */
export const OWN_PREFIX = ".gen-talos-module.";

const PLAIN_NAME = /^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/;
const TAKEN_NAME = /^(\.{1,2}|\.git|(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?)$/i;

/**
 * Whether a path may stand in a tree or in a lock: relative, forward slashes, plain names, nothing that leads
 * out of the tree, into `.git` or to a device.
 */
export function isTreePath(path: string): boolean {
  if (path.startsWith(OWN_PREFIX) || path.length > 1000) return false;
  return path.split("/").every((name) => PLAIN_NAME.test(name) && !TAKEN_NAME.test(name));
}

/** The folders above a path, outermost first: `a/b/c.tf` → `a`, `a/b`. */
export function foldersAbove(path: string): readonly string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}

/** All folders that these paths need, a folder always before what is in it. */
export function foldersOf(paths: Iterable<string>): ReadonlySet<string> {
  return new Set([...paths].flatMap(foldersAbove));
}
