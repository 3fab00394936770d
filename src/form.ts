/** Says whether a value that came out of a JSON file has a certain form. Keys that nobody asked for do not count. */
export type Form = (value: unknown) => boolean;

export const text: Form = (value) => typeof value === "string";
export const number: Form = (value) => typeof value === "number";
export const flag: Form = (value) => typeof value === "boolean";

export function oneOf(...words: readonly string[]): Form {
  return (value) => words.includes(value as string);
}

/** What older files may not have. */
export function optional(form: Form): Form {
  return (value) => value === undefined || form(value);
}

export function listOf(item: Form): Form {
  return (value) => Array.isArray(value) && value.every(item);
}

/** Entries of one form under any names. */
export function mapOf(item: Form): Form {
  return (value) => isObject(value) && Object.values(value).every(item);
}

export function record(forms: Readonly<Record<string, Form>>): Form {
  return (value) => isObject(value) && Object.entries(forms).every(([key, form]) => form(value[key]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
