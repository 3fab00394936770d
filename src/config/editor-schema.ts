import type { Kind } from "../kind.ts";

interface Schema {
  readonly $schema?: string;
  readonly $id?: string;
  readonly definitions?: Readonly<Record<string, object>>;
}

/**
 * One JSON Schema for configs of every kind: `kind` decides which one applies, and the first does where there is none.
 * Definitions are named after their kind and referred to from the top, which is all that editors understand.
 */
export function editorSchema(kinds: readonly [Kind, ...Kind[]]): object {
  const names = kinds.map(({ name }) => name);
  const definitions: Record<string, object> = {};
  for (const { name, schema } of kinds) {
    const { $schema: _, $id: __, definitions: own = {}, ...rest } = withPrefix(schema, `${name}.`);
    definitions[name] = rest;
    for (const [key, definition] of Object.entries(own)) definitions[`${name}.${key}`] = definition;
  }
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "gen-talos-module",
    description: "A config of gen-talos-module, of any kind.",
    type: "object",
    properties: {
      kind: {
        description: "Which system this file describes.",
        enum: names,
        default: names[0],
      },
    },
    allOf: names.map((name, index) => ({
      if: { properties: { kind: { const: name } }, ...(index === 0 ? {} : { required: ["kind"] }) },
      then: { $ref: `#/definitions/${name}` },
    })),
    definitions,
  };
}

/** The same schema, with a prefix before the name of each definition that it refers to. */
function withPrefix(schema: object, prefix: string): Schema {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === "$ref" && typeof value === "string"
      ? value.replace("#/definitions/", `#/definitions/${prefix}`)
      : value,
  );
  return JSON.parse(text) as Schema;
}
