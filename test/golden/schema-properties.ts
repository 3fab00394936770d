import { readFileSync } from "node:fs";

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

/** A key of the config: its place, with `*` for a name of the user's own, and everything the schema says of it. */
export interface Property {
  readonly pattern: readonly string[];
  readonly schema: Schema;
}

export function readSchema(kind = "talos-cluster"): Schema {
  return JSON.parse(
    readFileSync(new URL(`../../schema/${kind}.schema.json`, import.meta.url), "utf8"),
  ) as Schema;
}

/** Every key that holds a value, not a map: at any depth, in the order of the schema. */
export function propertiesOf(root: Schema): Property[] {
  const walk = (given: Schema, pattern: readonly string[]): Property[] => {
    const schema = resolve(given, root);
    if (schema.properties !== undefined) {
      return Object.entries(schema.properties).flatMap(([key, inner]) => walk(inner, [...pattern, key]));
    }
    if (typeof schema.additionalProperties === "object")
      return walk(schema.additionalProperties, [...pattern, "*"]);
    return [{ pattern, schema }];
  };
  return walk(root, []);
}

/** A schema with what it refers to; a key that may be null is what it is when it is not. */
function resolve(schema: Schema, root: Schema): Schema {
  const referred = schema.$ref === undefined ? {} : root.definitions?.[schema.$ref.split("/").at(-1) ?? ""];
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? [])].filter(({ type }) => type !== "null");
  const merged = [...parts.map((part) => resolve(part, root)), schema, referred ?? {}];
  return Object.assign({}, ...merged) as Schema;
}
