import type { Complete } from "../../config/defaults.ts";
import type { TemplateCluster } from "./config.ts";
import type { Distribution } from "./distribution.ts";
import type { Memory } from "./memory.ts";

/** A config that is complete: every default filled in, everything allocated. Nothing is decided after this. */
export interface Model {
  /** Name of the config, as headers mention it. */
  readonly source: string;
  readonly isExample: boolean;
  /** Keys without a default in the schema may still be missing. */
  readonly config: Complete<TemplateCluster>;
  readonly distribution: Distribution;
  readonly templateNode: string;
  readonly imageNode: string;
  readonly cloudInitDatastore: string;
  /** Null where an endpoint override or DHCP takes its place. */
  readonly endpointOverride: string | null;
  readonly vipIp: string | null;
  readonly cidr: string | null;
  readonly gateway: string | null;
  readonly interface: string | null;
  /** As given; null where the default is remembered. */
  readonly kubernetesVersion: string | null;
  readonly schematicId: string;
  /** Control planes whose protection is lifted by this run: those that stay, and all. */
  readonly lifted: readonly string[];
  readonly moves: readonly { readonly name: string; readonly isReleased: boolean }[];
  /** What the lock will hold, allocations included. */
  readonly memory: Memory;
}
