// Generated from schema/talos-cluster.schema.json by npm run generate. DO NOT EDIT.

/**
 * IPv4 address.
 */
export type Ipv4 = string;
/**
 * Version with its `v`.
 */
export type Version = string;
/**
 * Name of the Proxmox cluster.
 */
export type Region = string;
/**
 * Name of a Proxmox datastore.
 */
export type DatastoreName = string;
/**
 * Name of a Proxmox node.
 */
export type HostName = string;
/**
 * Exact version of a provider, without `v`.
 */
export type ProviderVersion = string;

/**
 * A Talos Linux Kubernetes cluster on Proxmox VE, as read by gen-talos-module.
 */
export interface TalosCluster {
  /**
   * Which system this file describes. May be left out for a Talos cluster.
   */
  kind?: "talos-cluster";
  cilium_config?: CiliumConfig;
  cluster: Cluster;
  /**
   * What the Proxmox datastores are that `proxmox-csi` volumes live on, by datastore name. The name of a volume's file and its place in the topology depend on it. A datastore that is not listed is a local block datastore.
   */
  datastores?: {
    [k: string]: Datastore;
  };
  /**
   * Environment. Prefixes the names of the CSI role, user, volumes and of the image file, so that several clusters can share one Proxmox cluster. Cannot be changed later.
   */
  env?: string;
  image: Image;
  /**
   * The Talos machines, by name. The name becomes the VM's name in Proxmox and the host name in Talos; the part before the first dot is the node's name in Kubernetes.
   */
  nodes: {
    [k: string]: Node;
  };
  providers?: Providers;
  proxmox: Proxmox;
  sealed_secrets_config?: SealedSecretsConfig;
  /**
   * Additional storage, by volume name. A `directory` or `disk` volume is mounted at `/var/mnt/<name>` on every machine of its `machine_type`; a `proxmox-csi` volume becomes a PersistentVolume of the same name.
   */
  volumes?: {
    [k: string]: Volume;
  };
}
/**
 * Files for the installation of Cilium. Without them, defaults are written into `talos/inline-manifests/`.
 */
export interface CiliumConfig {
  /**
   * Manifest that installs Cilium when the cluster starts, relative to the generated tree.
   */
  bootstrap_manifest_path?: string;
  /**
   * Helm values that Cilium is installed with, relative to the generated tree.
   */
  values_file_path?: string;
}
/**
 * The Kubernetes cluster: versions, network, and patches of the machine configuration.
 */
export interface Cluster {
  /**
   * Lets ordinary workloads run on control planes. Needed for a cluster without workers.
   */
  allow_scheduling_on_controlplane?: boolean;
  /**
   * YAML of Talos' `cluster.apiServer`, merged over what is generated.
   */
  api_server?: string | null;
  /**
   * Addresses of manifests that Talos applies when the cluster starts, after those of the Gateway API.
   */
  extra_manifests?: string[];
  /**
   * Default gateway of the machines, in the same subnet as they are.
   */
  gateway: Ipv4;
  /**
   * Release of the Gateway API whose standard CRDs are installed.
   */
  gateway_api_version: Version;
  /**
   * YAML of Talos' `machine.kubelet`, merged over what is generated.
   */
  kubelet?: string | null;
  /**
   * Kubernetes release that the machines run, independent of the one that Talos brings.
   */
  kubernetes_version: Version;
  /**
   * YAML of Talos' `machine.features`, merged over what is generated.
   */
  machine_features?: string | null;
  /**
   * Name of the Talos cluster, seen in talosconfig and kubeconfig. Part of the tag that marks this cluster's VMs in Proxmox, so it cannot be changed later.
   */
  name: string;
  /**
   * Starts all VMs when their Proxmox node boots.
   */
  on_boot?: boolean;
  /**
   * Name of the Proxmox cluster: region in the topology labels, in the CSI secret and in volume handles.
   */
  proxmox_cluster: Region;
  /**
   * Length of the subnet's prefix, in bits, as text.
   */
  subnet_mask?: string;
  /**
   * Talos release whose defaults the machine configuration is generated with. Keep it at the release that the cluster was created with. Without it, `image.version` is used.
   */
  talos_machine_config_version?: Version | null;
  /**
   * Address that the control planes share; becomes the cluster's endpoint. Without it, the endpoint is the control plane that was bootstrapped.
   */
  vip?: Ipv4 | null;
}
/**
 * One Proxmox datastore.
 */
export interface Datastore {
  /**
   * `block` for LVM, LVM-thin, ZFS and RBD; `file` for directories, NFS, CIFS, CephFS and btrfs, whose volumes are files.
   */
  kind?: "block" | "file";
  /**
   * All Proxmox nodes see the same content, so a volume on it is not tied to one node.
   */
  shared?: boolean;
}
/**
 * The Talos image that the VMs start from.
 */
