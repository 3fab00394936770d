import { link, mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { buildFlags, isInstalled, key, layout, linkerFlags, toolFolder, toolsFolder } from "./cache.ts";
import { go, obstacle } from "./go.ts";
import { prepareSource } from "./source.ts";
import type { Tool } from "./tool.ts";

const prefix = ".building-";

/** Builds one tool aside and renames its folder into place when that is whole. */
export async function build(tool: Tool, signal: AbortSignal): Promise<void> {
  const aside = join(toolsFolder(), `${prefix}${process.pid}-${key(tool)}`);
  const [source, temporary, result] = [join(aside, "source"), join(aside, "tmp"), join(aside, "result")];
  const unlisted = (tool.unlisted ?? []).map((line) => line.slice(0, line.indexOf(" ")));
  const [first, ...others] = layout(tool);
  const ldflags = `${linkerFlags} ${tool.ldflags ?? ""}`.trim();
  const args = ["build", ...buildFlags, "-ldflags", ldflags, "-o", join(result, first), tool.package ?? "."];
  try {
    await mkdir(temporary, { recursive: true });
    await prepareSource(tool, source, { folder: aside, temporary, unlisted, signal });
    const { isOk, stderr } = await go(args, { folder: source, temporary, unlisted, signal });
    if (!isOk) throw obstacle(`Building ${tool.name}`, stderr);

    for (const other of others) {
      await mkdir(dirname(join(result, other)), { recursive: true });
      await link(join(result, first), join(result, other));
    }
    if (isInstalled(tool)) return; // Another run was faster.
    await rm(toolFolder(tool), { recursive: true, force: true });
    await rename(result, toolFolder(tool));
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** Removes what runs have left behind that were killed before they could do so themselves. */
export async function sweep(): Promise<void> {
  for (const name of await readdir(toolsFolder())) {
    if (!name.startsWith(prefix) || isRunning(Number.parseInt(name.slice(prefix.length)))) continue;
    await rm(join(toolsFolder(), name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
