/** What the lock remembers of the VMs: whatever must not change under a VM that exists. Names are those of the config. */
export interface Memory {
  readonly vms: Readonly<Record<string, RememberedVm>>;
}

export interface RememberedVm {
  readonly node: string;
  readonly disk_pool: string;
  readonly disk_gb: number;
  /** Name or VMID. */
  readonly template: string;
}
