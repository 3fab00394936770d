import type { Memory } from "../memory.ts";

/** The disk of a volume on one node, with the VM that holds it. */
export interface Disk {
  readonly node: string;
  readonly volume: string;
  readonly vmId: number;
  readonly slot: number;
}

/** Every disk that the lock knows, by its node and by its volume. */
export function rememberedDisks(memory: Memory): {
  byNode: Map<string, Disk[]>;
  byVolume: Map<string, Disk[]>;
} {
  const byNode = new Map<string, Disk[]>();
  const byVolume = new Map<string, Disk[]>();
  for (const [key, { vm_id: vmId, slot }] of Object.entries(memory.disks)) {
    const slash = key.lastIndexOf("/");
    const disk = { node: key.slice(0, slash), volume: key.slice(slash + 1), vmId, slot };
    byNode.set(disk.node, [...(byNode.get(disk.node) ?? []), disk]);
    const others = byVolume.get(disk.volume);
    if (others === undefined) byVolume.set(disk.volume, [disk]);
    else others.push(disk);
  }
  return { byNode, byVolume };
}
