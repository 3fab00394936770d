/** What can be written as an HCL literal. */
export type Literal = string | number | boolean | null | readonly Literal[];

/**
 * Characters that may not stand in a quoted string as they are: controls, line and paragraph separators, and
 * the bidirectional marks that would make a reviewer read something else than OpenTofu does.
 */
const UNSAFE =
  /[\u0000-\u001f"\\\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

const SHORT: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  '"': '\\"',
  "\\": "\\\\",
};

/** A value as an HCL literal that OpenTofu evaluates to exactly this value (strings after Unicode NFC). */
export function hcl(value: Literal): string {
  if (typeof value === "string") return quote(value);
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (typeof value === "boolean" || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => hcl(item)).join(", ")}]`;
  throw new TypeError(`not an HCL literal: ${typeof value}`);
}

function quote(text: string): string {
  const escaped = text.normalize("NFC").replace(UNSAFE, (char) => SHORT[char] ?? unicode(char));
  return `"${escapeTemplates(escaped)}"`;
}

function unicode(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** `${` and `%{` start a template wherever they stand, in quotes and in heredocs alike. */
function escapeTemplates(text: string): string {
  return text.replace(/([$%])\{/g, "$1$1{");
}

/**
 * A text of several lines as an indented heredoc, for whoever reads the file; a quoted literal where a heredoc
 * could not give back every character. `indent` is that of the line on which the heredoc starts.
 */
export function heredoc(value: Literal, indent: number): string {
  if (typeof value !== "string" || !fitsHeredoc(value)) return hcl(value);
  const margin = " ".repeat(indent + 2);
  const lines = value.normalize("NFC").slice(0, -1).split("\n");
  const body = lines.map((line) => (line === "" ? "" : margin + escapeTemplates(line)));
  return ["<<-EOT", ...body, `${" ".repeat(indent)}EOT`].join("\n");
}

/**
 * OpenTofu takes the smallest indentation off all lines, so one line must have none of its own. It counts what people see as
 * one character: a mark that combines with the space before it would go with that space.
 */
function fitsHeredoc(text: string): boolean {
  if (!text.endsWith("\n") || text === "\n") return false;
  const lines = text.slice(0, -1).split("\n");
  const isPlain = lines.every((line) => !hasUnsafe(line) && line.trim() !== "EOT");
  const startsPlain = /^ *[\u0021-\u007e\p{Lu}\p{Ll}\p{Lo}\p{N}]/u;
  return (
    isPlain &&
    lines.some((line) => /^\S/.test(line)) &&
    lines.every((line) => line === "" || startsPlain.test(line))
  );
}

function hasUnsafe(line: string): boolean {
  return line.replace(/["\\]/g, "").search(UNSAFE) >= 0;
}
