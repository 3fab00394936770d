import { quote } from "../problem.ts";
import type { Finding } from "../problem.ts";

/** A host with its port, or with a name that is a domain's rather than a file's. */
const HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d+|\.(?!ya?ml|json|txt)[a-z]{2,})(?=\/|$)/i;

/** What people leave out or put in, most likely first. Each takes a slip for what it must be, and guesses nothing. */
const MENDS: readonly ((value: string) => string)[] = [
  (value) => value.trim(),
  (value) => value.replace(/^[vV]?\.?(?=\d+\.\d)/, "v"),
  (value) => value.replace(/^[vV]\.?(?=\d+\.\d)/, ""),
  (value) => value.replace(/^[vV]?\.?(\d+\.\d+)$/, "v$1.0"),
  (value) => value.replace(/^[vV]?\.?(\d+\.\d+)$/, "$1.0"),
  (value) => value.replace(/\/+$/, ""),
  (value) => value.replace(/^\/(?=\d+$)/, ""),
  (value) => value.toLowerCase(),
  (value) => (/^(?:[0-9a-f]{2}-){5}[0-9a-f]{2}$/i.test(value) ? value.replaceAll("-", ":") : value),
  (value) => value.replace(/^(\d+)\s+([a-z]+)$/i, "$1$2"),
  (value) => (HOST.test(value) ? `https://${value}` : value),
  (value) => value.replace(/^http:/, "https:"),
  (value) => value.replace(/\b0+(?=\d)/g, ""),
];

/** Nobody slips in a single word that long. */
const LONGEST = 200;

/** What a schema asks of a value beside its type. */
export interface Demands {
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly patternErrorMessage?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The value as it was probably meant: the first small change that makes it fit. */
export function mend(value: string, demands: Demands): string | undefined {
  if (value.length > LONGEST) return undefined;
  return MENDS.map((change) => change(value)).find((changed) => changed !== value && fits(changed, demands));
}

/** A hint for a value of the wrong type, from what the file has in its place. Nothing is offered that is refused too. */
export function meantAs(data: unknown, types: readonly string[], demands: Demands): Finding["hint"] {
  if (types.includes("string") && (typeof data === "number" || typeof data === "boolean")) {
    return (source) => {
      const text = fits(source, demands) ? source : mend(source, demands);
      if (text !== undefined) return `write ${quote(text)}, in quotes`;
      return demands.patternErrorMessage === undefined ? undefined : `it ${demands.patternErrorMessage}`;
    };
  }
  if (typeof data !== "string") return undefined;
  if (types.includes("integer") && /^\d+$/.test(data) && fits(Number(data), demands)) {
    return `write ${Number(data)} without quotes`;
  }
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

function fits(value: string | number, { pattern, minimum, maximum, ...demands }: Demands): boolean {
  if ("const" in demands && value !== demands.const) return false;
  if (demands.enum !== undefined && !demands.enum.includes(value)) return false;
  if (typeof value === "number") return value >= (minimum ?? value) && value <= (maximum ?? value);
  return pattern === undefined || new RegExp(pattern, "u").test(value);
}
