import type { Kind, SchemaError } from "../kind.ts";
import { atKey, error, list, quote } from "../problem.ts";
import type { Finding, Path } from "../problem.ts";
import { mend, meantAs } from "./mend.ts";
import type { Demands } from "./mend.ts";
import { suggest } from "./suggest.ts";

/** Rules of the schema itself. */
export const schemaRuleIds = [
  "enum",
  "length",
  "missing-key",
  "pattern",
  "range",
  "too-many",
  "type",
  "unknown-key",
] as const;

/** The part of a schema that messages are made from. */
export interface Schema extends Demands {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly examples?: readonly unknown[];
}

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  object: "a map",
  array: "a list",
};

/** One error of the validator in the user's words; undefined for those that only repeat another. */
export function explain(fault: SchemaError, at: Path, kind: Kind): Finding | undefined {
  const schema = (fault.parentSchema ?? {}) as Schema;
  const { data, params } = fault;
  switch (fault.keyword) {
    case "additionalProperties":
      return unknownKey([...at, String(params.additionalProperty)], data as object, schema, kind);
    case "required":
      return missingKey(at, String(params.missingProperty), data as object, schema, kind);
    case "type":
      // The null branch of an optional value says nothing that the other branch does not.
      return schema.type === "null" ? undefined : wrongType(at, data, schema);
    case "pattern":
      return wrongPattern(fault, at, schema);
    case "enum":
    case "const":
      return wrongWord(at, data, schema.enum ?? [schema.const], kind);
    case "minimum":
    case "maximum":
      return error("range", at, `must be ${span(schema.minimum, schema.maximum)}, not ${quote(data)}`);
    case "minItems":
    case "maxItems":
      return error(
        "length",
        at,
        `must have ${span(schema.minItems, schema.maxItems)} entries, not ${(data as unknown[]).length}`,
      );
    case "minProperties":
      return error("length", at, "must have one entry at least");
    case "minLength":
      return error("length", at, "must not be empty");
    case "maxLength":
      return error(
        "length",
        at,
        `must have ${schema.maxLength} characters at most, not ${[...(data as string)].length}`,
      );
    case "anyOf":
    case "propertyNames":
      return undefined;
    default:
      throw new Error(`no words for the schema keyword ${fault.keyword}`);
  }
}

function unknownKey(path: Path, data: object, { properties = {} }: Schema, kind: Kind): Finding {
  const key = String(path.at(-1));
  const known = Object.keys(properties);
  const right = intended(key, known, kind);
  const message = `there is no key ${quote(key)} here`;
  if (right === undefined)
    return atKey(error("unknown-key", path, message, `known here: ${known.join(", ")}`));
  const isThere = Object.hasOwn(data, right);
  const hint = isThere
    ? `it is ${quote(right)}, which is here too: keep that one`
    : `did you mean ${quote(right)}?`;
  return atKey(error("unknown-key", path, message, hint));
}

/** A key that is there under a wrong name is not missing as well. */
function missingKey(
  path: Path,
  key: string,
  data: object,
  { properties = {} }: Schema,
  kind: Kind,
): Finding | undefined {
  const known = Object.keys(properties);
  const others = Object.keys(data).filter((other) => !known.includes(other));
  if (others.length < 100 && others.some((other) => intended(other, known, kind) === key)) return undefined;
  const [example] = properties[key]?.examples ?? [];
  const isShown = example !== undefined && typeof example !== "object";
  const hint = isShown ? `add ${key}: ${quote(example)}, with your value` : undefined;
  return atKey(error("missing-key", path, `needs the key ${quote(key)}`, hint));
}

/** What a word that is not known here was meant to be. */
export function intended(word: string, known: readonly string[], { spellings }: Kind): string | undefined {
  const spelling = Object.hasOwn(spellings, word) ? spellings[word] : undefined;
  return spelling !== undefined && known.includes(spelling) ? spelling : suggest(word, known);
}

function wrongType(path: Path, data: unknown, schema: Schema): Finding {
  const types = [schema.type ?? []].flat().filter((type) => type !== "null");
  const wanted = list(
    types.map((type) => TYPES[type] ?? type),
    "or",
  );
  if (data === null)
    return error(
      "type",
      path,
      `must be ${wanted}, and nothing is here`,
      "give it a value or leave the key out",
    );
  return error("type", path, `must be ${wanted}, not ${describe(data)}`, meantAs(data, types, schema));
}

function wrongPattern(
  { data, propertyName }: SchemaError & { propertyName?: string },
  at: Path,
  schema: Schema,
): Finding {
  const value = String(data);
  const message = `${schema.patternErrorMessage ?? `must match ${schema.pattern}`}; found ${quote(value)}`;
  const mended = mend(value, schema);
  const hint = mended === undefined ? undefined : `write ${quote(mended)}`;
  return propertyName === undefined
    ? error("pattern", at, message, hint)
    : atKey(error("pattern", [...at, propertyName], message, hint));
}

/** A value that is none of the words that may stand there. */
export function wrongWord(path: Path, data: unknown, words: readonly unknown[], kind: Kind): Finding {
  const message = `must be ${list(words.map(quote), "or")}, not ${describe(data)}`;
  if (typeof data !== "string") return error("enum", path, message);
  const right = intended(data, words.map(String), kind);
  return error("enum", path, message, right === undefined ? undefined : `did you mean ${quote(right)}?`);
}

function describe(data: unknown): string {
  if (data === null) return "nothing";
  if (Array.isArray(data)) return "a list";
  if (typeof data === "object") return "a map";
  return typeof data === "number" ? `the number ${data}` : quote(data);
}

function span(low: number | undefined, high: number | undefined): string {
  if (low === undefined) return `at most ${high}`;
  return high === undefined ? `at least ${low}` : `from ${low} to ${high}`;
}
