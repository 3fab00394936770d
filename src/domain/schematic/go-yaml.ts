/**
 * Writes a value exactly as Go's yaml library marshals it: block style, four spaces, no line folding. Checked against
 * go.yaml.in/yaml/v4 rc.3, rc.4 and rc.6 and gopkg.in/yaml.v3; where these differ, `findDoubt` tells.
 */
export type Value = Scalar | readonly Value[] | ReadonlyMap<string, Value>;
type Scalar = string | bigint | number | boolean | null;

export function marshal(value: Value): string {
  return isFilled(value) ? renderBlock(value, 0) : endLine(renderInline(value, 0));
}

/** What a string must not do for all releases of the library to render it alike, if it does. */
export function findDoubt(text: string): string | undefined {
  if (oldBoolean.test(text) || oldNumber.test(text) || text === "<<") {
    return "be a YAML 1.1 boolean (y, n, yes, no, on, off), an old number (1:30, 0o-7) or a merge key (<<)";
  }
  if (text.startsWith("\n")) return "start with a line break";
  if (text.includes("\n") && !/[^\s\u0085]/u.test(text)) return "be nothing but line breaks and spaces";
  const isUnusual = /[\u2028\u2029\ufeff]|\p{Surrogate}/u.test(text);
  return isUnusual ? "contain a Unicode line separator, byte order mark or lone surrogate" : undefined;
}

/**
 * What Go reads in an unquoted scalar: the text itself if it is a string, undefined for a date, an infinity, a NaN or
 * -0, which the releases do not all read alike.
 */
export function resolvePlain(text: string): Scalar | undefined {
  if (/^(?:|~|null|Null|NULL)$/.test(text)) return null;
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  if (/^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/.test(text)) return undefined;
  if (text === "-0") return undefined;
  if (text === "<<" || !/^[-+.0-9]/.test(text)) return text;
  if (isTimestamp(text)) return undefined;
  return parseInteger(text) ?? parseFloat64(text) ?? text;
}

const oldBoolean = /^(?:y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF)$/;
const oldNumber = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$|^0_*[bo]_*[-+][0-7_]+$/;

