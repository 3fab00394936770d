// Generated from schema/talos-vm.schema.json by npm run generate. DO NOT EDIT.

/**
 * Exact version of a provider, without `v`.
 */
export type ProviderVersion = string;

/**
 * Talos Linux VMs on Proxmox VE, cloned from templates, as read by gen-talos-module.
 */
export interface TalosVm {
  /**
   * Which system this file describes: VMs cloned from a template.
   */
  kind: "talos-vm";
  providers?: Providers;
  proxmox: Proxmox;
  /**
   * The VMs, by name. The name is the VM's name in Proxmox; Talos has a host name of its own, from DHCP or from its machine configuration.
   */
  vms: {
    [k: string]: Vm;
  };
}
/**
 * Versions of the providers, where the tested ones are not wanted.
 */
export interface Providers {
  /**
   * bpg/proxmox. At least 0.109.0.
   */
  proxmox?: ProviderVersion;
}
/**
 * Connection to the Proxmox cluster. The API token is not part of the config: pass it as `TF_VAR_proxmox_api_token`. For a GPU by its address pass `TF_VAR_proxmox_username` and `TF_VAR_proxmox_password` of root@pam instead.
 */
export interface Proxmox {
  /**
   * Address of the Proxmox API, with its port and without a path.
   */
  endpoint: string;
  /**
   * Accepts any TLS certificate of the API. Only for a Proxmox with its own certificate on a network that you trust.
   */
  insecure?: boolean;
}
/**
 * One Talos machine, cloned from a template without cloud-init and without guest agent.
 */
export interface Vm {
  /**
   * Processor cores. Control planes need two at least. A change takes effect at the next restart.
   */
  cores?: number;
  /**
   * Size of the disk, in GiB. At least that of the template's disk. A VM that exists is grown by hand, and never shrinks.
   */
  disk_gb?: number;
  /**
   * Datastore for the disk. Cannot be changed once the VM exists.
   */
  disk_pool?: string;
  /**
   * PCI mapping of Proxmox (Datacenter, Resource Mappings) that is passed through to the VM. Works with an API token.
   */
  gpu_mapping?: string | null;
  /**
   * PCI address on the Proxmox node of the GPU that is passed through to the VM, as lspci shows it; without the function at its end, all functions of the device. Needs root@pam.
   */
  gpu_pci_bdf?: string | null;
  /**
   * Passes the GPU through as a PCI Express device, which makes the VM's machine type q35.
   */
  gpu_pcie_mode?: boolean;
  /**
   * Makes the GPU's firmware visible to the VM.
   */
  gpu_rombar?: boolean;
  /**
   * MAC address of the network card, so that a DHCP reservation outlives the VM. Without it Proxmox chooses one.
   */
  mac_address?: string | null;
  /**
   * Memory, in MiB. A change takes effect at the next restart.
   */
  memory_mb?: number;
  /**
   * Network bridge of the Proxmox node.
   */
  network_bridge?: string;
  /**
   * Proxmox node that hosts the VM. Cannot be changed once the VM exists.
   */
  node: string;
  /**
   * Starts the VM when Proxmox boots.
   */
  onboot?: boolean;
  /**
   * Template that the VM is cloned from: its VMID, or its exact, case-sensitive name. One on the VM's own Proxmox node is taken first. What a VM was cloned from cannot be changed.
   */
  template: string | number;
}
