/** A config with every default filled in. */
export type Complete<T> = T extends readonly (infer Item)[]
  ? readonly Complete<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]-?: Complete<Exclude<T[Key], undefined>> }
    : T;

interface Schema {
  readonly $ref?: string;
  readonly default?: unknown;
  readonly definitions?: Readonly<Record<string, Schema>>;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
}

/**
 * Fills in the defaults that stand in the schema, so that they stand nowhere else. What was given and refused by the
 * schema is there as undefined, and stays so. Names of the user's own are sorted: their order in the file means nothing.
 */
export function withDefaults<T>(config: T, schema: object): T {
  return fill(config, schema as Schema, (schema as Schema).definitions ?? {}) as T;
}

function fill(value: unknown, schema: Schema, definitions: Readonly<Record<string, Schema>>): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { properties = {}, additionalProperties } = resolve(schema, definitions);
  const filled = Object.create(null) as Record<string, unknown>;
  for (const key of Object.keys(value).sort()) {
    const item = (value as Record<string, unknown>)[key];
    const property = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    filled[key] = typeof property === "object" ? fill(item, property, definitions) : item;
  }
  for (const [key, property] of Object.entries(properties)) {
    const full = resolve(property, definitions);
    if (!Object.hasOwn(value, key) && "default" in full) filled[key] = fill(full.default, full, definitions);
  }
  return filled;
}

function resolve({ $ref, ...own }: Schema, definitions: Readonly<Record<string, Schema>>): Schema {
  return { ...definitions[$ref?.split("/").at(-1) ?? ""], ...own };
}
