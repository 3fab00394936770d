import type { Vm } from "../../kinds/talos-vm/expected.ts";
import type { ProxmoxState, VmState, VolumeState } from "../proxmox-state.ts";

const gib = 1024 ** 3;

/** What an apply has to leave in Proxmox, from the config and the ids that the server chose. */
export function expectedProxmox(
  vms: Readonly<Record<string, Vm>>,
  ids: Readonly<Record<string, number>>,
): ProxmoxState {
  const all = Object.entries(vms).map(([name, vm]) => ({ name, vm, id: ids[name]! }));
  return {
    vms: Object.fromEntries(all.map(({ name, vm, id }) => [id, expectedVm(name, vm, id)])),
    volumes: Object.fromEntries(all.map(({ vm, id }) => expectedDisk(vm, id))),
    users: {},
    roles: {},
    acl: {},
  };
}

/** What the provider says of a disk without being asked. */
const options = "aio=io_uring,backup=1,cache=none,discard=ignore,iothread=0,replicate=1";

function expectedVm(name: string, vm: Vm, id: number): VmState {
  const hasGpu = vm.gpu_pci_bdf !== null || vm.gpu_mapping !== null;
  const device = vm.gpu_mapping === null ? `host=${vm.gpu_pci_bdf}` : `mapping=${vm.gpu_mapping}`;
  const [pcie, rombar] = [vm.gpu_pcie_mode, vm.gpu_rombar].map((flag) => (flag ? 1 : 0));
  return {
    node: vm.node,
    isRunning: true,
    config: {
      balloon: "0",
      numa: "0",
      sockets: "1",
      agent: "enabled=0,fstrim_cloned_disks=0,type=virtio",
      boot: "order=scsi0",
      cores: String(vm.cores),
      cpu: "x86-64-v2-AES",
      memory: String(vm.memory_mb),
      name,
      net0: `virtio=${vm.mac_address?.toUpperCase() ?? "*"},bridge=${vm.network_bridge},firewall=0`,
      onboot: vm.onboot ? "1" : "0",
      ostype: "l26",
      scsi0: `${vm.disk_pool}:vm-${id}-disk-0,${options},size=${vm.disk_gb}G,ssd=0`,
      scsihw: "virtio-scsi-single",
      smbios1: "",
      ...(hasGpu ? { hostpci0: `${device},pcie=${pcie},rombar=${rombar},x-vga=0` } : {}),
      ...(hasGpu && vm.gpu_pcie_mode ? { machine: "q35" } : {}),
    },
  };
}

function expectedDisk({ node, disk_gb, disk_pool }: Vm, id: number): readonly [string, VolumeState] {
  const state = { content: "images", format: "raw", owner: id, sizeBytes: disk_gb * gib };
  return [`${disk_pool}:vm-${id}-disk-0@${node}`, state];
}
