import { createOutput } from "../terminal/output.ts";
import { isInSync, type Change } from "../writing/plan.ts";
import type { Arguments } from "../terminal/arguments.ts";
import { lines, type Environment, type Result } from "./command.ts";
import { prepare } from "./prepare.ts";
import {
  diagnosticsOf,
  generateLine,
  showDiff,
  showProblems,
  showWarnings,
  toFileActions,
} from "./present.ts";

/** How a file differs from what the config says. */
const words = { create: "missing", change: "stale", delete: "orphan", refuse: "edited" } as const;

/** Says whether the tree is what the config says, and writes nothing. */
export async function check(args: Arguments & { out: string }, environment: Environment): Promise<Result> {
  const { loaded, warnings, planned } = await prepare(args, environment);
  const stderr = lines(showProblems(loaded, args, environment), showWarnings(warnings, environment));
  const diagnostics = diagnosticsOf(loaded, warnings);
  if (planned === undefined) {
    return {
      exitCode: 1,
      stdout: "",
      stderr,
      document: createOutput({ command: "check", exitCode: 1, diagnostics }),
    };
  }
  const { plan } = planned;
  const changes = plan.lockChange.action === "keep" ? plan.changes : [...plan.changes, plan.lockChange];
  const exitCode = isInSync(plan) ? 0 : 2;
  const stdout =
    exitCode === 0 ? [`${args.out} is what the config says`] : showDifferences(changes, args, environment);
  const files = toFileActions(changes, args);
  const document = createOutput({ command: "check", exitCode, diagnostics, files });
  return { exitCode, stdout: lines(stdout), stderr, document };
}

function showDifferences(changes: readonly Change[], args: Arguments, environment: Environment): string[] {
  const forceable = changes.filter(({ isForceable }) => isForceable).map(({ path }) => path);
  const differences = changes.flatMap((change) => {
    if (change.action === "keep") return [];
    const reason = change.reason === "" ? "" : `: ${change.reason}`;
    const word = change.action === "refuse" && !change.isForceable ? "blocked" : words[change.action];
    const line = `${word.padEnd(7)} ${change.path}${reason}`;
    return args.showsDiff ? [line, showDiff(change, args, environment, "stdout")] : [line];
  });
  return [...differences, `\nTo make the tree what the config says: ${generateLine(args, forceable)}`];
}
