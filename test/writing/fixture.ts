import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { lockFor, readLock, type Lock } from "../../src/writing/lock.ts";
import { planChanges, type Plan } from "../../src/writing/plan.ts";
import type { Tree } from "../../src/tree.ts";
import { applyPlan } from "../../src/writing/write.ts";

let root: string | undefined;

/** A new empty folder that is gone when the test has ended. */
export function emptyFolder(): string {
  if (root === undefined) {
    const made = (root = mkdtempSync(join(tmpdir(), "writing-")));
    process.on("exit", () => rmSync(made, { recursive: true, force: true }));
  }
  return mkdtempSync(join(root, "folder-"));
}

/** A folder with these files in it. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = emptyFolder();
  for (const [path, text] of Object.entries(files)) put(join(folder, path), text);
  return folder;
}

export function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** A tree of these texts; those named in `once` are written once. */
export function treeOf(files: Readonly<Record<string, string>>, once: readonly string[] = []): Tree {
  const paths = Object.keys(files).sort();
  return new Map(paths.map((path) => [path, { text: files[path] ?? "", once: once.includes(path) }]));
}

/** Some forty files whose every line names the version; each version also has files and folders of its own. */
export function versionedTree(version: string): Tree {
  const names = Array.from({ length: 38 }, (_, index) => `module-${index % 6}/part-${index}.tf`);
  const own = [`only-${version}/main.tf`, `only-${version}/deep/down/main.tf`];
  const line = (path: string) => `# ${version} of ${path}\n`;
  return treeOf(Object.fromEntries([...names, ...own].map((path) => [path, line(path).repeat(100)])));
}

/** All of `readLock` and `planChanges`; a fault of the lock is thrown. */
export async function plan(out: string, tree: Tree, force: readonly string[] = []): Promise<Plan> {
  const read = await readLock(out);
  if ("fault" in read) throw new Error(read.fault);
  return planChanges(out, tree, read.lock, nextLock(tree), new Set(force));
}

/** A whole run. Returns what was refused, in which case nothing is written. */
export async function generate(
  out: string,
  tree: Tree,
  force: readonly string[] = [],
): Promise<readonly string[]> {
  const planned = await plan(out, tree, force);
  const refused = planned.changes.filter((change) => change.action === "refuse");
  if (refused.length === 0) await applyPlan(planned);
  return refused.map((change) => `${change.path} ${change.reason}`);
}

export function nextLock(tree: Tree): Lock {
  return lockFor("talos-cluster", "cluster.yaml", tree, { paths: [...tree.keys()].sort() });
}

/** Everything below a folder: path → text, where a link leads, or `folder`. */
export function contentsOf(folder: string, below = ""): Record<string, string> {
  const contents: Record<string, string> = {};
  for (const name of readdirSync(join(folder, below)).sort()) {
    const path = below === "" ? name : `${below}/${name}`;
    const stats = lstatSync(join(folder, path));
    if (stats.isDirectory()) Object.assign(contents, { [path]: "folder" }, contentsOf(folder, path));
    else if (stats.isSymbolicLink()) contents[path] = `-> ${readlinkSync(join(folder, path))}`;
    else contents[path] = readFileSync(join(folder, path), "utf8");
  }
  return contents;
}

/** What `contentsOf` gives for a folder that holds exactly this tree. */
export async function contentsFor(tree: Tree): Promise<Record<string, string>> {
  const out = emptyFolder();
  await generate(out, tree);
  return contentsOf(out);
}
