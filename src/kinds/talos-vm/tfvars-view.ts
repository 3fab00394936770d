import { hasGpu } from "./gpu.ts";
import type { Model } from "./model.ts";

/** Everything terraform.tfvars may say: the config with its defaults. Names are sorted already. */
export function tfvarsView({ source, config, vms }: Model): object {
  return {
    source,
    proxmox: config.proxmox,
    vms: vms.map((vm) => ({
      name: vm.name,
      cores: vm.cores,
      diskGib: vm.disk_gb,
      diskPool: vm.disk_pool,
      hasGpu: hasGpu(vm),
      gpuMapping: vm.gpu_mapping,
      gpuPciBdf: vm.gpu_pci_bdf,
      gpuPcieMode: vm.gpu_pcie_mode,
      gpuRombar: vm.gpu_rombar,
      macAddress: vm.mac_address,
      memoryMib: vm.memory_mb,
      networkBridge: vm.network_bridge,
      node: vm.node,
      onboot: vm.onboot,
      template: vm.template,
    })),
  };
}
