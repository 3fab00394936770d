import { privileges } from "../access-control.ts";
import { ProxmoxSimulator } from "../simulator.ts";
import { mib } from "../sizes.ts";

/**
 * Two nodes. VM 100 is stopped and VM 101 runs, each with a disk on ZFS; 101 also has the disk of VM 1000, which
 * never runs. VM 900 is a template on shared storage. The image is on pve1 only.
 */
export async function startFixture(): Promise<ProxmoxSimulator> {
  const simulator = await ProxmoxSimulator.start({
    nodes: { pve1: { bridges: ["vmbr0", "vmbr1"] }, pve2: {} },
    storages: [
      { id: "local", type: "dir", content: ["iso", "vztmpl", "import"], isShared: false },
      { id: "local-zfs", type: "zfspool", content: ["images", "rootdir"], isShared: false },
      { id: "local-lvm", type: "lvmthin", content: ["images", "rootdir"], isShared: false },
      { id: "files", type: "dir", content: ["images"], isShared: false },
      { id: "nas", type: "nfs", content: ["images", "import"], isShared: true },
      { id: "solo", type: "zfspool", content: ["images"], isShared: false, nodes: ["pve1"] },
    ],
    resolve: (url) =>
      url.startsWith("https://factory.test/image/known/")
        ? { size: 1000, virtualSize: 4247 * mib }
        : undefined,
    pciMappings: { iGPU: ["id=8086:46a6,node=pve1,path=0000:00:02.0"] },
  });
  simulator.addForeignVm({
    vmid: 100,
    node: "pve1",
    name: "stopped",
    disks: { scsi0: { storage: "local-zfs", sizeGib: 10 } },
  });
  simulator.addForeignVm({
    vmid: 1000,
    node: "pve1",
    name: "data",
    disks: { virtio0: { storage: "local-zfs", sizeGib: 20 } },
  });
  const running = simulator.addForeignVm({
    vmid: 101,
    node: "pve1",
    name: "running",
    isRunning: true,
    disks: { scsi0: { storage: "local-zfs", sizeGib: 10 } },
  });
  running.config.set("boot", "order=scsi0").set("virtio1", "local-zfs:vm-1000-disk-0,size=20G");
  const template = simulator.addForeignVm({
    vmid: 900,
    node: "pve1",
    name: "template",
    disks: { virtio0: { storage: "nas", sizeGib: 5 } },
  });
  template.config.set("template", "1").set("net0", "virtio=BC:24:11:00:00:01,bridge=vmbr0");
  simulator.cluster.volumes.add({
    storage: "local",
    node: "pve1",
    name: "import/talos.qcow2",
    content: "import",
    format: "qcow2",
    owner: undefined,
    sizeBytes: 1000,
    virtualSizeBytes: 4247 * mib,
  });
  return simulator;
}

/** Headers of a caller who has every privilege but some. */
export function caller(
  simulator: ProxmoxSimulator,
  token: string,
  without: readonly string[] = [],
): Record<string, string> {
  const held = privileges.filter((privilege) => !without.includes(privilege));
  return { authorization: `PVEAPIToken=${simulator.grant({ token, privileges: held })}` };
}
