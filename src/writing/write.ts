import { chmodSync, mkdirSync, renameSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { claim, claimsIn, release } from "./claim.ts";
import { checkFolders, makeFolders, removeFolders } from "./folders.ts";
import { formatLock, isSameLock, LOCK_NAME, readLock, type Lock } from "./lock.ts";
import { isInSync, planChanges, type Action, type Plan } from "./plan.ts";
import { stage, syncFolders } from "./stage.ts";
import { foldersOf } from "./tree-path.ts";
import { asWriteError, changedMeanwhile, WriteError } from "./write-error.ts";

export { WriteError };

/**
 * Makes the disk what the plan says. Everything is written beside the tree first, so that a full disk leaves the
 * old tree as it was; a lock that knows both trees goes before the first rename, and the final one comes last, so
 * that the next run completes whatever a crash left.
 */
export async function applyPlan(plan: Plan): Promise<void> {
  const { out } = plan;
  if (plan.changes.some(({ action }) => action === "refuse"))
    throw new Error("a refused plan cannot be applied");
  let isNew = false;
  let staging: string | undefined;
  try {
    if (isInSync(plan) && claimsIn(out).length === 0) return;
    isNew = mkdirSync(out, { recursive: true }) !== undefined;
    if (isNew) chmodSync(out, 0o755);
    staging = await claim(out);
    const current = await planAgain(plan);
    if (!isInSync(current)) await write(current, staging);
  } catch (error) {
    throw asWriteError(error, out);
  } finally {
    if (staging !== undefined) release(staging);
    if (isNew) removeFolders(out, [""]);
  }
}

/** The same plan for the disk as it is now that no other run writes. */
async function planAgain({ out, tree, lock, formerLock, force }: Plan): Promise<Plan> {
  const read = await readLock(out);
  if ("fault" in read) throw new WriteError(read.fault);
  if (!isSameLock(read.lock, formerLock) && !isSameLock(read.lock, lock)) throw changedMeanwhile(out);
  const plan = await planChanges(out, tree, read.lock, lock, force);
  const refused = plan.changes.find(({ action }) => action === "refuse");
  if (refused !== undefined) throw new WriteError(`${join(out, refused.path)} ${refused.reason}`);
  return plan;
}

async function write(plan: Plan, staging: string): Promise<void> {
  const { out, lock } = plan;
  const written = changesOf(plan, "create", "change");
  const deleted = changesOf(plan, "delete");
  const texts = [formatLock(journalOf(plan)), formatLock(lock), ...written.map(({ after }) => after ?? "")];
  const [journal = "", final = "", ...staged] = await stage(staging, texts);
  const touched = foldersOf([...written, ...deleted].map(({ path }) => path));
  checkFolders(out, touched);
  renameSync(journal, join(out, LOCK_NAME));
  try {
    await syncFolders([out]);
    makeFolders(out, touched);
    written.forEach(({ path }, index) => renameSync(staged[index] ?? "", join(out, path)));
    deleted.forEach(({ path }) => unlinkSync(join(out, path)));
    await syncFolders([out, ...[...touched].map((folder) => join(out, folder))]);
    removeFolders(out, unneededFolders(plan));
    renameSync(final, join(out, LOCK_NAME));
    await syncFolders([out]);
  } catch (error) {
    throw asWriteError(error, out, "; the tree is half written, and the next run completes it");
  }
}

/** The lock while files are being renamed: the memory of before, and the hashes of before and after. */
function journalOf({ lock, formerLock, ours }: Plan): Lock {
  const { pending: _, ...former } = formerLock ?? { ...lock, memory: undefined };
  return { ...former, files: ours, pending: lock.files };
}

/** Folders that former runs made and this tree has no file in. */
function unneededFolders({ tree, formerLock }: Plan): readonly string[] {
  const needed = foldersOf(tree.keys());
  const former = foldersOf(Object.keys({ ...formerLock?.files, ...formerLock?.pending }));
  return [...former].filter((folder) => !needed.has(folder));
}

function changesOf(plan: Plan, ...actions: readonly Action[]) {
  return plan.changes.filter(({ action }) => actions.includes(action));
}
