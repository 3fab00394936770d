import type { Complete } from "../../config/defaults.ts";
import type { TalosCluster } from "./config.ts";
import type { Memory, RememberedDisk } from "./memory.ts";
import { range, take } from "../../domain/pool.ts";

type Config = Complete<TalosCluster>;

/** Slots `virtio1` to `virtio15`; `virtio0` stays free, as a boot loader would look there first. */
export const FIRST_SLOT = 1;
export const LAST_SLOT = 15;

/** The highest VM id that Proxmox takes. */
export const LAST_VM_ID = 999_999_999;

export interface DiskAllocation {
  readonly disks: Readonly<Record<string, RememberedDisk>>;
  readonly retired: Memory["retired"];
}

/**
 * A slot and a VM id for each disk volume of each node. What is remembered stays as it is, whatever comes or goes beside
 * it. A slot that was given up is not taken again while others are free: the disk that left it may still be plugged in
 * until the next apply, and unplugging it would hit the new one.
 */
export function allocateDisks(config: Config, memory: Memory | undefined): DiskAllocation {
  const remembered = memory?.disks ?? {};
  const volumes = Object.entries(config.volumes).filter(([, { type }]) => type === "disk");
  const keys = Object.entries(config.nodes).flatMap(([node, { machine_type, vm_id }]) =>
    volumes
      .filter(([, volume]) => volume.machine_type === "all" || volume.machine_type === machine_type)
      .map(([volume]) => ({ key: `${node}/${volume}`, node, vmId: vm_id })),
  );
  const wanted = new Set(keys.map(({ key }) => key));
  const gone = Object.entries(remembered).filter(([key]) => !wanted.has(key));

  const retiredIds = new Set([...(memory?.retired.vm_ids ?? []), ...gone.map(([, disk]) => disk.vm_id)]);
  const retiredSlots = slotsByNode(memory, gone, config);
  const kept = Object.entries(remembered).filter(([key]) => wanted.has(key));
  const usedIds = new Set([...configuredIds(config), ...kept.map(([, disk]) => disk.vm_id)]);
  const usedSlots = new Map<string, Set<number>>();
  for (const { key, node } of keys) {
    const slot = remembered[key]?.slot;
    const slots = usedSlots.get(node) ?? new Set<number>();
    if (slot !== undefined) slots.add(slot);
    usedSlots.set(node, slots);
  }

  const disks: Record<string, RememberedDisk> = {};
  for (const { key, node, vmId } of keys) {
    const known = remembered[key];
    if (known !== undefined) {
      disks[key] = known;
      continue;
    }
    const slots = usedSlots.get(node) ?? new Set<number>();
    const slot = take(range(FIRST_SLOT, LAST_SLOT), slots, retiredSlots.get(node) ?? new Set());
    const vm_id = take(idsBeside(vmId), usedIds, retiredIds);
    if (slot === undefined || vm_id === undefined) throw new Error(`nothing is left to allocate for ${key}`);
    slots.add(slot);
    usedIds.add(vm_id);
    retiredIds.delete(vm_id);
    disks[key] = { slot, vm_id };
  }
  return {
    disks,
    retired: { slots: stillRetired(retiredSlots, usedSlots), vm_ids: [...retiredIds].sort((a, b) => a - b) },
  };
}

/** Ids that nobody else may have: of the machines, of their data VMs, and in the names of CSI volumes. */
export function configuredIds(config: Config): number[] {
  const machines = Object.values(config.nodes).flatMap(({ vm_id }) => [vm_id, vm_id * 10]);
  const volumes = Object.values(config.volumes).map(({ vmid }) => vmid);
  return [...machines, ...volumes];
}

/** `<vm_id>1` to `<vm_id>9`, beside the data VM's `<vm_id>0`; then `<vm_id>10` to `<vm_id>99`. */
export function* idsBeside(vmId: number): Generator<number> {
  yield* range(vmId * 10 + 1, Math.min(vmId * 10 + 9, LAST_VM_ID));
  yield* range(vmId * 100 + 10, Math.min(vmId * 100 + 99, LAST_VM_ID));
}

function slotsByNode(
  memory: Memory | undefined,
  gone: readonly (readonly [string, RememberedDisk])[],
  config: Config,
): Map<string, Set<number>> {
  const slots = new Map<string, Set<number>>();
  const retire = (node: string, slot: number) => {
    if (Object.hasOwn(config.nodes, node)) slots.set(node, (slots.get(node) ?? new Set()).add(slot));
  };
  for (const [node, numbers] of Object.entries(memory?.retired.slots ?? {}))
    numbers.forEach((slot) => retire(node, slot));
  for (const [key, disk] of gone) retire(key.slice(0, key.lastIndexOf("/")), disk.slot);
  return slots;
}

function stillRetired(
  retired: ReadonlyMap<string, ReadonlySet<number>>,
  used: ReadonlyMap<string, ReadonlySet<number>>,
): Record<string, readonly number[]> {
  const entries = [...retired].map(([node, slots]): [string, number[]] => [
    node,
    [...slots].filter((slot) => !used.get(node)?.has(slot)).sort((a, b) => a - b),
  ]);
  return Object.fromEntries(entries.filter(([, slots]) => slots.length > 0).sort());
}
