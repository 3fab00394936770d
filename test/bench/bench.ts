/** How long the packed program takes, in starts of Node. Run by `npm run bench`; no test depends on it. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { largeConfig } from "./large-config.ts";

const ROUNDS = 30;
const LARGE_ROUNDS = 5;
const TARGET = 1.8;

const scratch = mkdtempSync(join(tmpdir(), "gen-talos-module-bench-"));
process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));
const program = unpack();
let folders = 0;

const [node, example] = interleave(ROUNDS, [() => run("-e", "0"), () => generate()]) as [number, number];
const ratio = example / node;
console.log(`node -e 0              ${node.toFixed(0)} ms`);
console.log(
  `built-in example       ${example.toFixed(0)} ms, ${ratio.toFixed(2)} × node (target: ${TARGET} ×)`,
);

const sizes = [1_000, 10_000];
for (const size of sizes) writeFileSync(join(scratch, `${size}.yaml`), largeConfig(size));
const [thousand, tenThousand] = interleave(
  LARGE_ROUNDS,
  sizes.map((size) => () => generate(`${size}.yaml`)),
) as [number, number];
console.log(`1,000 nodes            ${thousand.toFixed(0)} ms`);
console.log(
  `10,000 nodes           ${tenThousand.toFixed(0)} ms, ${(tenThousand / thousand).toFixed(2)} × 1,000 nodes`,
);

/** The program as `npm pack` ships it. */
function unpack(): string {
  const words = ["pack", "--json", "--ignore-scripts", "--pack-destination", scratch];
  const answer = execFileSync("npm", words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const [{ filename }] = JSON.parse(answer) as [{ filename: string }];
  execFileSync("tar", ["-xzf", join(scratch, filename), "-C", scratch]);
  return join(scratch, "package/dist/cli.cjs");
}

/** Writes a whole tree into a fresh folder. */
function generate(config?: string): void {
  const named = config === undefined ? [] : ["--config", config];
  run(program, "--out", `out-${++folders}`, ...named);
}

function run(...args: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: scratch, encoding: "utf8" });
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}:\n${stderr.slice(0, 2000)}`);
}

/** The median time of each task in milliseconds, the tasks taking turns so that all see the same machine. */
function interleave(rounds: number, tasks: readonly (() => void)[]): number[] {
  const times = tasks.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, task] of tasks.entries()) {
      const start = performance.now();
      task();
      times[index]!.push(performance.now() - start);
    }
  }
  return times.map((list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]!);
}
