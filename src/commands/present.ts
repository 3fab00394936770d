import { annotate } from "../terminal/annotation.ts";
import { PROGRAM, type Arguments } from "../terminal/arguments.ts";
import { paintDiff, usesColor } from "../terminal/color.ts";
import { unifiedDiff } from "../writing/diff.ts";
import { diagnose, toDiagnostics, type Diagnostic, type FileAction } from "../terminal/output.ts";
import type { Change } from "../writing/plan.ts";
import { shell } from "../rendering/prose.ts";
import { formatProblems } from "../terminal/report.ts";
import { sightings } from "../config/secret-shapes.ts";
import { visible } from "../terminal/visible.ts";
import type { Environment } from "./command.ts";
import type { Loaded } from "./load.ts";

/** The problems of a config as people read them; empty where there are none. */
export function showProblems(
  { problems, shown }: Loaded,
  args: Arguments,
  { env, isTerminal }: Environment,
): string {
  if (problems.length === 0) return "";
  const color = usesColor({ wish: args.color, env, isTerminal: isTerminal.stderr });
  return formatProblems(problems, shown, { color, github: env["GITHUB_ACTIONS"] === "true" });
}

/** Warnings that have no place in the config, as people read them. */
export function showWarnings(warnings: readonly string[], { env }: Environment): string[] {
  const isOnGitHub = env["GITHUB_ACTIONS"] === "true";
  return warnings.flatMap((warning) => [
    `${PROGRAM}: warning: ${visible(warning)}`,
    ...(isOnGitHub ? [annotate("warning", warning)] : []),
  ]);
}

export function diagnosticsOf({ problems, input }: Loaded, warnings: readonly string[] = []): Diagnostic[] {
  const others = warnings.map((warning) => diagnose(warning, "", "warning"));
  return [...toDiagnostics(problems, input.bytes), ...others];
}

/** The diff of a change. People paste tokens into files, so what looks like one and is not ours is blotted out. */
export function diffOf({ path, before, after }: Change): string {
  return unifiedDiff(path, before && blot(before, after ?? ""), after);
}

function blot(before: string, after: string): string {
  return sightings(before).reduceRight((text, { start, end }) => {
    const isOurs = after.includes(before.slice(start, end));
    return isOurs ? text : `${text.slice(0, start)}(secret)${text.slice(end)}`;
  }, before);
}

/** The diff for a stream. A terminal gets colours, and nothing that it would obey. */
export function showDiff(
  change: Change,
  args: Arguments,
  { env, isTerminal }: Environment,
  stream: "stdout" | "stderr",
): string {
  const diff = diffOf(change);
  const shown = isTerminal[stream] ? diff.split("\n").map(visible).join("\n") : diff;
  return usesColor({ wish: args.color, env, isTerminal: isTerminal[stream] }) ? paintDiff(shown) : shown;
}

/** Changes as `--json` tells them. */
export function toFileActions(changes: readonly Change[], args: Arguments): FileAction[] {
  return changes.map((change) => ({
    path: change.path,
    action: change.action,
    ...(change.reason === "" ? {} : { reason: change.reason }),
    ...(change.action === "refuse" || (args.showsDiff && change.action !== "keep")
      ? { diff: diffOf(change) }
      : {}),
  }));
}

/** The command line that generates what this one looked at. */
export function generateLine(args: Arguments, more: readonly string[] = []): string {
  const named = (option: string, values: Iterable<string>) =>
    [...values].flatMap((value) => [option, shell(value)]);
  const words = [
    ...named("--out", args.out === undefined ? [] : [args.out]),
    ...named("--config", args.config === undefined ? [] : [args.config]),
    ...named("--allow-destroy", args.allowDestroy),
    ...named("--accept", args.accept),
    ...named("--force", [...args.force, ...more]),
  ];
  return [PROGRAM, ...words].join(" ");
}
