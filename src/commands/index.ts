import type { Arguments } from "../terminal/arguments.ts";
import type { CommandName } from "../terminal/options.ts";
import { check } from "./check.ts";
import type { Environment, Result, Run } from "./command.ts";
import { generate } from "./generate.ts";
import { init } from "./init.ts";
import { schema } from "./schema.ts";
import { validate } from "./validate.ts";

const runs: Readonly<Record<CommandName, Run>> = {
  generate: (args, environment) => generate(withOut(args), environment),
  check: (args, environment) => check(withOut(args), environment),
  validate,
  schema,
  init,
};

export function run(args: Arguments, environment: Environment): Promise<Result> {
  return runs[args.command](args, environment);
}

/** The parser asks for `--out` where a command needs it. */
function withOut(args: Arguments): Arguments & { out: string } {
  if (args.out === undefined) throw new Error(`${args.command} without --out`);
  return { ...args, out: args.out };
}
