import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { Arguments } from "../terminal/arguments.ts";
import { isMissing, Refusal } from "../terminal/failure.ts";
import type { Environment } from "./command.ts";

export const DEFAULT_CONFIG = "cluster.yaml";
/** What a config is also called. Whoever has one of these does not want the example. */
const OTHER_NAMES = ["cluster.yml", "cluster.json"];

/** A config before it is understood. */
export interface Input {
  /** As messages name it. */
  readonly file: string;
  /** As the lock and the headers name it, which must not depend on the working folder; null for the example. */
  readonly source: string | null;
  readonly bytes: Uint8Array;
}

/** Any config is far smaller; more than this is not read. */
const MAX_CONFIG_BYTES = 64 * 1024 * 1024;
const MAX_USER_FILE_BYTES = 1024 * 1024;

/** The config that the user named, or the one in the working folder, if there is one. */
export function readConfig(args: Arguments, { cwd }: Environment): Input | undefined {
  const file = args.config ?? DEFAULT_CONFIG;
  try {
    return { file, source: basename(file), bytes: readAtMost(resolve(cwd, file), MAX_CONFIG_BYTES) };
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
    if (args.config !== undefined) throw new Refusal(`there is no file ${file}`);
    const other = OTHER_NAMES.find((name) => existsSync(resolve(cwd, name)));
    if (other !== undefined) {
      throw new Refusal(
        `there is no ${DEFAULT_CONFIG} here, but a ${other}: did you mean --config ${other}?`,
      );
    }
    return undefined;
  }
}

export function exampleOf({ kinds }: Environment): Input {
  return { file: "the built-in example", source: null, bytes: Buffer.from(kinds[0].example) };
}

/** Reads the user's own files, by their paths relative to the tree. */
export function fileReader(out: string): (path: string) => string | undefined {
  return (path) => {
    if (path.includes("\0")) return undefined;
    const file = resolve(out, path);
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(readAtMost(file, MAX_USER_FILE_BYTES, true));
    } catch (thrown) {
      if (isMissing(thrown)) return undefined;
      if (thrown instanceof TypeError) throw new Refusal(`${file} is not UTF-8`);
      throw thrown;
    }
  };
}

/** The bytes of a file, with an end even where the file has none. */
function readAtMost(path: string, limit: number, mustBeRegular = false): Uint8Array {
  const file = openSync(path, mustBeRegular ? constants.O_RDONLY | constants.O_NONBLOCK : "r");
  try {
    const stat = fstatSync(file);
    if (stat.isDirectory()) throw new Refusal(`${path} is a folder, not a file`);
    if (mustBeRegular && !stat.isFile()) throw new Refusal(`${path} is not a regular file`);
    const chunks: Buffer[] = [];
    for (let size = 0; ;) {
      const chunk = Buffer.alloc(64 * 1024);
      const count = readSync(file, chunk);
      if (count === 0) return Buffer.concat(chunks);
      size += count;
      if (size > limit) throw new Refusal(`${path} is larger than ${limit / 1024 / 1024} MiB`);
      chunks.push(chunk.subarray(0, count));
    }
  } finally {
    closeSync(file);
  }
}
