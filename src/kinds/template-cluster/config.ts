// Generated from schema/template-cluster.schema.json by npm run generate. DO NOT EDIT.

/**
 * Version with its `v`.
 */
export type Version = string;
/**
 * IPv4 address.
 */
export type Ipv4 = string;
/**
 * Exact version of a provider, without `v`.
 */
export type ProviderVersion = string;
/**
 * Name of a Proxmox datastore.
 */
export type DatastoreName = string;
/**
 * Name of a Proxmox node.
 */
export type HostName = string;

/**
 * A Talos Linux Kubernetes cluster on Proxmox VE whose machines are cloned from two templates, as read by gen-talos-module.
 */
export interface TemplateCluster {
  /**
   * Which system this file describes.
   */
  kind: "template-cluster";
  cluster_config: ClusterConfig;
  network_config?: NetworkConfig;
  node_config?: NodeConfig;
  /**
   * How many machines each Proxmox node hosts, by its name. Without it, all are on `template_config.template_node`.
   */
  node_distribution?: {
    [k: string]: HostShare;
  };
  providers?: Providers;
  proxmox_config: ProxmoxConfig;
  resource_config?: ResourceConfig;
  tagging_config?: TaggingConfig;
  template_config?: TemplateConfig;
  vm_id_ranges?: VmIdRanges;
}
/**
 * The Kubernetes cluster: name, versions, endpoint, image, and what is installed when it starts.
 */
export interface ClusterConfig {
  /**
   * Processor architecture of the machines.
   */
  arch?: "amd64" | "arm64";
  ccm?: Ccm;
  config_patches?: ConfigPatches;
  /**
   * Address of the Kubernetes API where something else than the VIP leads to the control planes, such as a load balancer. Needed when `vip_enabled` is false.
   */
  endpoint_override?: string;
  /**
   * System extensions of the image. `siderolabs/qemu-guest-agent` has to be among them.
   *
   * @minItems 1
   * @maxItems 64
   */
  extensions?: [string, ...string[]];
  /**
   * Image Factory to take images from, for those who run their own.
   */
  factory_url?: string;
  flux?: Flux;
  /**
   * Kubernetes release that the machines run. Without it, the default of the Talos release that the cluster was created with.
   */
  kubernetes_version?: Version;
  /**
   * Name of the cluster: context in talosconfig, start of each machine's name, region of the cloud controller manager, and part of the tag that marks the VMs. Cannot be changed later.
   */
  name?: string;
  /**
   * Talos platform of the image. Only `nocloud` reads the addresses that Proxmox hands over.
   */
  platform?: string;
  prometheus_operator_crds?: PrometheusOperatorCrds;
  /**
   * Talos release that the templates are made from. Another one replaces the templates; machines follow one at a time.
   */
  talos_version: Version;
  /**
   * Whether the control planes share an address. If not, `endpoint_override` is needed.
   */
  vip_enabled?: boolean;
  /**
   * Address that the control planes share; becomes the cluster's endpoint. Needed when `vip_enabled` is true.
   */
  vip_ip?: Ipv4;
}
/**
 * Proxmox Cloud Controller Manager: gives nodes their region, zone and provider id, and removes Node objects of VMs that are gone.
 */
export interface Ccm {
  /**
   * Whether the controller is installed. Without it there is no role, user or token for it, and kubelets run without an external cloud provider.
   */
  enabled?: boolean;
  /**
   * Release to take the manifest of. 0.13 needs the privileges of Proxmox VE 9.
   */
  version?: Version;
}
/**
 * Patches of the machine configuration. They come after everything that is generated, first those for all machines, and win.
 */
export interface ConfigPatches {
  /**
   * Patches for every machine, each the YAML text of one strategic merge patch.
   */
  all?: string[];
  /**
   * Patches for control planes, each the YAML text of one strategic merge patch.
   */
  controlplane?: string[];
  /**
   * Patches for workers, each the YAML text of one strategic merge patch.
   */
  worker?: string[];
}
/**
 * Flux, for GitOps.
 */
export interface Flux {
  /**
   * Whether Flux is there when the cluster starts. Switching it off later removes nothing.
   */
  enabled?: boolean;
  /**
   * Release to take the manifest of. Another one is installed in a cluster that does not have it yet; an existing one is upgraded by hand.
   */
  version?: Version;
}
/**
 * CRDs of the Prometheus operator, so that ServiceMonitors and PodMonitors can be created before it is installed.
 */
export interface PrometheusOperatorCrds {
  /**
   * Whether the set of CRDs is there when the cluster starts. Switching it off later removes nothing.
   */
  enabled?: boolean;
  /**
   * Release to take the manifest of. Another one is installed in a cluster that does not have it yet; an existing one is upgraded by hand.
   */
  version?: Version;
}
/**
 * Network of the machines.
 */
export interface NetworkConfig {
  /**
   * Network bridge of the Proxmox node.
   */
  bridge?: string;
  /**
   * Subnet that the machines get their addresses from. Needed without `dhcp`. Cannot be changed once they exist.
   */
  cidr?: string;
  /**
   * Takes addresses from a DHCP server instead of `cidr`; they are learned from the guest agent. Cannot be changed once machines exist.
   */
  dhcp?: boolean;
  /**
   * Name servers of the machines.
   *
   * @minItems 1
   * @maxItems 3
   */
  dns_servers?: [Ipv4] | [Ipv4, Ipv4] | [Ipv4, Ipv4, Ipv4];
  /**
   * Default gateway, inside of `cidr`. Needed without `dhcp`.
   */
  gateway?: Ipv4;
  /**
   * Name of the network interface in Talos. Without it, the one virtio card is taken, whatever the kernel calls it.
   */
  interface?: string;
  /**
   * VLAN of the network card; 0 is untagged.
   */
  vlan_id?: number;
}
/**
 * Number of machines, and where their addresses start.
 */
