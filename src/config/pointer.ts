import type { Path } from "../problem.ts";

/** A path as a JSON pointer. */
export function pointer(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** A JSON pointer as a path into the data that it was made for. */
export function steps(text: string, data: unknown): Path {
  let value = data;
  return text
    .split("/")
    .slice(1)
    .map((word) => {
      const key = word.replaceAll("~1", "/").replaceAll("~0", "~");
      const step = Array.isArray(value) ? Number(key) : key;
      value = (value as Record<string, unknown> | undefined)?.[key];
      return step;
    });
}

/** A copy of the data where the values at some pointers are undefined, under the key given for each. */
export function without(data: unknown, removed: ReadonlyMap<string, string>): unknown {
  const copy = (value: unknown, at: string): unknown => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const rest = Object.create(null) as Record<string, unknown>;
    for (const [key, item] of Object.entries(value)) {
      const below = at + pointer([key]);
      const name = removed.get(below);
      if (name === undefined) rest[key] = copy(item, below);
      else if (!(name in rest)) rest[name] = undefined;
    }
    return rest;
  };
  return copy(data, "");
}
