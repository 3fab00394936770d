import type { Test } from "uvu";
import { Assertion } from "uvu/assert";
import type { Site } from "./site.ts";

/** Tests in a world. One that finds something else than it expects shows the requests that led there. */
export function telling(test: Test, world: () => Site | undefined) {
  return (title: string, work: () => Promise<void> | void): void =>
    test(title, async () => {
      try {
        await work();
      } catch (error) {
        // What ran and failed has said so itself.
        if (error instanceof Assertion) console.error(`${title}\n${world()?.log() ?? ""}`);
        throw error;
      }
    });
}
