import type { Complete } from "../../config/defaults.ts";
import type { TalosCluster } from "./config.ts";
import type { Memory } from "./memory.ts";

/** A schematic file as it is now. */
export interface Schematic {
  readonly id: string;
  readonly sha256: string;
}

/** A config that is complete: every default filled in, everything allocated. Nothing is decided after this. */
export interface Model {
  /** Name of the config, as headers mention it. */
  readonly source: string;
  readonly isExample: boolean;
  readonly config: Complete<TalosCluster>;
  /** By path. */
  readonly schematics: Readonly<Record<string, Schematic>>;
  /** Text of the schematic to write once, or null if the user has one. */
  readonly newSchematic: string | null;
  /** What the lock will hold, allocations included. */
  readonly memory: Memory;
}
