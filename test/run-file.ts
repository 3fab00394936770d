import { spawn } from "node:child_process";

/** A file that takes longer hangs. */
const LONGEST_MS = 20 * 60_000;

/** How the tests of one file ended. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly seconds: number;
  readonly output: string;
}

/**
 * Runs one file of uvu tests, by the program and words before it if there are any. A file that ends without uvu's summary
 * counts as one failed test.
 */
export function runFile(path: string, before: readonly string[] = []): Promise<Outcome> {
  const start = performance.now();
  const [file = "", ...words] = [...before, process.execPath, "--import", "tsx", path];
  const child = spawn(file, words, {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: LONGEST_MS,
    killSignal: "SIGKILL",
  });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve) => {
    child.on("close", (code, signal) => {
      const output = Buffer.concat(chunks).toString();
      const seconds = (performance.now() - start) / 1000;
      const ending = signal === null ? "" : `ended by ${signal}\n`;
      resolve({ ...count(output, code === 0), seconds, output: output + ending });
    });
  });
}

/** uvu's summary; the last one counts, should a test have printed another. */
export function count(output: string, isOk: boolean): Pick<Outcome, "passed" | "failed" | "skipped"> {
  const plain = output.replace(/\u001b\[[0-9;]*m/g, "");
  const summary = [...plain.matchAll(/^ {2}Total: +(\d+)\n {2}Passed: +(\d+)\n {2}Skipped: +(\d+)$/gm)].at(
    -1,
  );
  if (summary === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const [total, passed, skipped] = summary.slice(1).map(Number) as [number, number, number];
  const failed = total - passed;
  return { passed, failed: failed === 0 && !isOk ? 1 : failed, skipped };
}
