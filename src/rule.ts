import type { Surroundings } from "./kind.ts";
import type { Finding, Path, Severity } from "./problem.ts";

/** All that a rule may look at. In both configs a value that failed the schema is undefined. */
export interface Context<Config, Memory> {
  /** As the user wrote it. */
  readonly given: Config;
  /** With every default filled in. */
  readonly config: Config;
  readonly memory: Memory | undefined;
  readonly surroundings: Surroundings;
}

/** What else there is to say beside the message. */
export type Extra = Partial<Pick<Finding, "at" | "hint" | "other" | "offset">>;

export interface Say {
  error(path: Path, message: string, extra?: Extra): void;
  warning(path: Path, message: string, extra?: Extra): void;
}

export interface Rule<Config, Memory> {
  readonly id: string;
  readonly check: (context: Context<Config, Memory>) => readonly Finding[];
}

/** A rule from its id and a function that says what it finds. */
export function createRule<Config, Memory>(
  id: string,
  check: (context: Context<Config, Memory>, say: Say) => void,
): Rule<Config, Memory> {
  return {
    id,
    check: (context) => {
      const findings: Finding[] = [];
      const say =
        (severity: Severity) =>
        (path: Path, message: string, extra: Extra = {}): void => {
          findings.push({ severity, rule: id, path, at: "value", message, ...extra });
        };
      check(context, { error: say("error"), warning: say("warning") });
      return findings;
    },
  };
}

/** Named entries, without those that failed the schema. */
export function entries<T>(map: Readonly<Record<string, T | undefined>> | undefined): [string, T][] {
  return Object.entries(map ?? {}).filter((entry): entry is [string, T] => entry[1] !== undefined);
}

/** An entry of what came out of a JSON file; never something inherited. */
export function entryOf<T>(map: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined;
}

/** Where to blame a key of a named entry: at its value, or at the entry where the value is a default. */
export function blame(given: object | undefined, entry: Path, key: string) {
  const isGiven = Object.hasOwn(given ?? {}, key);
  return {
    path: isGiven ? [...entry, key] : entry,
    at: isGiven ? ("value" as const) : ("key" as const),
    /** Begins the message where the path does not end in the key. */
    subject: isGiven ? "" : `${key} `,
  };
}
