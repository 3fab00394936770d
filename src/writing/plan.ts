import { decide, isGenerated, type Action, type Change, type Site } from "./change.ts";
import { look, lookAtOut, type Found } from "./disk.ts";
import { formatLock, isSameLock, LOCK_NAME, readLock, sha256, type Lock } from "./lock.ts";
import type { Tree } from "../tree.ts";
import { isTreePath } from "./tree-path.ts";
import { changedMeanwhile } from "./write-error.ts";

export type { Action, Change };

export interface Plan {
  readonly out: string;
  /** Sorted by path; the lock itself is not among them. */
  readonly changes: readonly Change[];
  readonly lockChange: Change;
  /** The lock as it will be, and as it was when the plan was made. */
  readonly lock: Lock;
  readonly formerLock: Lock | undefined;
  /** Path → sha256 of what this program wrote, unless it was edited since. */
  readonly ours: Readonly<Record<string, string>>;
  readonly tree: Tree;
  readonly force: ReadonlySet<string>;
}

export interface PlanSummary {
  readonly created: number;
  readonly changed: number;
  readonly deleted: number;
  readonly unchanged: number;
  readonly refused: number;
}

/** Compares the tree with the disk and the lock. Reads, never writes. */
export async function planChanges(
  out: string,
  tree: Tree,
  lock: Lock | undefined,
  nextLock: Lock,
  force: ReadonlySet<string>,
): Promise<Plan> {
  for (const path of tree.keys()) {
    if (!isTreePath(path) || path === LOCK_NAME)
      throw new Error(`not a path of a tree: ${JSON.stringify(path)}`);
  }
  const blocked = lookAtOut(out);
  const known = knownHashes(lock);
  const paths = [...new Set([...tree.keys(), ...known.keys()])].sort();
  const sites = paths.map((path): Site => {
    const found: Found =
      blocked === undefined ? look(out, path) : { is: "obstacle", reason: `cannot be reached: ${blocked}` };
    const hashes = known.get(path) ?? [];
    const hash = found.is === "file" && hashes.length > 0 ? sha256(found.bytes) : undefined;
    return { path, found, file: tree.get(path), known: hashes, hash, isForced: force.has(path) };
  });
  const isLockLost = lock === undefined && sites.some(isGenerated);
  const ours = sites.flatMap((site): [string, string][] => {
    const hash = site.hash ?? site.known[0];
    return hash !== undefined && site.known.includes(hash) ? [[site.path, hash]] : [];
  });
  const changes = sites.flatMap((site) => decide(site, isLockLost));
  if (changes.some(({ action }) => action === "refuse")) await assertUnchanged(out, lock);
  return {
    out,
    changes,
    lockChange: compareLocks(lock, nextLock),
    lock: nextLock,
    formerLock: lock,
    ours: Object.fromEntries(ours),
    tree,
    force,
  };
}

/** Whether the disk, lock included, already is what the plan wants. */
export function isInSync(plan: Plan): boolean {
  return [...plan.changes, plan.lockChange].every((change) => change.action === "keep");
}

/** The numbers of the closing line. */
export function summarize(plan: Plan): PlanSummary {
  const count = (action: Action) => plan.changes.filter((change) => change.action === action).length;
  return {
    created: count("create"),
    changed: count("change"),
    deleted: count("delete"),
    unchanged: count("keep"),
    refused: count("refuse"),
  };
}

/** What a lock says about each path; after an interrupted run a file may be of before or of after. */
function knownHashes(lock: Lock | undefined): ReadonlyMap<string, readonly string[]> {
  const known = new Map<string, readonly string[]>();
  for (const hashes of [lock?.files ?? {}, lock?.pending ?? {}]) {
    for (const [path, hash] of Object.entries(hashes)) known.set(path, [...(known.get(path) ?? []), hash]);
  }
  return known;
}

/** What another run wrote after the lock was read looks like edits, and must not be reported as such. */
async function assertUnchanged(out: string, lock: Lock | undefined): Promise<void> {
  const read = await readLock(out);
  if ("lock" in read && !isSameLock(read.lock, lock)) throw changedMeanwhile(out);
}

function compareLocks(former: Lock | undefined, next: Lock): Change {
  const before = former && formatLock(former);
  const after = formatLock(next);
  const action = before === undefined ? "create" : before === after ? "keep" : "change";
  return { path: LOCK_NAME, action, reason: "", isForceable: false, before, after };
}
