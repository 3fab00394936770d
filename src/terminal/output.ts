import type { CommandName } from "./options.ts";
import { spell, type Problem } from "../problem.ts";

/** What `--json` prints, on every path. schema/output.schema.json describes it. */
export interface OutputDocument {
  readonly format_version: "1.0";
  /** Null where the command line was wrong or asked for help. */
  readonly command: CommandName | null;
  readonly exit_code: number;
  readonly valid: boolean;
  readonly error_count: number;
  readonly warning_count: number;
  /** In the shape of `tofu validate -json`, with the rule and the path of the config added. */
  readonly diagnostics: readonly Diagnostic[];
  /** Whether the actions below were carried out. */
  readonly written: boolean;
  readonly files: readonly FileAction[];
  readonly notes: readonly string[];
  /** Of `schema` only. */
  readonly schema?: object;
}

export interface Diagnostic {
  readonly severity: "error" | "warning";
  readonly summary: string;
  readonly detail: string;
  readonly rule?: string;
  readonly path?: string;
  readonly range?: { readonly filename: string; readonly start: Position; readonly end: Position };
}

/** Line and column count from one, bytes from zero. */
interface Position {
  readonly line: number;
  readonly column: number;
  readonly byte: number;
}

export interface FileAction {
  readonly path: string;
  readonly action: "create" | "change" | "delete" | "keep" | "refuse";
  readonly reason?: string;
  readonly diff?: string;
}

export interface Facts {
  readonly command: CommandName | null;
  readonly exitCode: number;
  readonly diagnostics?: readonly Diagnostic[];
  readonly isWritten?: boolean;
  readonly files?: readonly FileAction[];
  readonly notes?: readonly string[];
  readonly schema?: object;
}

export function createOutput(facts: Facts): OutputDocument {
  const diagnostics = facts.diagnostics ?? [];
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  return {
    format_version: "1.0",
    command: facts.command,
    exit_code: facts.exitCode,
    valid: errors === 0,
    error_count: errors,
    warning_count: diagnostics.length - errors,
    diagnostics,
    written: facts.isWritten ?? false,
    files: facts.files ?? [],
    notes: facts.notes ?? [],
    ...(facts.schema === undefined ? {} : { schema: facts.schema }),
  };
}

/** The diagnostic of something that has no place in the config. */
export function diagnose(
  summary: string,
  detail = "",
  severity: Diagnostic["severity"] = "error",
): Diagnostic {
  return { severity, summary, detail };
}

export function toDiagnostics(problems: readonly Problem[], bytes: Uint8Array): Diagnostic[] {
  const byteAt = byteCounter(bytes);
  return problems.map((problem) => ({
    severity: problem.severity,
    summary: problem.path.length === 0 ? problem.message : `${spell(problem.path)}: ${problem.message}`,
    detail: problem.hint ?? "",
    rule: problem.rule,
    path: spell(problem.path),
    range: {
      filename: problem.file,
      start: position(problem.line, problem.column),
      end: position(problem.endLine, problem.endColumn),
    },
  }));

  function position(line: number, column: number): Position {
    return { line, column, byte: byteAt(line, column) };
  }
}

/** Line and column to the offset in the file as it is, with its byte order mark and its own line ends. */
function byteCounter(bytes: Uint8Array): (line: number, column: number) => number {
  const starts = [bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0];
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) starts.push(at + 1);
  return (line, column) => {
    const start = starts[line - 1];
    if (start === undefined) return bytes.length;
    const content = Buffer.from(bytes.subarray(start, starts[line])).toString("utf8");
    return start + Buffer.byteLength(content.slice(0, column - 1));
  };
}
