import { resolve } from "node:path";
import type { Arguments } from "../terminal/arguments.ts";
import { Refusal } from "../terminal/failure.ts";
import type { Surroundings } from "../kind.ts";
import { createOutput } from "../terminal/output.ts";
import type { Problem } from "../problem.ts";
import { lines, type Environment, type Result } from "./command.ts";
import { DEFAULT_CONFIG, fileReader, readConfig } from "./input.ts";
import { hasErrors, readInput } from "./load.ts";
import { diagnosticsOf, showProblems } from "./present.ts";

/** Reports every problem of a config. Files of the user's count only where `--out` says where they are. */
export async function validate(args: Arguments, environment: Environment): Promise<Result> {
  const input = readConfig(args, environment);
  if (input === undefined) {
    throw new Refusal(
      `there is no ${DEFAULT_CONFIG} here: name a config with --config, or write one with init`,
    );
  }
  const checkRules = readInput(input, environment.kinds);
  const check = (read: Surroundings["read"]) => {
    const { allowDestroy, accept } = args;
    return checkRules({ source: input.source, read, memory: undefined, allowDestroy, accept });
  };
  const all = check(
    args.out === undefined ? () => undefined : fileReader(resolve(environment.cwd, args.out)),
  );
  const problems = args.out === undefined ? inBoth(all.problems, check(() => "").problems) : all.problems;
  const loaded = { ...all, problems };
  const exitCode = hasErrors(problems) ? 1 : 0;
  return {
    exitCode,
    stdout: exitCode === 0 ? lines(`${input.file} is valid`) : "",
    stderr: lines(showProblems(loaded, args, environment)),
    document: createOutput({ command: "validate", exitCode, diagnostics: diagnosticsOf(loaded) }),
  };
}

/** What is found whether every file is missing or every file is there does not depend on files. */
function inBoth(problems: readonly Problem[], others: readonly Problem[]): readonly Problem[] {
  const known = new Set(others.map((problem) => JSON.stringify(problem)));
  return problems.filter((problem) => known.has(JSON.stringify(problem)));
}
