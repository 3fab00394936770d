import type { Model } from "./model.ts";

/** Everything tests/cluster.tftest.hcl may say: ids, slots and names that `tofu test` is to find. */
export function testView({ source, config, memory }: Model): object {
  const nodes = Object.entries(config.nodes).map(([name, { vm_id }]) => ({
    name,
    vmId: vm_id,
    dataVmId: vm_id * 10,
  }));
  const disks = Object.entries(memory.disks).map(([key, disk]) => ({
    key,
    slot: `virtio${disk.slot}`,
    vmId: disk.vm_id,
    serial: memory.volumes[key.slice(key.lastIndexOf("/") + 1)]?.serial,
  }));
  const csiVolumes = Object.entries(memory.volumes)
    .filter(([, volume]) => volume.type === "proxmox-csi")
    .map(([name, volume]) => ({
      name,
      handle: volumeHandle(config.proxmox.cluster_name, volume),
    }));
  return {
    source,
    nodes,
    nodeCount: nodes.length,
    firstVmId: nodes[0]?.vmId,
    disks,
    diskCount: disks.length,
    csiVolumes,
    csiVolumeCount: csiVolumes.length,
  };
}

function volumeHandle(region: string, volume: Model["memory"]["volumes"][string]): string {
  const zone = volume.shared ? "" : volume.node;
  return `${region}/${zone}/${volume.datastore}/${volume.disk}`;
}
