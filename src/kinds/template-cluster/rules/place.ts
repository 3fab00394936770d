import type { Path } from "../../../problem.ts";
import { spell } from "../../../problem.ts";

/** Where to point, and what to put before the message where the key itself is not there. */
export interface Place {
  readonly path: Path;
  readonly at: "value" | "key";
  readonly subject: string;
}

/** The place of a key: its value, or the key that it would stand below if it had not been left out. */
export function placeOf(given: unknown, path: Path): Place {
  let value = given;
  for (const [depth, step] of path.entries()) {
    const isThere = typeof value === "object" && value !== null && Object.hasOwn(value, step);
    if (!isThere) {
      return { path: path.slice(0, depth), at: "key", subject: `${spell(path.slice(depth))} ` };
    }
    value = (value as Record<string | number, unknown>)[step];
  }
  return { path, at: "value", subject: "" };
}
