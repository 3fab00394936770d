import { Composer } from "yaml";
import type { Node } from "yaml";
import type { Path } from "../problem.ts";
import { readData } from "./yaml-data.ts";
import type { Entries } from "./yaml-data.ts";
import { parseTokens } from "./yaml-tokens.ts";

/** What YAML itself or the shape of a config refuses; these come before every rule of a kind. */
export const yamlRuleIds = [
  "yaml-aliases",
  "yaml-documents",
  "yaml-duplicate-key",
  "yaml-empty",
  "yaml-encoding",
  "yaml-key",
  "yaml-map",
  "yaml-merge",
  "yaml-syntax",
  "yaml-tag",
  "yaml-too-big",
  "yaml-too-deep",
  "yaml-version",
] as const;

/** Something that is wrong with a text as YAML, or that YAML allows and we do not. Offsets count from zero. */
export interface Fault {
  readonly rule: (typeof yamlRuleIds)[number];
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly hint?: string;
  readonly path?: Path;
  /** Where the other of two things is. */
  readonly first?: number;
}

export interface Yaml {
  readonly root: Node;
  /** A map without a prototype. */
  readonly data: object;
  readonly entries: Entries;
}

/** Reads one YAML 1.2 document that holds a map. Any text gets an answer in linear time. */
export function readYaml(text: string): Yaml | { readonly faults: readonly Fault[] } {
  const parsed = parseTokens(text);
  if ("excess" in parsed) {
    const { rule, offset: start, message } = parsed.excess;
    return { faults: [{ rule, start, end: start + 1, message }] };
  }
  const composer = new Composer({ version: "1.2", schema: "core", uniqueKeys: false, prettyErrors: false });
  const [yaml, second] = [...composer.compose(parsed.tokens)];
  // One slip makes a parser stumble again and again: its first word is the one that helps.
  const [slip] = [...(yaml?.errors ?? []), ...(second?.errors ?? [])];
  const faults: Fault[] = (slip === undefined ? [] : [slip]).map(({ pos, message }) => ({
    rule: "yaml-syntax",
    start: pos[0],
    end: pos[1],
    message: sentence(message),
  }));
  if (second !== undefined) {
    const start = text.lastIndexOf("---", second.range[0]);
    const message = "a second document starts here, where there may be only one";
    faults.push({ rule: "yaml-documents", start, end: start + 3, message, hint: "remove it" });
  }
  const directive = yaml?.directives?.yaml;
  if (directive?.explicit === true && directive.version !== "1.2") {
    const [start, end] = [0, text.indexOf("\n")];
    const message = `the text asks for YAML ${directive.version} and is read as YAML 1.2`;
    faults.push({ rule: "yaml-version", start, end, message, hint: "remove the %YAML line" });
  }
  const root = yaml?.contents ?? null;
  if (faults.length === 0 && root === null) {
    faults.push({ rule: "yaml-empty", start: 0, end: 1, message: "there is nothing here" });
  }
  if (faults.length > 0 || root === null) return { faults: faults.map((fault) => ontoText(fault, text)) };

  const { data, entries, faults: unwanted } = readData(root);
  if (unwanted.length > 0) return { faults: unwanted };
  if (typeof data === "object" && data !== null && !Array.isArray(data)) return { root, data, entries };
  const [start, end] = root.range;
  return {
    faults: [{ rule: "yaml-map", start, end, message: "there must be a map here, of keys to values" }],
  };
}

/** A fault at the very end is shown on the last line that has text. */
function ontoText(fault: Fault, text: string): Fault {
  const last = Math.max(0, text.trimEnd().length - 1);
  return fault.start <= last ? fault : { ...fault, start: last, end: last + 1 };
}

/** The parser's words as they read behind a colon. */
function sentence(message: string): string {
  const words = message.replace(/^Missing closing (.)quote$/, "a $1 is not closed");
  return words.charAt(0).toLowerCase() + words.slice(1);
}
