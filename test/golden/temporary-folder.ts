import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders: string[] = [];

process.once("exit", () => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

/** An empty folder that is gone when the process ends. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "gen-talos-module-golden-")));
  folders.push(folder);
  return folder;
}