export interface Image {
  /**
   * Processor architecture of the machines.
   */
  arch?: "amd64" | "arm64";
  /**
   * Datastore for the image, on every Proxmox node that hosts a machine. Not a shared one. Needs the content type `import`.
   */
  datastore?: DatastoreName;
  /**
   * Image Factory to take images from, for those who run their own.
   */
  factory_url?: string;
  /**
   * Talos platform of the image. Only `nocloud` reads the addresses that Proxmox hands over.
   */
  platform?: string;
  /**
   * Schematic (system extensions, kernel arguments) of the image, relative to the generated tree. Without it, a schematic with the guest agent is written once to the default path and is yours from then on.
   */
  schematic_path?: string;
  /**
   * Schematic for machines with `update: true`, relative to the generated tree.
   */
  update_schematic_path?: string | null;
  /**
   * Talos release for machines with `update: true`.
   */
  update_version?: Version | null;
  /**
   * Talos release that the machines run.
   */
  version: Version;
}
/**
 * One Talos machine: a main VM with the system, and a data VM, never started, that owns `/var`.
 */
export interface Node {
  /**
   * Network bridge of the Proxmox node.
   */
  bridge?: string;
  /**
   * Processor cores. Control planes need two at least. A change takes effect at the next restart.
   */
  cpu: number;
  /**
   * Proxmox CPU type. Talos needs x86-64-v2 at least.
   */
  cpu_type?: string;
  /**
   * Datastore for the machine's disks. Cannot be changed once the machine exists.
   */
  datastore?: DatastoreName;
  /**
   * Size of `/var` (EPHEMERAL), in GiB. Can grow, never shrink. The system disk is always 5 GiB.
   */
  disk_size?: number;
  /**
   * Name servers. Without them Talos' own defaults are used.
   *
   * @minItems 1
   * @maxItems 3
   */
  dns?: [Ipv4] | [Ipv4, Ipv4] | [Ipv4, Ipv4, Ipv4] | null;
  /**
   * Proxmox node that hosts the VMs; zone in the topology labels.
   */
  host_node: HostName;
  /**
   * Passes the Proxmox PCI mapping named `iGPU` through to the machine.
   */
  igpu?: boolean;
  /**
   * Address of the machine.
   */
  ip: Ipv4;
  /**
   * MAC address of the network card. Without it Proxmox chooses one.
   */
  mac_address?: string | null;
  /**
   * What the machine does in Kubernetes.
   */
  machine_type: "controlplane" | "worker";
  /**
   * Memory, in MiB. A change takes effect at the next restart.
   */
  ram_dedicated: number;
  /**
   * Rebuilds the main VM with `image.update_version` and `image.update_schematic_path`. `/var` and all volumes stay.
   */
  update?: boolean;
  /**
   * VLAN of the network card; 0 is untagged.
   */
  vlan_id?: number;
  /**
   * Id of the main VM, unique in the Proxmox cluster. The data VM gets the same id with a 0 behind it.
   */
  vm_id: number;
}
/**
 * Versions of the providers, where the tested ones are not wanted.
 */
export interface Providers {
  /**
   * hashicorp/kubernetes.
   */
  kubernetes?: ProviderVersion;
  /**
   * bpg/proxmox. At least 0.109.0.
   */
  proxmox?: ProviderVersion;
  /**
   * Mastercard/restapi. Version 3 loses changes and is refused.
   */
  restapi?: ProviderVersion;
  /**
   * siderolabs/talos. Decides which Talos releases are known: 0.11 knows up to 1.13.
   */
  talos?: ProviderVersion;
}
/**
 * Connection to the Proxmox cluster. The API token is not part of the config: pass it as `TF_VAR_proxmox_api_token`.
 */
export interface Proxmox {
  /**
   * Name of the Proxmox cluster, the same as `cluster.proxmox_cluster`.
   */
  cluster_name: Region;
  /**
   * Address of the Proxmox API, with its port and without a path.
   */
  endpoint: string;
  /**
   * Accepts any TLS certificate of the API. Only for a Proxmox with its own certificate on a network that you trust.
   */
  insecure: boolean;
  /**
   * User for the provider's SSH connection. The generated tree works through the API alone; this fills the provider's `ssh` block.
   */
  username: string;
}
/**
 * Key pair that Sealed Secrets starts with.
 */
export interface SealedSecretsConfig {
  /**
   * Certificate, relative to the generated tree.
   */
  certificate_path?: string;
  /**
   * Private key, relative to the generated tree. Never commit it.
   */
  key_path?: string;
}
/**
 * One volume. Which keys are needed depends on its `type`.
 */
export interface Volume {
  /**
   * Datastore for the volume. For `disk` and `proxmox-csi`. Cannot be changed once the volume exists.
   */
  datastore?: DatastoreName;
  /**
   * Format of the disk; `qcow2` only on a `file` datastore. For `proxmox-csi`.
   */
  format?: "raw" | "qcow2";
  /**
   * Which machines get the volume. For `directory` and `disk`.
   */
  machine_type?: "all" | "controlplane" | "worker";
  /**
   * Proxmox node that holds the volume. Needed for `proxmox-csi`.
   */
  node?: HostName;
  /**
   * `disk` and `directory`: GiB, as a number or with G, GB, Gi or GiB. `proxmox-csi`: a number with M, MB, Mi, MiB, G, GB, Gi or GiB; all binary.
   */
  size: string | number;
  /**
   * `directory`: a folder on `/var`, without a quota. `disk`: a disk of its own on each machine. `proxmox-csi`: one disk with a PersistentVolume. `partition` is not available yet.
   */
  type?: "directory" | "disk" | "partition" | "proxmox-csi";
  /**
   * Id in the name of the volume's disk, `vm-<vmid>-<name>`; no VM may have it. For `proxmox-csi`.
   */
  vmid?: number;
}
