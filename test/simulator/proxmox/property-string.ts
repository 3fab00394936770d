import { complainAbout, type Property } from "./schema.ts";

/** Values like `local-lvm:20,cache=none`: fields, one of which may be written without its name. */
export interface Fields {
  readonly fields: Readonly<Record<string, Property>>;
  readonly defaultField?: string;
}

export type Parsed = Map<string, string>;

/** The parsed value, or what is wrong with it. */
export function parseProperties(
  value: string,
  { fields, defaultField }: Fields,
  name: string,
): Parsed | string {
  const parsed: Parsed = new Map();
  for (const part of value.split(",")) {
    if (/^\s*$/.test(part)) continue;
    const [, key = defaultField, content = part] = /^([^=]+)=(.+)$/.exec(part) ?? [];
    if (key === undefined) return "value without key, but schema does not define a default key\n";
    if (parsed.has(key)) return `duplicate key in comma-separated list property: ${key}\n`;
    parsed.set(key, content);
  }
  const wrong = [...parsed]
    .map(([key, content]) => [key, complain(fields[key], content, key)] as const)
    .filter(([, complaint]) => complaint !== undefined);
  const missing = Object.entries(fields)
    .filter(([key, field]) => !field.isOptional && !parsed.has(key))
    .map(([key]) => [key, "property is missing and it is not optional"] as const);
  const errors = [...wrong, ...missing];
  if (errors.length === 0) return parsed;
  return `format error\n${errors.map(([key, complaint]) => `${name}.${key}: ${complaint}\n`).join("")}`;
}

/** A parameter whose value is such a string. */
export const propertyString = (fields: Fields): Property => ({
  format: (value, name) => {
    const parsed = parseProperties(value, fields, name);
    return typeof parsed === "string" ? parsed : undefined;
  },
});

/** The default field first and without its name, the rest sorted: as the server writes it. */
export function printProperties(parsed: Parsed, defaultField?: string): string {
  const rest = [...parsed].filter(([key]) => key !== defaultField).sort(([a], [b]) => (a < b ? -1 : 1));
  const first = defaultField === undefined ? undefined : parsed.get(defaultField);
  return [...(first === undefined ? [] : [first]), ...rest.map(([key, value]) => `${key}=${value}`)].join(
    ",",
  );
}

function complain(field: Property | undefined, value: string, key: string): string | undefined {
  if (field === undefined)
    return "property is not defined in schema and the schema does not allow additional properties";
  return complainAbout(field, value, key);
}
