import type { Arguments } from "../terminal/arguments.ts";
import type { Kind } from "../kind.ts";
import type { OutputDocument } from "../terminal/output.ts";

/** All that a command may know beside its arguments. */
export interface Environment {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: { readonly stdout: boolean; readonly stderr: boolean };
  /** The first one is the default. */
  readonly kinds: readonly [Kind, ...Kind[]];
  /** Does work that should not stop half way. */
  readonly uninterrupted: (work: () => Promise<void>) => Promise<void>;
}

/** What a command has to say: as text, and as the document of `--json`. */
export interface Result {
  readonly exitCode: 0 | 1 | 2;
  readonly stdout: string;
  readonly stderr: string;
  readonly document: OutputDocument;
}

export type Run = (args: Arguments, environment: Environment) => Promise<Result>;

/** Paragraphs as text; what is empty is left out. */
export function lines(...parts: readonly (string | readonly string[])[]): string {
  return parts
    .flat()
    .filter((part) => part !== "")
    .map((part) => (part.endsWith("\n") ? part : `${part}\n`))
    .join("");
}
