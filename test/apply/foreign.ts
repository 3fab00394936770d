import type { ProxmoxSimulator } from "../simulator/proxmox/simulator.ts";
import { mib } from "../simulator/proxmox/sizes.ts";

export interface Places {
  /** Of disks. */
  readonly datastores: readonly string[];
  /** Of files; there are none without. */
  readonly imageDatastore?: string;
  /** Tags that are almost those of the tree. */
  readonly tags: string;
}

/** Fills a Proxmox with what others have there: nothing of it may ever change. */
export function addForeigners(proxmox: ProxmoxSimulator, places: Places): void {
  const { cluster } = proxmox;
  const hosts = [...cluster.nodes.keys()];
  const datastores = [...new Set(places.datastores)];
  for (const [index, node] of hosts.entries()) {
    const storage = datastores[index % datastores.length]!;
    const disks = { scsi0: { storage, sizeGib: 8 }, scsi1: { storage, sizeGib: 2 } };
    const name = `foreign-${node}`;
    const vm = { vmid: 700 + index, node, name, tags: places.tags, isRunning: index === 0, disks };
    proxmox.addForeignVm(vm);
    const claim = proxmox.addCsiVolume(
      node,
      storage,
      9999,
      `vm-9999-pvc-${node}${ending(proxmox, storage)}`,
      1,
    );
    proxmox.putMarker(claim, `claim on ${node}`, node);
    if (places.imageDatastore === undefined) continue;
    const isShared = cluster.storages.get(places.imageDatastore)?.isShared ?? false;
    cluster.volumes.add({
      storage: places.imageDatastore,
      node: isShared ? undefined : node,
      name: isShared ? `iso/installer-${node}.iso` : "iso/installer.iso",
      content: "iso",
      format: "iso",
      owner: undefined,
      sizeBytes: 600 * mib,
      marker: `file on ${node}`,
    });
  }
  for (const volume of cluster.volumes)
    if (volume.content === "images") volume.marker ??= `${volume.name} of another`;
  proxmox.grant({ token: "other@pve!automation", privileges: ["VM.Audit"], path: "/vms/700" });
  cluster.groups.set("operators", new Set(["other@pve"]));
}

const ending = (proxmox: ProxmoxSimulator, storage: string): string =>
  ["dir", "nfs"].includes(proxmox.cluster.storages.get(storage)?.type ?? "") ? ".raw" : "";