export interface NodeConfig {
  /**
   * Control planes, an odd number. Without it, the sum in `node_distribution`, else 3.
   */
  controlplane_count?: number;
  /**
   * Host number in the subnet of the first control plane's address.
   */
  controlplane_ip_start?: number;
  /**
   * Workers. Without it, the sum in `node_distribution`, else 3. With none, control planes take ordinary workloads.
   */
  worker_count?: number;
  /**
   * Host number in the subnet of the first worker's address.
   */
  worker_ip_start?: number;
}
/**
 * What one Proxmox node hosts.
 */
export interface HostShare {
  /**
   * Control planes on this Proxmox node.
   */
  controlplane_count?: number;
  /**
   * Workers on this Proxmox node.
   */
  worker_count?: number;
}
/**
 * Versions of the providers, where the tested ones are not wanted.
 */
export interface Providers {
  /**
   * bpg/proxmox. At least 0.109.0.
   */
  proxmox?: ProviderVersion;
  /**
   * siderolabs/talos. Decides which Talos releases are known: 0.11 knows up to 1.13.
   */
  talos?: ProviderVersion;
}
/**
 * Connection to Proxmox, datastores, and the account of the cloud controller manager. The API token is not part of the config: pass it as `TF_VAR_proxmox_api_token`.
 */
export interface ProxmoxConfig {
  /**
   * Role in Proxmox for the cloud controller manager. Clusters that share one Proxmox need different ones.
   */
  ccm_role?: string;
  /**
   * User in Proxmox for the cloud controller manager. Clusters that share one Proxmox need different ones.
   */
  ccm_user?: string;
  /**
   * Datastore for the cloud-init drives, which hand the addresses over. Without it, `vm_datastore`.
   */
  cloud_init_datastore?: DatastoreName;
  /**
   * Address of the Proxmox API, with its port and without a path.
   */
  endpoint: string;
  /**
   * Proxmox node that downloads the image. Without it, the node of the templates. Another one needs an `iso_datastore` that both see.
   */
  image_download_node?: HostName;
  /**
   * Accepts any TLS certificate of the API. Only for a Proxmox with its own certificate on a network that you trust.
   */
  insecure?: boolean;
  /**
   * Datastore for the image. Needs the content type `import`.
   */
  iso_datastore?: DatastoreName;
  /**
   * Datastore for the disks of the two templates.
   */
  template_datastore?: DatastoreName;
  /**
   * Datastore for the disks of the machines. Cannot be changed once they exist.
   */
  vm_datastore?: DatastoreName;
}
/**
 * Processor, memory and disk of the machines by role.
 */
export interface ResourceConfig {
  controlplane?: ControlplaneResources;
  /**
   * Proxmox CPU type. Talos needs x86-64-v2 at least.
   */
  cpu_type?: string;
  worker?: WorkerResources;
}
/**
 * Size of a control plane, and of the template that it is cloned from.
 */
export interface ControlplaneResources {
  /**
   * Processor cores. A change takes effect at the next restart.
   */
  cpu_cores?: number;
  /**
   * Size of the disk, in GiB, for templates and machines that are cloned from now on. Machines that exist keep theirs.
   */
  disk_size?: number;
  /**
   * Memory, in MiB. A change takes effect at the next restart.
   */
  memory?: number;
}
/**
 * Size of a worker, and of the template that it is cloned from.
 */
export interface WorkerResources {
  /**
   * Processor cores. A change takes effect at the next restart.
   */
  cpu_cores?: number;
  /**
   * Size of the disk, in GiB, for templates and machines that are cloned from now on. Machines that exist keep theirs.
   */
  disk_size?: number;
  /**
   * Memory, in MiB. A change takes effect at the next restart.
   */
  memory?: number;
}
/**
 * Tags of the templates and machines in Proxmox, beside their role and the tag that marks the cluster.
 */
export interface TaggingConfig {
  /**
   * Tags of all VMs.
   *
   * @maxItems 32
   */
  common_tags?: string[];
  /**
   * More tags, so that the common ones need not be repeated.
   *
   * @maxItems 32
   */
  extra_tags?: string[];
}
/**
 * The two templates that machines are cloned from.
 */
export interface TemplateConfig {
  /**
   * Id of the control planes' template.
   */
  controlplane_template_id?: number;
  /**
   * Proxmox node of both templates. Without it, the first host of `node_distribution`; needed if there is none.
   */
  template_node?: HostName;
  /**
   * Id of the workers' template.
   */
  worker_template_id?: number;
}
/**
 * Ids that machines are given, the lowest free one first. An id that was given stays.
 */
export interface VmIdRanges {
  /**
   * Ids of the control planes.
   */
  controlplane?: VmIdRange;
  /**
   * Ids of the workers.
   */
  worker?: VmIdRange;
}
/**
 * Ids for the VMs of one role, first and last.
 */
export interface VmIdRange {
  /**
   * The last id that may be given.
   */
  max: number;
  /**
   * The first id that is given.
   */
  min: number;
}
