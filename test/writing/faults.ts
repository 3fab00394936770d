import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** The calls that change the disk. */
const CALLS = [
  "chmodSync",
  "fchmodSync",
  "fsync",
  "mkdirSync",
  "mkdtempSync",
  "openSync",
  "renameSync",
  "rmdirSync",
  "unlinkSync",
  "writeFileSync",
] as const;

/**
 * Runs something while one call, counted from zero, fails with this code. `death` lets all later calls fail too,
 * which leaves the disk as `kill -9` at that moment would. Returns whether it came to that call, and the error.
 */
export async function withFault(
  at: number,
  code: "ENOSPC" | "death",
  run: () => Promise<unknown>,
): Promise<{ isReached: boolean; error: Error | undefined }> {
  const table = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
  const originals = CALLS.map((name) => [name, table[name]!] as const);
  let calls = 0;
  for (const [name, original] of originals) {
    table[name] = (...args) => {
      if (name === "openSync" && typeof args[1] === "number") return original(...args); // only reads
      const call = calls++;
      if (call !== at && !(code === "death" && call > at)) return original(...args);
      // A write that fails has often written a part.
      if (name === "writeFileSync" && call === at) original(args[0], String(args[1]).slice(0, 20));
      const error = Object.assign(new Error(`${code} in ${name}`), { code, syscall: name });
      if (name !== "fsync") throw error;
      return (args[1] as (error: Error) => void)(error);
    };
  }
  syncBuiltinESMExports();
  try {
    await run();
    return { isReached: calls > at, error: undefined };
  } catch (error) {
    return { isReached: calls > at, error: error as Error };
  } finally {
    for (const [name, original] of originals) table[name] = original;
    syncBuiltinESMExports();
  }
}
