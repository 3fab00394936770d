import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { emptyFolder } from "./fixture.ts";

/** `child.ts` as one plain file, which starts several times faster than through tsx. */
const program = join(emptyFolder(), "child.mjs");
buildSync({
  entryPoints: [join(import.meta.dirname, "child.ts")],
  outfile: program,
  bundle: true,
  platform: "node",
  format: "esm",
});

export interface Report {
  readonly refused?: readonly string[];
  readonly error?: string;
  readonly message?: string;
}

export function start(...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "inherit"] });
}

/** Runs the child to its end and reads its report. */
export async function report(out: string, version: string): Promise<Report> {
  const child = start("report", out, version);
  let text = "";
  child.stdout?.on("data", (chunk) => (text += chunk));
  await new Promise((resolve) => child.once("close", resolve));
  return JSON.parse(text) as Report;
}

/** Runs a shell script in which `run` starts the child and `$1` is a folder; reads each line of its output. */
export function shell(wrapper: readonly string[], script: string, folder: string): readonly unknown[] {
  const [command = "", ...before] = [
    ...wrapper,
    "sh",
    "-ec",
    `run() { "$NODE" "$PROGRAM" "$@"; }\n${script}`,
    "sh",
  ];
  const env = { ...process.env, NODE: process.execPath, PROGRAM: program };
  const { stdout } = spawnSync(command, [...before, folder], { encoding: "utf8", env });
  const lines = stdout.trimEnd().split("\n");
  return lines.map((line): unknown => JSON.parse(line));
}

/** Makes the claims that this living process left look like those of a dead one. */
export function bury(out: string): void {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  for (const name of readdirSync(out).filter((entry) => entry.startsWith(".gen-talos-module."))) {
    renameSync(join(out, name), join(out, name.replace(`.${process.pid}.`, `.${pid}.`)));
  }
}

/** Numbers from 0 to 1, the same in every run. */
export function* randomNumbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}
