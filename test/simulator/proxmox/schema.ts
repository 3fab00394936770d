import type { Parameters } from "./parameters.ts";
import { invalid } from "./refusal.ts";

/** What a parameter may hold; the wording of the complaints is the server's. */
export interface Property {
  readonly type?: "boolean" | "integer" | "number" | "string";
  readonly isOptional?: boolean;
  readonly isList?: boolean;
  readonly pattern?: RegExp;
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  /** Another parameter that must come with this one. */
  readonly requires?: string;
  /** What is wrong with a value; the name is for messages. */
  readonly format?: (value: string, name: string) => string | undefined;
}

export type Schema = Readonly<Record<string, Property>>;

const unknown = "property is not defined in schema and the schema does not allow additional properties";

/** Every complaint at once, as the server answers. */
export function verify(schema: Schema, parameters: Parameters): void {
  const errors: Record<string, string> = {};
  for (const name of parameters.names) {
    const property = Object.hasOwn(schema, name) ? schema[name] : undefined;
    const complaint =
      property === undefined ? unknown : complain(property, parameters.all(name), name, parameters);
    if (complaint !== undefined) errors[name] = complaint;
  }
  for (const [name, property] of Object.entries(schema)) {
    if (!property.isOptional && !parameters.has(name))
      errors[name] = "property is missing and it is not optional";
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

function complain(
  property: Property,
  values: readonly string[],
  name: string,
  parameters: Parameters,
): string | undefined {
  if (property.requires !== undefined && !parameters.has(property.requires))
    return `missing property - '${property.requires}' requires this property`;
  if (values.length > 1 && !property.isList)
    return `type check ('${property.type ?? "string"}') failed - got ARRAY`;
  return values.map((value) => complainAbout(property, value, name)).find((text) => text !== undefined);
}

/** What is wrong with one value. */
export function complainAbout(property: Property, value: string, name: string): string | undefined {
  const type = property.type ?? "string";
  if (type === "integer" && !/^[+-]?\d+$/.test(value))
    return `type check ('integer') failed - got '${value}'`;
  if (type === "number" && !/^[+-]?\d+(\.\d+)?$/.test(value))
    return `type check ('number') failed - got '${value}'`;
  if (type === "boolean" && !/^(1|on|yes|true|0|no|off|false)$/i.test(value))
    return `type check ('boolean') failed - got '${value}'`;
  if (property.minimum !== undefined && Number(value) < property.minimum)
    return `value must have a minimum value of ${property.minimum}`;
  if (property.maximum !== undefined && Number(value) > property.maximum)
    return `value must have a maximum value of ${property.maximum}`;
  if (property.maxLength !== undefined && value.length > property.maxLength)
    return `value may only be ${property.maxLength} characters long`;
  if (property.values !== undefined && !property.values.includes(value))
    return `value '${value}' does not have a value in the enumeration '${property.values.join(", ")}'`;
  if (property.pattern !== undefined && !property.pattern.test(value))
    return "value does not match the regex pattern";
  const complaint = property.format?.(value, name);
  return complaint === undefined ? undefined : `invalid format - ${complaint}`;
}

export const isTrue = (value: string | undefined): boolean =>
  value !== undefined && /^(1|on|yes|true)$/i.test(value);
