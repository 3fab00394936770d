import type { Thoroughness } from "./golden.ts";

/** Which goldens are taken further than the others. */
export const thoroughness: Readonly<Record<string, Thoroughness>> = {
  minimal: { rehearsal: true },
  "every-volume-type": { return: true },
  "shared-and-file-datastores": { return: true },
};
