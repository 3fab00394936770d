interface Gpu {
  readonly gpu_mapping?: string | null | undefined;
  readonly gpu_pci_bdf?: string | null | undefined;
}

export function hasGpu(vm: Gpu): boolean {
  return typeof vm.gpu_mapping === "string" || needsRoot(vm);
}

/** Proxmox lets nobody but root@pam pass an address through; a mapping is anybody's who has the privilege. */
export function needsRoot({ gpu_pci_bdf }: Gpu): boolean {
  return typeof gpu_pci_bdf === "string";
}
