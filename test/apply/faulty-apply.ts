import * as assert from "uvu/assert";
import type { Site } from "./site.ts";

/** A call that is answered with an error. */
export interface FailingCall {
  readonly occurrence: number;
  readonly matching: RegExp;
}

/** What is done between two applies. */
export interface Care {
  /** After every apply that failed. */
  readonly look?: () => void;
  /** About an apply that failed with these words, though no call was made to fail; false if nothing can be. */
  readonly remedy?: (words: string) => Promise<boolean>;
}

/** Applies with these calls failing, again and again until nothing fails. Each has to be made, and only they may fail. */
export async function applyThrough(
  site: Site,
  calls: readonly FailingCall[],
  { look, remedy }: Care = {},
): Promise<void> {
  const { proxmox } = site;
  for (const { occurrence, matching } of calls) proxmox.failCall(occurrence, { counts: "all", matching });
  for (;;) {
    const mark = proxmox.mark();
    const { exitCode, stderr } = await site.tryTofu("apply");
    if (exitCode === 0) break;
    const hasMet = proxmox.since(mark).some(({ isInjected }) => isInjected);
    look?.();
    if (!hasMet && !(await remedy?.(stderr))) throw new Error(`failed by itself:\n${stderr}\n${site.log()}`);
  }
  assert.equal(proxmox.pendingFaults, [], "not made");
}
