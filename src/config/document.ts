import { Lines } from "./lines.ts";
import { locator } from "./locate.ts";
import type { Finding, Problem } from "../problem.ts";
import { findSecrets, redact, redactPath, secretLines } from "./secrets.ts";
import { decode } from "./text.ts";
import { readYaml } from "./yaml.ts";
import type { Fault } from "./yaml.ts";

/** A config as it was read: plain data, and the way back to lines and columns. */
export interface Document {
  readonly file: string;
  readonly text: string;
  readonly data: unknown;
  /** Lines that hold a secret and are never shown. */
  readonly secretLines: ReadonlySet<number>;
  locate(finding: Finding): Problem;
}

/** Reads a config. Either it is sound YAML with one map in it, or every reason why not is given. */
export function loadDocument(
  file: string,
  bytes: Uint8Array,
): { document: Document } | { problems: Problem[] } {
  const decoded = decode(bytes);
  if ("unreadable" in decoded) {
    const { line, ...words } = decoded.unreadable;
    const place = { line, column: 1, endLine: line, endColumn: 2 };
    return { problems: [{ severity: "error", path: [], at: "value", file, ...place, ...words }] };
  }
  const { text } = decoded;
  const lines = new Lines(text);
  const yaml = readYaml(text);
  if ("faults" in yaml) {
    return { problems: yaml.faults.map((fault) => toProblem(fault, file, lines)) };
  }
  const { data, root, entries } = yaml;
  const secrets = findSecrets(data);
  const hidden = secretLines(text);
  const blot = secrets.length + hidden.size > 0 ? redact : (words: string) => words;
  const locate = locator({ file, text, lines, root, entries, blot });
  for (const { finding } of secrets) {
    const { line, endLine } = locate(finding);
    for (let secret = line; secret <= endLine; secret++) hidden.add(secret);
  }
  return { document: { file, text, data, secretLines: hidden, locate } };
}

function toProblem(
  { rule, start, end, message, hint, path = [], first }: Fault,
  file: string,
  lines: Lines,
): Problem {
  const from = lines.place(start);
  const to = lines.place(Math.max(start + 1, end));
  const suffix = first === undefined ? "" : ` (line ${lines.place(first).line})`;
  return {
    severity: "error",
    rule,
    path: redactPath(path),
    at: "value",
    message: redact(message) + suffix,
    ...(hint === undefined ? {} : { hint: redact(hint) }),
    file,
    ...from,
    endLine: to.line,
    endColumn: to.column,
  };
}
