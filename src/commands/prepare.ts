import { relative, resolve, sep } from "node:path";
import type { Arguments } from "../terminal/arguments.ts";
import { Refusal } from "../terminal/failure.ts";
import type { Generated, Surroundings } from "../kind.ts";
import { foreignMemory, lockFor, readLock, type Lock } from "../writing/lock.ts";
import { planChanges, type Plan } from "../writing/plan.ts";
import type { Environment } from "./command.ts";
import { DEFAULT_CONFIG, exampleOf, fileReader, readConfig, type Input } from "./input.ts";
import { loadConfig, type Loaded } from "./load.ts";
import { unknownNames } from "./unknown-names.ts";

/** Everything that is known before the first byte is written. Without a plan there are errors in the config. */
export interface Prepared {
  readonly loaded: Loaded;
  /** What is odd about the command line, beside what the config says. */
  readonly warnings: readonly string[];
  readonly planned?: { readonly plan: Plan; readonly notes: readonly string[] };
}

/** From the command line to the plan: what `generate` carries out and `check` reports. */
export async function prepare(
  args: Arguments & { out: string },
  environment: Environment,
): Promise<Prepared> {
  const out = resolve(environment.cwd, args.out);
  const lock = await lockOf(out);
  const input = readConfig(args, environment) ?? requireExample(args.out, lock, environment);
  if (input.source !== null && lock?.source === null) refuseExample(args.out);
  const surroundings: Surroundings = {
    source: input.source,
    read: fileReader(out),
    memory: lock?.memory,
    allowDestroy: args.allowDestroy,
    accept: args.accept,
  };
  const loaded = loadConfig(input, environment.kinds, surroundings, (kind) => {
    if (lock === undefined) return;
    if (lock.kind !== kind.name) {
      throw new Refusal(
        `${args.out} was generated from a ${lock.kind} config, and the kind of ${input.file} is ${kind.name}: choose another --out`,
      );
    }
    if (lock.memory !== undefined && !kind.isMemory(lock.memory)) throw new Refusal(foreignMemory(out));
  });
  const data = typeof loaded.shown === "string" ? undefined : loaded.shown.data;
  if (loaded.config === undefined) {
    return { loaded, warnings: data === undefined ? [] : unknownNames(args, [data, lock?.memory]) };
  }
  const generated: Generated = loaded.kind.generate(loaded.config as never, surroundings);
  const nextLock = lockFor(loaded.kind.name, input.source, generated.tree, generated.memory);
  const forced = args.force.map((path) => ({ path, spellings: spellingsOf(path, out, environment.cwd) }));
  const force = new Set(forced.flatMap(({ spellings }) => spellings));
  const plan = await planChanges(out, generated.tree, lock, nextLock, force);
  const paths = new Set(plan.changes.map(({ path }) => path));
  const warnings = [
    ...unknownNames(args, [data, lock?.memory, generated.memory]),
    ...forced
      .filter(({ spellings }) => !spellings.some((spelling) => paths.has(spelling)))
      .map(({ path }) => `--force ${path}: the tree has no such file to replace`),
  ];
  return { loaded, warnings, planned: { plan, notes: generated.notes } };
}

async function lockOf(out: string): Promise<Lock | undefined> {
  const read = await readLock(out);
  if ("fault" in read) throw new Refusal(read.fault);
  return read.lock;
}

/** The example never replaces what a config made. */
function requireExample(out: string, lock: Lock | undefined, environment: Environment): Input {
  if (lock === undefined || lock.source === null) return exampleOf(environment);
  throw new Refusal(
    `there is no ${DEFAULT_CONFIG} here, and ${out} was generated from ${lock.source}: name it with --config`,
  );
}

/** Nor does a config replace the example, which has other machines and may have been applied. */
function refuseExample(out: string): never {
  throw new Refusal(
    `${out} holds the built-in example: remove it (if it was ever applied, after tofu destroy), or choose another --out`,
  );
}

/** Paths are those of the tree; a path that leads into the tree from the working folder is as good. */
function spellingsOf(path: string, out: string, cwd: string): string[] {
  return [resolve(out, path), resolve(cwd, path)].map((full) => relative(out, full).split(sep).join("/"));
}
