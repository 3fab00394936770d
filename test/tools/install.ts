/** `npm run tools` builds what the tests run; with `--all` also what a Kubernetes API server takes. */
import { mkdirSync } from "node:fs";
import { build, sweep } from "./build.ts";
import { isInstalled, toolsFolder } from "./cache.ts";
import { Obstacle } from "./go.ts";
import type { Tool } from "./tool.ts";
import { writeTofurc } from "./tofurc.ts";
import { table } from "./versions.ts";

async function install(wanted: readonly Tool[], signal: AbortSignal): Promise<void> {
  mkdirSync(toolsFolder(), { recursive: true });
  await sweep();
  writeTofurc();
  for (const tool of wanted.filter((tool) => !isInstalled(tool))) {
    const start = performance.now();
    process.stdout.write(`${tool.name} ${tool.version} ... `);
    await build(tool, signal).catch((error: unknown) => {
      process.stdout.write("\n");
      throw error;
    });
    process.stdout.write(`${Math.round((performance.now() - start) / 1000)} s\n`);
  }
  console.log(`${wanted.length} tools are in ${toolsFolder()}`);
}

const options = process.argv.slice(2);
const interruption = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => interruption.abort(new Obstacle("Interrupted; what was built so far is kept.")));
}
try {
  const unknown = options.find((option) => option !== "--all");
  if (unknown) throw new Obstacle(`Unknown option ${unknown}; there is only --all.`);
  const wanted = Object.values<Tool>(table).filter(
    (tool) => options.includes("--all") || tool.group === "base",
  );
  await install(wanted, interruption.signal);
} catch (error) {
  if (!(error instanceof Obstacle)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
