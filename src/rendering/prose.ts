/** Encoders for text that is not HCL: a value stays a value, whatever is in it. */

/** Controls, separators and bidirectional marks, which have no place in text that people read. */
const INVISIBLE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

function visible(text: string): string {
  return text.replace(INVISIBLE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A value in a `#` comment: on one line. */
export function comment(value: string): string {
  return visible(value);
}

/** A value in Markdown text or in a cell of a table: no markup, no line break. */
export function markdown(value: string | number): string {
  return visible(String(value)).replace(/[\\`*_{}[\]<>()#|!~&]/g, (char) =>
    /[<>&]/.test(char) ? `&#${char.charCodeAt(0)};` : `\\${char}`,
  );
}

/** A value as inline code in Markdown, in a table too. */
export function code(value: string | number): string {
  // A backslash before an escaped bar would take the escape off it.
  const text = visible(String(value)).replace(/\\\|/g, "\\u007c").replaceAll("|", "\\|");
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const space = longest > 0 || text.trim() === "" ? " " : "";
  return `${fence}${space}${text}${space}${fence}`;
}

/** One word of a shell command. */
export function shell(value: string | number): string {
  const text = String(value);
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(text)) return text;
  if (text.search(INVISIBLE) >= 0) {
    const escaped = text.replace(/['\\]/g, "\\$&").replace(INVISIBLE, (char) => visible(char));
    return `$'${escaped}'`;
  }
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A scalar of YAML: JSON, which is YAML, unless the value is a plain word. */
export function yaml(value: string | number | boolean): string {
  if (typeof value !== "string") return String(value);
  const isPlain =
    /^[A-Za-z][A-Za-z0-9_./-]*$/.test(value) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(value);
  return isPlain ? value : visible(JSON.stringify(value));
}

/** JSON with two spaces and a final newline, in which all characters can be seen. */
export function json(value: unknown, replacer?: (key: string, value: unknown) => unknown): string {
  return `${JSON.stringify(value, replacer, 2).split("\n").map(visible).join("\n")}\n`;
}

/** A label of a Mermaid diagram, between double quotes. */
export function mermaid(value: string | number): string {
  return visible(String(value)).replace(/[^A-Za-z0-9 .:/_-]/g, (char) => `#${char.codePointAt(0)};`);
}
