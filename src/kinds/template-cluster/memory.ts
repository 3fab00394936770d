import type { Role } from "./role.ts";

/**
 * What the lock remembers of a cluster: whatever must never shift, and whatever may not change under machines that
 * exist. Names and units are those of the config.
 */
export interface Memory {
  readonly cluster: {
    readonly name: string;
    readonly dhcp: boolean;
    /** Empty with DHCP. */
    readonly cidr: string;
    readonly vm_datastore: string;
    readonly cloud_init_datastore: string;
    /** Kubernetes release, as long as the config does not name another. */
    readonly kubernetes_version: string;
    /** Talos release whose defaults the machine configuration has. */
    readonly talos_machine_config_version: string;
  };
  /** The control plane that was bootstrapped. */
  readonly bootstrap_node: string;
  readonly nodes: Readonly<Record<string, RememberedNode>>;
  /** Control planes whose protection was lifted at some time: their place in the state may be another. */
  readonly released: readonly string[];
  /** What the templates are made from: `<schematic id>-<version>-<platform>-<arch>`. */
  readonly image: string;
}

export interface RememberedNode {
  readonly role: Role;
  readonly host_node: string;
  readonly vm_id: number;
  /** Empty with DHCP. */
  readonly ip: string;
  readonly mac_address: string;
}
