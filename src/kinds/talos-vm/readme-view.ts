import { hasGpu, needsRoot } from "./gpu.ts";
import type { CompleteVm, Model } from "./model.ts";

/** What the token of the tree must be allowed to do; a GPU by its mapping needs one more. */
const PRIVILEGES = [
  "Datastore.AllocateSpace",
  "Datastore.Audit",
  "Pool.Audit",
  "SDN.Use",
  "Sys.Audit",
  "VM.Allocate",
  "VM.Audit",
  "VM.Clone",
  "VM.Config.CPU",
  "VM.Config.Disk",
  "VM.Config.HWType",
  "VM.Config.Memory",
  "VM.Config.Network",
  "VM.Config.Options",
  "VM.Migrate",
  "VM.PowerMgmt",
];

/** Everything README.md may say. */
export function readmeView({ source, isExample, vms }: Model): object {
  const hasMapping = vms.some(({ gpu_mapping }) => gpu_mapping !== null);
  return {
    source,
    isExample,
    vmPhrase: vms.length === 1 ? "one Talos VM" : `${vms.length} Talos VMs`,
    templateList: [...new Set(vms.map(({ template }) => template))].sort().join(", "),
    privileges: (hasMapping ? ["Mapping.Use", ...PRIVILEGES].sort() : PRIVILEGES).join(" "),
    hasGpu: vms.some(hasGpu),
    needsRoot: vms.some(needsRoot),
    rootList: vms
      .filter(needsRoot)
      .map(({ name }) => name)
      .join(", "),
    vms: vms.map((vm) => ({
      name: vm.name,
      node: vm.node,
      template: vm.template,
      cores: vm.cores,
      memoryMib: vm.memory_mb,
      diskGib: vm.disk_gb,
      diskPool: vm.disk_pool,
      gpu: gpuOf(vm),
    })),
  };
}

function gpuOf({ gpu_mapping, gpu_pci_bdf }: CompleteVm): string {
  if (gpu_pci_bdf !== null) return gpu_pci_bdf;
  return gpu_mapping === null ? "–" : `mapping ${gpu_mapping}`;
}
