import type { Document } from "../config/document.ts";
import { Lines } from "../config/lines.ts";
import { spell } from "../problem.ts";
import type { Problem, Severity } from "../problem.ts";
import { secretLines } from "../config/secrets.ts";
import { escapeMessage } from "./annotation.ts";
import { visible, width } from "./visible.ts";

export interface ReportOptions {
  readonly color: boolean;
  /** Adds the workflow commands that make GitHub show each problem at its line. */
  readonly github: boolean;
}

/** More than this nobody reads; `--json` has them all. */
const MOST_SHOWN = 1000;
const SNIPPET_COLUMNS = 100;
/** Farther from a mark than any snippet reaches: what is beyond is not even looked at. */
const FAR = 400;
const STYLES = { error: 31, warning: 33, bold: 1, faint: 2, hint: 36 } as const;

/** All problems of one config as the user reads them, in file order, with the sum at the end. */
export function formatProblems(
  problems: readonly Problem[],
  source: Document | string,
  { color, github }: ReportOptions,
): string {
  if (problems.length === 0) return "";
  const sorted = inFileOrder(problems);
  const text = typeof source === "string" ? source : source.text;
  const hidden = typeof source === "string" ? secretLines(text) : source.secretLines;
  const lines = new Lines(text);
  const paint = (style: keyof typeof STYLES, words: string): string =>
    color && words !== "" ? `\u001b[${STYLES[style]}m${words}\u001b[0m` : words;
  const shown = sorted.slice(0, MOST_SHOWN);
  const blocks = shown.map((problem) =>
    [headline(problem, paint), ...snippet(problem, lines, hidden, paint)].map((line) => `${line}\n`).join(""),
  );
  const commands = github ? shown.map((problem) => `${workflowCommand(problem)}\n`).join("") : "";
  return `${blocks.join("\n")}\n${commands}${summary(sorted)}\n`;
}

/** By place; what is wrong with a whole before what is wrong with a part. */
export function inFileOrder(problems: readonly Problem[]): Problem[] {
  const severity = (problem: Problem): number => (problem.severity === "error" ? 0 : 1);
  return [...problems].sort(
    (a, b) =>
      a.line - b.line ||
      a.column - b.column ||
      severity(a) - severity(b) ||
      (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0),
  );
}

/** `2 problems and 1 warning in cluster.yaml; nothing was written`. */
export function summary(problems: readonly Problem[]): string {
  const count = (severity: Severity): number =>
    problems.filter((problem) => problem.severity === severity).length;
  const plural = (number: number, word: string): string => `${number} ${word}${number === 1 ? "" : "s"}`;
  const parts = [
    ...(count("error") > 0 ? [plural(count("error"), "problem")] : []),
    ...(count("warning") > 0 ? [plural(count("warning"), "warning")] : []),
  ];
  const rest = problems.length > MOST_SHOWN ? `, the first ${MOST_SHOWN} shown` : "";
  const end = count("error") > 0 ? "; nothing was written" : "";
  return `${parts.join(" and ")} in ${visible(problems[0]?.file ?? "the config")}${rest}${end}`;
}

type Paint = (style: keyof typeof STYLES, words: string) => string;

function headline({ file, line, column, severity, path, message }: Problem, paint: Paint): string {
  const subject = path.length === 0 ? "" : `${visible(spell(path))}: `;
  return `${visible(file)}:${line}:${column}: ${paint(severity, `${severity}:`)} ${paint("bold", subject + visible(message))}`;
}

/** The source line with carets under the value and the hint behind them; the hint alone where no line is meant. */
function snippet(problem: Problem, lines: Lines, hidden: ReadonlySet<number>, paint: Paint): string[] {
  const { line, column, endLine, endColumn, severity } = problem;
  const gutter = `  ${line} | `;
  const margin = paint("faint", `${" ".repeat(gutter.length - 2)}| `);
  const [first = "", ...more] = (problem.hint ?? "").split("\n").map((hint) => paint("hint", visible(hint)));
  if (hidden.has(line) || (endLine === line && endColumn === column)) {
    const note = hidden.has(line) ? [`${paint("faint", gutter)}(not shown: a secret is on this line)`] : [];
    return [...note, ...[first, ...more].filter((hint) => hint !== "").map((hint) => margin + hint)];
  }
  const source = lines.line(line);
  const end = endLine === line ? endColumn - 1 : source.length;
  const { before, marked, after } = clip({
    before: visible(source.slice(Math.max(0, column - 1 - FAR), column - 1)),
    marked: visible(source.slice(column - 1, Math.min(end, column - 1 + FAR))),
    after: visible(source.slice(end, end + FAR)),
  });
  const indent = " ".repeat(width(before));
  const carets = paint(severity, "^".repeat(Math.max(1, width(marked))));
  return [
    `${paint("faint", gutter)}${before}${marked}${after}`.trimEnd(),
    `${margin}${indent}${carets}${first === "" ? "" : ` ${first}`}`,
    ...more.map((hint) => `${margin}${indent}${hint}`),
  ];
}

interface Clip {
  readonly before: string;
  readonly marked: string;
  readonly after: string;
}

/** A wide line, cut down to what is around the mark. */
function clip({ before, marked, after }: Clip): Clip {
  if (before.length + marked.length + after.length <= SNIPPET_COLUMNS) return { before, marked, after };
  const shown = marked.length > 60 ? `${whole(marked.slice(0, 59))}…` : marked;
  const room = SNIPPET_COLUMNS - shown.length;
  const front = before.length > room / 2 ? `…${whole(before.slice(1 - Math.floor(room / 2)))}` : before;
  const rest = Math.max(1, room - front.length);
  return {
    before: front,
    marked: shown,
    after: after.length > rest ? `${whole(after.slice(0, rest - 1))}…` : after,
  };
}

/** The text without a character that a cut went through. */
function whole(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "");
}

function workflowCommand({
  severity,
  file,
  line,
  column,
  endLine,
  endColumn,
  rule,
  path,
  message,
  hint,
}: Problem): string {
  const last = endLine === line ? `,endColumn=${endColumn}` : "";
  const place = `file=${property(file)},line=${line},col=${column},endLine=${endLine}${last},title=${property(rule)}`;
  const subject = path.length === 0 ? "" : `${spell(path)}: `;
  return `::${severity} ${place}::${escapeMessage(subject + message + (hint === undefined ? "" : `\n${hint}`))}`;
}

function property(text: string): string {
  return escapeMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
