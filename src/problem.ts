/** Keys from the top of the config down to one value. */
export type Path = readonly (string | number)[];

export type Severity = "error" | "warning";

/** What a rule has to say about one place of the config, before the place is known as a line. */
export interface Finding {
  readonly severity: Severity;
  /** Stable id of the rule, such as `unique-ip`. */
  readonly rule: string;
  readonly path: Path;
  /** Whether to point at the value or at the key itself (an unknown key, a bad name). */
  readonly at: "value" | "key";
  /** What is wrong, without the path. One sentence, no full stop. */
  readonly message: string;
  /** What to write instead, where that is known; as a function of the value's own source text, if it needs that. */
  readonly hint?: string | ((source: string) => string | undefined);
  /** Another place that the message ends with; its line is put behind it. */
  readonly other?: Path;
  /** A place inside a text value, counted from one, for text that has lines of its own. */
  readonly offset?: { readonly line: number; readonly column: number };
}

/** A finding with its place in the file. Lines and columns count from one; the end is exclusive. */
export interface Problem extends Finding {
  readonly hint?: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** An error: the config cannot work like this. */
export function error(rule: string, path: Path, message: string, hint?: Finding["hint"]): Finding {
  return { severity: "error", rule, path, at: "value", message, ...(hint === undefined ? {} : { hint }) };
}

/** A warning: it works, but is unsupported, unusual or unsafe. */
export function warning(rule: string, path: Path, message: string, hint?: Finding["hint"]): Finding {
  return { ...error(rule, path, message, hint), severity: "warning" };
}

/** The same finding, pointing at the key instead of the value. */
export function atKey(finding: Finding): Finding {
  return { ...finding, at: "key" };
}

/** A path in the user's spelling: `nodes.worker1.dns[0]`; keys that are no plain words are quoted. */
export function spell(path: Path): string {
  return path
    .map((step, index) => {
      if (typeof step === "number") return `[${step}]`;
      const word = /^[A-Za-z0-9_-]+$/.test(step) ? step : JSON.stringify(step);
      return index === 0 ? word : `.${word}`;
    })
    .join("");
}

/** A value as messages quote it, clipped where it is long. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 80 ? text : `${text.slice(0, 76)}…"`;
}

/** Words as a sentence lists them: `a, b or c`. */
export function list(words: readonly string[], conjunction: "and" | "or"): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} ${conjunction} ${words.at(-1)}`;
}
