import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Surroundings } from "../../src/kind.ts";
import { quiet } from "./pipeline.ts";

const FOLDER = dirname(fileURLToPath(import.meta.url));

/**
 * One invalid config. `<rule>/<case>.yaml` is the config and `<case>.stderr` what it must say; beside them may be
 * `<case>.memory.json` (what the lock remembers), `<case>.flags` and `<case>.files/` (the user's files, by path).
 */
export interface Case {
  readonly rule: string;
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly surroundings: Surroundings;
  /** File with the text that is expected. */
  readonly stderr: string;
}

export function readCases(): Case[] {
  const folders = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.flatMap(({ name: rule }) =>
    readdirSync(join(FOLDER, rule))
      .filter((file) => file.endsWith(".yaml"))
      .map((file) => readCase(rule, file.slice(0, -".yaml".length))),
  );
}

function readCase(rule: string, name: string): Case {
  const beside = (suffix: string): string => join(FOLDER, rule, name + suffix);
  const read = (file: string): string | undefined =>
    existsSync(file) ? readFileSync(file, "utf8") : undefined;
  const memory = read(beside(".memory.json"));
  const flags = (read(beside(".flags")) ?? "").split(/\s+/);
  const named = (flag: string) => new Set(flags.filter((_, index) => flags[index - 1] === flag));
  return {
    rule,
    name,
    bytes: readFileSync(beside(".yaml")),
    stderr: beside(".stderr"),
    surroundings: {
      ...quiet,
      read: (path) => read(join(beside(".files"), path)) ?? quiet.read(path),
      memory: memory === undefined ? undefined : JSON.parse(memory),
      allowDestroy: named("--allow-destroy"),
      accept: named("--accept"),
    },
  };
}
