import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { Script } from "node:vm";

/**
 * Compiles a program with what V8 has kept of an earlier run beside it, which saves most of the time to start. Where that
 * is missing, or belongs to another program or to another Node, it is compiled anew.
 */
export function compile(file: string, program = readFileSync(file)): Script {
  const cachedData = readCache(cacheOf(file), program);
  // The bundler writes nothing but ASCII. Stack traces from the cache have the name that it was made with.
  return new Script(program.toString("latin1"), {
    filename: basename(file),
    ...(cachedData && { cachedData }),
  });
}

/** Calls a compiled program, which is a function of what Node gives to each module. */
export function start(script: Script, require: NodeJS.Require, file: string): void {
  const program = script.runInThisContext() as (require: NodeJS.Require, filename: string) => void;
  program(require, file);
}

export function cacheOf(file: string): string {
  return file.replace(/\.cjs$/, ".cache");
}

/** A cache as it is stored: behind the digest of all that it depends on. V8 would run a damaged one as it is. */
export function seal(program: Uint8Array, data: Uint8Array): Buffer {
  return Buffer.concat([digestOf(program, data), data]);
}

const DIGEST_LENGTH = 32;

function readCache(file: string, program: Buffer): Buffer | undefined {
  try {
    const stored = readFileSync(file);
    const data = stored.subarray(DIGEST_LENGTH);
    return digestOf(program, data).equals(stored.subarray(0, DIGEST_LENGTH)) ? data : undefined;
  } catch {
    return undefined;
  }
}

function digestOf(program: Uint8Array, data: Uint8Array): Buffer {
  const { version, arch, platform, config } = process;
  const node = JSON.stringify([version, arch, platform, config]);
  return createHash("sha256").update(node).update(program).update(data).digest();
}
