import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** The documented inputs and their defaults, a second time, so that a mistake cannot hide in what it is compared with. */
export interface Vm {
  readonly node: string;
  readonly template: string | number;
  readonly cores: number;
  readonly memory_mb: number;
  readonly disk_gb: number;
  readonly disk_pool: string;
  readonly network_bridge: string;
  readonly gpu_pci_bdf: string | null;
  readonly gpu_mapping: string | null;
  readonly gpu_pcie_mode: boolean;
  readonly gpu_rombar: boolean;
  readonly mac_address: string | null;
  readonly onboot: boolean;
}

const DEFAULTS: Omit<Vm, "node" | "template"> = {
  cores: 2,
  memory_mb: 4096,
  disk_gb: 40,
  disk_pool: "local-lvm",
  network_bridge: "vmbr0",
  gpu_pci_bdf: null,
  gpu_mapping: null,
  gpu_pcie_mode: true,
  gpu_rombar: true,
  mac_address: null,
  onboot: true,
};

/** The VMs of a config by name. */
export type Vms = Readonly<Record<string, Vm>>;

export function readVms(file: string): Vms {
  return parseVms(readFileSync(file, "utf8"));
}

export function parseVms(text: string): Vms {
  const { vms } = parse(text) as { vms: Record<string, object> };
  return Object.fromEntries(Object.entries(vms).map(([name, vm]) => [name, { ...DEFAULTS, ...vm } as Vm]));
}

/** A PCI address can be passed on by root@pam alone. */
export const needsRoot = (vms: Vms): boolean =>
  Object.values(vms).some(({ gpu_pci_bdf }) => gpu_pci_bdf !== null);
