import { loadDocument, type Document } from "../config/document.ts";
import type { Kind, Surroundings } from "../kind.ts";
import type { Finding, Problem } from "../problem.ts";
import { inFileOrder } from "../terminal/report.ts";
import { wrongWord } from "../config/schema-messages.ts";
import { validateConfig } from "../config/validate.ts";
import type { Input } from "./input.ts";

/** A config with everything there is to say about it. */
export interface Loaded {
  readonly input: Input;
  readonly kind: Kind;
  /** In file order. */
  readonly problems: readonly Problem[];
  /** Where the lines come from that are shown with a problem: no document where it is not even YAML. */
  readonly shown: Document | string;
  /** Only where nothing is wrong with it. */
  readonly config: unknown;
}

type Kinds = readonly [Kind, ...Kind[]];

/** Loads, validates and checks. `admit` is asked about the kind as soon as it is known. */
export function loadConfig(
  input: Input,
  kinds: Kinds,
  surroundings: Surroundings,
  admit?: (kind: Kind) => void,
): Loaded {
  return readInput(input, kinds, admit)(surroundings);
}

/** Loads and validates, and leaves the rules, which may be asked again in other surroundings. */
export function readInput(
  input: Input,
  kinds: Kinds,
  admit: (kind: Kind) => void = () => {},
): (surroundings: Surroundings) => Loaded {
  const loaded = loadDocument(input.file, input.bytes);
  if ("problems" in loaded) {
    const shown = Buffer.from(input.bytes).toString();
    return () => ({ input, kind: kinds[0], problems: loaded.problems, shown, config: undefined });
  }
  const { document } = loaded;
  const kind = kindOf(document.data, kinds);
  if ("rule" in kind) {
    const problems = [document.locate(kind)];
    return () => ({ input, kind: kinds[0], problems, shown: document, config: undefined });
  }
  admit(kind);
  const { findings, sound } = validateConfig(document.data, kind);
  return (surroundings) => {
    const all = [...findings, ...kind.check(sound as never, surroundings)];
    const problems = inFileOrder(all.map((finding) => document.locate(finding)));
    return { input, kind, problems, shown: document, config: hasErrors(problems) ? undefined : sound };
  };
}

export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some(({ severity }) => severity === "error");
}

/** The kind that the config names, or the default one. Where nobody knows the name, nothing else can be said. */
function kindOf(data: unknown, kinds: Kinds): Kind | Finding {
  if (typeof data !== "object" || data === null || !Object.hasOwn(data, "kind")) return kinds[0];
  const { kind: name } = data as { readonly kind: unknown };
  const names = kinds.map((kind) => kind.name);
  return kinds.find((kind) => kind.name === name) ?? wrongWord(["kind"], name, names, kinds[0]);
}
