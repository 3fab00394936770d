import { format } from "prettier";

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly definitions?: Readonly<Record<string, Schema>>;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly type?: string | readonly string[];
}

/** The keys of a config as Markdown tables, one for each object of the schema. */
export async function renderReference(schema: object): Promise<string> {
  const root = schema as Schema;
  const sections = Object.entries(root.properties ?? {}).flatMap(([key, property]) =>
    section(key, property, root),
  );
  const scalars = Object.entries(root.properties ?? {}).filter(
    ([, property]) => objectOf(property, root) === undefined,
  );
  const top = table(scalars, root.required ?? [], root);
  return format([top, ...sections].join("\n\n"), { parser: "markdown", printWidth: 110 });
}

function section(key: string, property: Schema, root: Schema): string[] {
  const object = objectOf(property, root);
  if (object === undefined) return [];
  const title = object.isMap ? `${key}.<name>` : key;
  const description = resolve(property, root).description ?? property.description ?? "";
  const rows = Object.entries(object.properties).flatMap((row) => nested(row, root));
  return [`#### \`${title}\``, description, table(rows, object.required, root)];
}

/** A key, or the keys of the object that it holds where each of them has a default of its own. */
function nested([key, property]: readonly [string, Schema], root: Schema): [string, Schema][] {
  const { default: value, properties } = resolve(property, root);
  const isSplit = properties !== undefined && JSON.stringify(value) === "{}";
  if (!isSplit) return [[key, property]];
  return Object.entries(properties).map(([inner, schema]) => [`${key}.${inner}`, schema]);
}

/** The object that a property holds, or that each entry of its map holds. */
function objectOf(property: Schema, root: Schema) {
  const own = resolve(property, root);
  const entry =
    typeof own.additionalProperties === "object" ? resolve(own.additionalProperties, root) : undefined;
  const { properties, required = [] } = entry ?? own;
  return properties === undefined ? undefined : { properties, required, isMap: entry !== undefined };
}

function table(
  rows: readonly (readonly [string, Schema])[],
  required: readonly string[],
  root: Schema,
): string {
  const lines = rows.map(([key, property]) => {
    const mark = required.includes(key) ? "**Required.** " : "";
    return `| \`${key}\` | ${mark}${property.description ?? ""} | ${typeOf(property, root)} | ${sample(property, root)} |`;
  });
  return ["| key | meaning | type | default or example |", "| --- | --- | --- | --- |", ...lines].join("\n");
}

function typeOf(property: Schema, root: Schema): string {
  const { const: only, enum: values, type, anyOf, items } = resolve(property, root);
  if (only !== undefined) return code(only);
  if (values !== undefined) return values.map(code).join(", ");
  if (anyOf !== undefined) return typeOf(anyOf[0] as Schema, root);
  const names = [type ?? "any"].flat().filter((name) => name !== "null");
  return names[0] === "array" && items !== undefined ? `list of ${typeOf(items, root)}` : names.join(" or ");
}

function sample(property: Schema, root: Schema): string {
  const value = property.default ?? resolve(property, root).default;
  const example = property.examples?.[0];
  if (value !== undefined && value !== null) return code(value);
  return example === undefined ? "" : `e.g. ${code(example)}`;
}

function code(value: unknown): string {
  return `\`${(typeof value === "string" ? value || '""' : JSON.stringify(value)).replaceAll("\n", "\\n").replaceAll("|", "\\|")}\``;
}

function resolve(property: Schema, root: Schema): Schema {
  const inner = property.allOf?.[0] ?? property;
  const name = inner.$ref?.slice("#/definitions/".length);
  const target = name === undefined ? inner : root.definitions?.[name];
  return target ?? inner;
}
