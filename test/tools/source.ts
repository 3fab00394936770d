import { appendFile, chmod, copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { go, Obstacle, obstacle, type Workplace } from "./go.ts";
import type { Edit, Tool } from "./tool.ts";

/** Downloads a tool's module, checks it against the pinned sum, and lays an edited copy of it out in `target`. */
export async function prepareSource(tool: Tool, target: string, workplace: Workplace): Promise<void> {
  const { stdout, stderr } = await go(["mod", "download", "-json", tool.module], workplace);
  const module = JSON.parse(stdout || "{}") as { Dir?: string; Sum?: string; Error?: string };
  if (!module.Dir) throw obstacle(`Downloading ${tool.module}`, module.Error ?? stderr);
  if (module.Sum !== tool.sum) {
    throw new Obstacle(`${tool.module} has the sum ${module.Sum}, but ${tool.sum} is pinned.`);
  }
  await copyWritable(module.Dir, target, workplace.signal);
  for (const edit of tool.edits ?? []) await apply(edit, target);
  if (tool.unlisted) await appendFile(join(target, "go.sum"), tool.unlisted.join("\n") + "\n");
}

/**
 * Copies a folder of Go's module cache, where everything is read-only and nothing is a link. Asynchronous, since tsx
 * kills a process that does not take a signal at once.
 */
async function copyWritable(from: string, to: string, signal: AbortSignal): Promise<void> {
  await mkdir(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    signal.throwIfAborted();
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      await copyWritable(source, target, signal);
    } else {
      await copyFile(source, target);
      await chmod(target, 0o644);
    }
  }
}

async function apply({ file, find, put }: Edit, folder: string): Promise<void> {
  const path = join(folder, file);
  const text = await readFile(path, "utf8");
  const isApt = typeof find === "string" ? text.split(find).length === 2 : text.search(find) >= 0;
  if (!isApt) throw new Error(`${file} does not hold, or not only once: ${find}`);
  await writeFile(path, text.replace(find, put));
}
