/**
 * What the lock remembers of a Talos cluster: whatever must never shift, and whatever a provider would change
 * or destroy without a word. Names and units are those of the config.
 */
export interface Memory {
  readonly cluster: {
    readonly name: string;
    readonly env: string;
    /** The region in the handles of all CSI volumes. The first locks did not have it. */
    readonly proxmox_cluster?: string;
    /** Address of the Kubernetes API. The first locks did not have it. */
    readonly endpoint?: string;
    /** Talos release whose defaults the machine configuration has, as long as the config does not name another. */
    readonly talos_machine_config_version: string;
  };
  /** The control plane that was bootstrapped; also the endpoint where there is no VIP. */
  readonly bootstrap_node: string;
  /** What is downloaded to every Proxmox node, named as in `RememberedNode`. The first locks did not have it. */
  readonly images?: readonly string[];
  readonly nodes: Readonly<Record<string, RememberedNode>>;
  readonly volumes: Readonly<Record<string, RememberedVolume>>;
  /** `<node>/<volume>` → where the disk of that volume is on that node. */
  readonly disks: Readonly<Record<string, RememberedDisk>>;
  /** The disks that are gone, as in `disks`. The first locks had other keys instead. */
  readonly retired: { readonly disks?: Readonly<Record<string, RetiredDisk>> };
}

export interface RememberedNode {
  readonly vm_id: number;
  readonly host_node: string;
  readonly datastore: string;
  readonly disk_size: number;
  readonly machine_type: "controlplane" | "worker";
  readonly ip: string;
  /** What the main VM was made from: `<schematic id>-<version>-<platform>-<arch>`. */
  readonly image: string;
}

export interface RememberedVolume {
  readonly type: "directory" | "disk" | "proxmox-csi";
  readonly size_mib: number;
  /** Empty for a directory. */
  readonly datastore: string;
  /** `proxmox-csi` only, else empty: Proxmox node, whether all nodes see it (not in the first locks), format and the name of the disk. */
  readonly node: string;
  readonly shared?: boolean;
  readonly format: string;
  readonly disk: string;
  /** `disk` only, else empty: the serial that Talos selects the disk by. */
  readonly serial: string;
}

export interface RememberedDisk {
  readonly slot: number;
  readonly vm_id: number;
}

export interface RetiredDisk extends RememberedDisk {
  readonly host_node: string;
  readonly datastore: string;
  readonly size_mib: number;
}