function parseInteger(text: string): bigint | undefined {
  const pattern = /^([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|0[0-7]*|[1-9][0-9]*)$/;
  const [, sign = "", digits] = pattern.exec(text.replaceAll("_", "")) ?? [];
  if (digits === undefined || text.startsWith(".")) return undefined;

  const magnitude = BigInt(digits.replace(/^0(?=[0-7])/, "0o"));
  const limit = { "-": 2n ** 63n, "+": 2n ** 63n - 1n, "": 2n ** 64n - 1n }[sign] ?? 0n;
  if (magnitude > limit) return undefined;
  return sign === "-" ? -magnitude : magnitude;
}

function parseFloat64(text: string): number | undefined {
  if (text.startsWith(".") && /^_|_$|__|_[^0-9]|[^0-9]_/.test(text)) return undefined;
  const digits = text.replaceAll("_", "");
  if (!/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(digits)) return undefined;
  const value = Number(digits);
  return Number.isFinite(value) ? value : undefined;
}

function isTimestamp(text: string): boolean {
  const date = /^(\d{4})-(\d\d?)-(\d\d?)/;
  const time =
    /^(?:[Tt](\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?(?:Z|[-+](\d\d):(\d\d))| +(\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?)?$/;
  const onDate = date.exec(text);
  const atTime = onDate && time.exec(text.slice(onDate[0].length));
  if (!atTime) return false;

  const [year = 0, month = 0, day = 0] = onDate.slice(1).map(Number);
  const lastDay = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  const limits = [23, 59, 59, 24, 60, 23, 59, 59];
  const isInRange = atTime
    .slice(1)
    .every((part, index) => part === undefined || Number(part) <= limits[index]!);
  return isInRange && month >= 1 && month <= 12 && day >= 1 && day <= lastDay;
}

function renderMapping(mapping: ReadonlyMap<string, Value>, indent: number): string {
  const childIndent = 4 * Math.floor((indent + 4) / 4);
  return [...mapping]
    .map(([key, value]) => {
      const start = " ".repeat(indent) + renderScalar(key, 0) + ":";
      if (isFilled(value)) return `${start}\n${renderBlock(value, childIndent)}`;
      return endLine(`${start} ${renderInline(value, childIndent)}`);
    })
    .join("");
}

function renderSequence(items: readonly Value[], indent: number): string {
  return items
    .map((item) => {
      const start = " ".repeat(indent) + "- ";
      if (isFilled(item)) return start + renderBlock(item, indent + 2).slice(indent + 2);
      return endLine(start + renderInline(item, indent + 2));
    })
    .join("");
}

type Collection = readonly Value[] | ReadonlyMap<string, Value>;

function isFilled(value: Value): value is Collection {
  return (value instanceof Map && value.size > 0) || (Array.isArray(value) && value.length > 0);
}

function renderBlock(value: Collection, indent: number): string {
  return value instanceof Map
    ? renderMapping(value, indent)
    : renderSequence(value as readonly Value[], indent);
}

function renderInline(value: Value, indent: number): string {
  if (value instanceof Map) return "{}";
  if (Array.isArray(value)) return "[]";
  return renderScalar(value as Scalar, indent);
}

function endLine(text: string): string {
  return text.endsWith("\n") ? text : text + "\n";
}

function renderScalar(value: Scalar, indent: number): string {
  if (typeof value === "string") return renderString(value, indent);
  if (typeof value === "number") return renderFloat(value);
  return String(value);
}

/** Go's shortest %g, which turns to an exponent below 1e-4 and from 1e6 on. */
function renderFloat(value: number): string {
  if (Object.is(value, -0)) return "-0";
  const [mantissa, exponent = "0"] = value.toExponential().split("e");
  if (Number(exponent) >= -4 && Number(exponent) < 6) return String(value);
  return `${mantissa}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
}

const unprintable = /[^\t\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufffd]/u;
const indicator = /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[-?:](?: |$))|:(?: |$)| #/;

function renderString(text: string, indent: number): string {
  if (text.includes("\n")) {
    return / \n| $/.test(text) || unprintable.test(text) ? doubleQuote(text) : literalBlock(text, indent);
  }
  if (resolvePlain(text) !== text || text.includes("\t") || unprintable.test(text)) return doubleQuote(text);
  return indicator.test(text) || /^ | $/.test(text) ? `'${text.replaceAll("'", "''")}'` : text;
}

/** The hint is always 4, whatever the block's real indentation: the library writes it so. */
function literalBlock(text: string, indent: number): string {
  const hint = text.startsWith(" ") ? "4" : "";
  const chomp = text.endsWith("\n\n") ? "+" : text.endsWith("\n") ? "" : "-";
  const lines = text.split("\n").map((line) => (line === "" ? "" : " ".repeat(indent) + line));
  return `|${hint}${chomp}\n${lines.join("\n")}`;
}

const escapes = new Map(
  [...'\0\x07\b\t\n\v\f\r\x1b"\\\x85'].map((char, index) => [char, '0abtnvfre"\\N'[index]]),
);

function doubleQuote(text: string): string {
  const escaped = text.replace(/[\t\n"\\]|[^\x20-\x7e\u00a0-\ud7ff\ue000-\ufffd]/gu, (char) => {
    const short = escapes.get(char);
    if (short !== undefined) return `\\${short}`;
    const hex = char.codePointAt(0)!.toString(16).toUpperCase();
    if (hex.length <= 2) return `\\x${hex.padStart(2, "0")}`;
    return hex.length <= 4 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
  });
  return `"${escaped}"`;
}

/** Go's order of the keys of a map, for keys of ASCII letters, digits and punctuation: numbers in them by size. */
export function compareKeys(a: string, b: string): number {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  if (start >= a.length || start >= b.length) return a.length - b.length;

  const [isLetterA, isLetterB] = [a, b].map((key) => /[A-Za-z]/.test(key[start]!));
  const isAfterDigit = /[0-9]/.test(a[start - 1] ?? "");
  if (isLetterA !== isLetterB) return isLetterA === isAfterDigit ? -1 : 1;
  const [digitsA = "", digitsB = ""] = [a, b].map((key) => /^[0-9]*/.exec(key.slice(start))![0]);
  const isInsideNumber = /0/.test(a[start]! + b[start]!) && /[1-9]0*$/.test(a.slice(0, start));
  const lead = isInsideNumber ? "1" : "0";
  return (
    Math.sign(Number(BigInt(lead + digitsA) - BigInt(lead + digitsB))) ||
    digitsA.length - digitsB.length ||
    a.charCodeAt(start) - b.charCodeAt(start)
  );
}
