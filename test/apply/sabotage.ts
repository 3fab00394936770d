import * as assert from "uvu/assert";
import type { Site } from "./site.ts";

/** A tree broken on purpose: a proof that cannot fail proves nothing. */
export interface Sabotage<World extends Site, Step extends string> {
  readonly title: string;
  readonly hurt: (world: World) => void;
  /** The steps that must notice, and what they must speak of. */
  readonly caught: Partial<Record<Step, RegExp>>;
}

/**
 * Takes the steps to the end whatever fails; gives the failures. After a failed apply there is no more. Of the others, only
 * some are taken if they are named.
 */
export async function failuresOf<Step extends string>(
  steps: Readonly<Record<Step, () => unknown>>,
  chosen: readonly string[] = [],
): Promise<Partial<Record<Step, string>>> {
  const failures: Partial<Record<Step, string>> = {};
  for (const [step, work] of Object.entries(steps) as [Step, () => unknown][]) {
    if (chosen.length > 0 && step !== "apply" && !chosen.includes(step)) continue;
    try {
      await work();
    } catch (error) {
      failures[step] = essence(error as Error & { details?: string });
      if (step === "apply") break;
    }
  }
  return failures;
}

/** The steps that must notice have noticed. Where nothing is to be noticed, nothing was. */
export function expectCaught<Step extends string>(
  failures: Partial<Record<Step, string>>,
  caught: Partial<Record<Step, RegExp>>,
): void {
  const wanted = Object.entries(caught) as [Step, RegExp][];
  if (wanted.length === 0) assert.equal(failures, {});
  for (const [step, words] of wanted) {
    const said = failures[step] ?? "has not noticed";
    assert.match(said, words, `${step}: ${said}`);
  }
}

/** What differs, or what tofu complains of: neither what is as it should be nor what went before. */
function essence({ message, details = "" }: Error & { readonly details?: string }): string {
  const differences = details.split("\n").filter((line) => /^\W*(?:--|\+\+)/.test(line));
  return differences.length > 0
    ? [message, ...differences].join("\n")
    : message.replace(/^.*?(?=\nError: )/s, "").replace(/\nLast requests to .*/s, "");
}

/** Breaks a file of a tree; fails if there was nothing to break. */
export function edit(site: Site, path: string, change: (text: string) => string): void {
  const text = site.read(path);
  const broken = change(text);
  assert.is.not(broken, text, `${path} is as it was`);
  site.write(path, broken);
}
