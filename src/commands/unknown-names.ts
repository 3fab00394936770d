import type { Arguments } from "../terminal/arguments.ts";
import { redact } from "../config/secrets.ts";
import { suggest } from "../config/suggest.ts";

/**
 * A sentence for each name on the command line that nothing has. It is no error, since a script may name what is already
 * gone; but a typo lets nothing go and accepts nothing. Whatever is a key in one of the sources counts as a name: machines
 * and volumes are keys there, and so are the other words that a kind takes.
 */
export function unknownNames(
  { allowDestroy, accept }: Pick<Arguments, "allowDestroy" | "accept">,
  sources: readonly unknown[],
): string[] {
  if (allowDestroy.size + accept.size === 0) return [];
  const known = keysIn(sources);
  const complain = (option: string, names: ReadonlySet<string>) =>
    [...names]
      .filter((name) => !known.has(name))
      .map((name) => {
        const nearest = suggest(name, [...known]);
        const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
        // A key can be a secret that somebody pasted.
        return redact(`${option} ${name}: neither the config nor the lock has this name${hint}`);
      });
  return [...complain("--allow-destroy", allowDestroy), ...complain("--accept", accept)];
}

/** The keys of every map. What aliases share is looked at once. */
function keysIn(sources: readonly unknown[]): ReadonlySet<string> {
  const keys = new Set<string>();
  const seen = new Set<object>();
  const rest = [...sources];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    for (const [key, item] of Object.entries(value)) {
      if (!Array.isArray(value)) keys.add(key);
      rest.push(item);
    }
  }
  return keys;
}
