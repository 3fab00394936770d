import { resolve } from "node:path";
import { createOutput, diagnose, type Facts } from "../terminal/output.ts";
import { isInSync, summarize, type Change, type Plan } from "../writing/plan.ts";
import { shell } from "../rendering/prose.ts";
import { applyPlan } from "../writing/write.ts";
import type { Arguments } from "../terminal/arguments.ts";
import { lines, type Environment, type Result } from "./command.ts";
import { DEFAULT_CONFIG } from "./input.ts";
import { prepare } from "./prepare.ts";
import {
  diagnosticsOf,
  generateLine,
  showDiff,
  showProblems,
  showWarnings,
  toFileActions,
} from "./present.ts";

type GenerateArguments = Arguments & { out: string };

/** Writes the tree of a config, or says why not. */
export async function generate(args: GenerateArguments, environment: Environment): Promise<Result> {
  const { loaded, warnings, planned } = await prepare(args, environment);
  const problems = lines(showProblems(loaded, args, environment), showWarnings(warnings, environment));
  const diagnostics = diagnosticsOf(loaded, warnings);
  const conclude = (
    facts: Omit<Facts, "command"> & { exitCode: 0 | 1 | 2 },
    stdout: string,
    stderr: string,
  ) => {
    const document = createOutput({ command: "generate", diagnostics, ...facts });
    return { exitCode: facts.exitCode, stdout, stderr, document };
  };
  if (planned === undefined) return conclude({ exitCode: 1 }, "", problems);

  const { plan, notes } = planned;
  const files = toFileActions(plan.changes, args);
  const refused = plan.changes.filter(({ action }) => action === "refuse");
  if (refused.length > 0) {
    const refusals = refused.map(({ path, reason }) => diagnose(`${path} ${reason}`));
    return conclude(
      { exitCode: 1, files, diagnostics: [...diagnostics, ...refusals] },
      "",
      lines(problems, showRefusals(refused, args, environment)),
    );
  }
  if (!args.isDryRun) await environment.uninterrupted(() => applyPlan(plan));
  const exitCode = args.hasDetailedExitCode && !isInSync(plan) ? 2 : 0;
  const stdout = lines(
    loaded.input.source === null ? `There is no ${DEFAULT_CONFIG} here: this is the built-in example.` : "",
    showChanges(plan, args, environment),
    closingLine(plan, args.isDryRun),
    notes.map((note) => `\n${note}`),
    `\nNext: ${nextLine(args, environment)}`,
  );
  return conclude({ exitCode, files, notes, isWritten: !args.isDryRun }, stdout, problems);
}

function showChanges(plan: Plan, args: Arguments, environment: Environment): string[] {
  const changed = plan.changes.filter(({ action }) => action !== "keep");
  if (args.showsDiff) return changed.map((change) => showDiff(change, args, environment, "stdout"));
  return changed.map(({ action, path }) => `${action.padEnd(6)} ${path}`);
}

function closingLine(plan: Plan, isDryRun: boolean): string {
  const { created, changed, deleted, unchanged } = summarize(plan);
  const numbers = `${created} created, ${changed} changed, ${deleted} deleted, ${unchanged} unchanged`;
  return isDryRun ? `${numbers}; this was a dry run, nothing was written` : numbers;
}

function nextLine(args: GenerateArguments, { cwd }: Environment): string {
  if (args.isDryRun) return generateLine(args);
  const isHere = resolve(cwd, args.out) === resolve(cwd);
  return `${isHere ? "" : `cd ${shell(args.out)} && `}tofu init && tofu apply`;
}

/** Each refused file with its reason and diff, then the way out where there is one. */
function showRefusals(
  refused: readonly Change[],
  args: GenerateArguments,
  environment: Environment,
): string[] {
  const forceable = refused.filter(({ isForceable }) => isForceable).map(({ path }) => path);
  return [
    ...refused.flatMap((change) => [
      `${change.path} ${change.reason}`,
      change.isForceable ? showDiff(change, args, environment, "stderr") : "",
    ]),
    `${refused.length} ${refused.length === 1 ? "file" : "files"} refused; nothing was written`,
    forceable.length > 0 ? `To give up what is there: ${generateLine(args, forceable)}` : "",
  ];
}
