import { quote } from "../problem.ts";

/** What people leave out or put in, most likely first. */
const MENDS: readonly ((value: string) => string)[] = [
  (value) => value.trim(),
  (value) => value.replace(/^[vV]?\.?(?=\d+\.\d)/, "v"),
  (value) => value.replace(/^[vV]\.?(?=\d+\.\d)/, ""),
  (value) => value.replace(/^[vV]?\.?(\d+\.\d+)$/, "v$1.0"),
  (value) => value.replace(/^[vV]?\.?(\d+\.\d+)$/, "$1.0"),
  (value) => value.replace(/\/+$/, ""),
  (value) => value.replace(/^\//, ""),
  (value) => value.toLowerCase(),
  (value) => value.replaceAll("-", ":"),
  (value) => value.replace(/\s+/g, ""),
  (value) => `https://${value}`,
  (value) => value.replace(/^http:/, "https:"),
  (value) => value.replace(/\b0+(?=\d)/g, ""),
];

/** Nobody slips in a single word that long. */
const LONGEST = 200;

/** The value as it was probably meant: the first small change that makes it fit the pattern. */
export function mend(value: string, pattern: string): string | undefined {
  if (value.length > LONGEST) return undefined;
  const fits = new RegExp(pattern, "u");
  return MENDS.map((change) => change(value)).find((changed) => changed !== value && fits.test(changed));
}

/** A hint for a value of the wrong type, from what the file has in its place. */
export function meantAs(
  data: unknown,
  types: readonly string[],
  pattern: string | undefined,
): string | ((source: string) => string) | undefined {
  if (types.includes("string") && (typeof data === "number" || typeof data === "boolean")) {
    return (source) => {
      const isFit = pattern === undefined || new RegExp(pattern, "u").test(source);
      return `write ${quote(isFit ? source : (mend(source, pattern) ?? source))}, in quotes`;
    };
  }
  if (typeof data !== "string") return undefined;
  if (types.includes("integer") && /^\d+$/.test(data)) return `write ${data} without quotes`;
  if (types.includes("boolean")) {
    const word = /^(true|yes|on)$/i.test(data)
      ? "true"
      : /^(false|no|off)$/i.test(data)
        ? "false"
        : undefined;
    if (word !== undefined) return (source) => `write ${word}${source === data ? "" : ", without quotes"}`;
  }
  return undefined;
}
