/** How long the packed program takes, in starts of Node. Run by `npm run bench`; no test depends on it. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { largeConfig } from "./large-config.ts";

const ROUNDS = 30;
const LARGE_ROUNDS = 5;
const TARGET = 1.8;

/**
 * ext4 is slow to create files for minutes after thousands were deleted: twice the whole run. So the folders of a bench stay
 * until a later one is done, and are not where the tests leave theirs.
 */
const bench = resolve("node_modules/.cache/gen-talos-module-bench");
const KEPT_MS = 3_600_000;
mkdirSync(bench, { recursive: true });
const scratch = mkdtempSync(join(bench, "run-"));
const large = mkdtempSync(join(tmpdir(), "gen-talos-module-bench-"));
process.once("exit", () => {
  rmSync(large, { recursive: true });
  for (const folder of readdirSync(bench).map((name) => join(bench, name)))
    if (statSync(folder).mtimeMs < Date.now() - KEPT_MS) rmSync(folder, { recursive: true });
});
const program = unpack();
let folders = 0;

const [node, example] = interleave(ROUNDS, [() => run(scratch, "-e", "0"), () => generate(scratch)]) as [
  number,
  number,
];
const ratio = example / node;
console.log(`node -e 0              ${node.toFixed(0)} ms`);
console.log(
  `built-in example       ${example.toFixed(0)} ms, ${ratio.toFixed(2)} × node (target: ${TARGET} ×)`,
);

const sizes = [1_000, 10_000];
for (const size of sizes) writeFileSync(join(large, `${size}.yaml`), largeConfig(size));
const [thousand, tenThousand] = interleave(
  LARGE_ROUNDS,
  sizes.map((size) => () => generate(large, "--config", `${size}.yaml`)),
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
function generate(cwd: string, ...words: string[]): void {
  run(cwd, program, "--out", `out-${++folders}`, ...words);
}

function run(cwd: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: "utf8" });
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
