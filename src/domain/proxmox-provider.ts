import type { Say } from "../rule.ts";
import { compare } from "./version.ts";

/** Every resource has the name that the trees use since then. */
const OLDEST = "0.109.0";

export function refuseOldProxmox(version: string | undefined, say: Say): void {
  if (version === undefined || compare(version, OLDEST) >= 0) return;
  say.error(["providers", "proxmox"], `the tree needs ${OLDEST} or newer, not ${version}`);
}
