import type { Complete } from "../../config/defaults.ts";
import type { TalosCluster } from "./config.ts";
import type { Memory, RememberedDisk, RetiredDisk } from "./memory.ts";
import { range, take } from "../../domain/pool.ts";
import { sizeMib } from "./sizes.ts";

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

/** A disk volume on a node. */
interface Place {
  readonly key: string;
  readonly node: string;
  readonly vmId: number;
  readonly disk: Omit<RetiredDisk, keyof RememberedDisk>;
}

/**
 * A slot and a VM id for each disk volume of each node. What is remembered stays as it is, whatever comes or goes beside
 * it. A disk that was taken out comes back to where it was, unless it could not stay there as it is now wanted: nobody
 * knows whether an apply came between, and if none did, it is still there. For the same reason no other disk goes there
 * while there is room: unplugging the old one would hit it.
 */
export function allocateDisks(config: Config, memory: Memory | undefined): DiskAllocation {
  const places = placesOf(config);
  const wanted = new Set(places.map(({ key }) => key));
  const gone = goneDisks(memory, wanted);
  const disks = new Map(Object.entries(memory?.disks ?? {}).filter(([key]) => wanted.has(key)));
  const usedIds = new Set([...configuredIds(config), ...[...disks.values()].map(({ vm_id }) => vm_id)]);
  const usedSlots = new Map(places.map(({ node }) => [node, new Set<number>()]));
  for (const [key, { slot }] of disks) usedSlots.get(nodeOf(key))?.add(slot);
  const put = ({ key, node }: Place, disk: RememberedDisk): void => {
    disks.set(key, disk);
    usedSlots.get(node)?.add(disk.slot);
    usedIds.add(disk.vm_id);
  };

  const added = places.filter(({ key }) => !disks.has(key));
  for (const place of added) {
    const before = memory?.retired.disks?.[place.key];
    if (before === undefined || !canStay(before, place)) continue;
    const { slot, vm_id } = before;
    if (!usedSlots.get(place.node)?.has(slot) && !usedIds.has(vm_id)) put(place, { slot, vm_id });
  }
  const retiredIds = new Set<number>();
  const retiredSlots = new Map(places.map(({ node }) => [node, new Set<number>()]));
  for (const [key, { slot, vm_id }] of gone) {
    if (disks.has(key)) continue;
    retiredIds.add(vm_id);
    retiredSlots.get(nodeOf(key))?.add(slot);
  }
  for (const place of added.filter(({ key }) => !disks.has(key))) {
    const slots = range(FIRST_SLOT, LAST_SLOT);
    const slot = take(slots, usedSlots.get(place.node) ?? NONE, retiredSlots.get(place.node) ?? NONE);
    const vm_id = take(idsBeside(place.vmId), usedIds, retiredIds);
    if (slot === undefined || vm_id === undefined)
      throw new Error(`nothing is left to allocate for ${place.key}`);
    put(place, { slot, vm_id });
  }

  const isLeft = ([key, { slot, vm_id }]: readonly [string, RetiredDisk]): boolean =>
    !disks.has(key) && !usedIds.has(vm_id) && !usedSlots.get(nodeOf(key))?.has(slot);
  return {
    // In the order of the config, whatever was remembered.
    disks: Object.fromEntries(places.map(({ key }) => [key, disks.get(key) as RememberedDisk])),
    retired: { disks: Object.fromEntries(gone.filter(isLeft)) },
  };
}

function placesOf(config: Config): readonly Place[] {
  const volumes = Object.entries(config.volumes).filter(([, { type }]) => type === "disk");
  return Object.entries(config.nodes).flatMap(([node, { machine_type, vm_id, host_node }]) =>
    volumes
      .filter(([, volume]) => volume.machine_type === "all" || volume.machine_type === machine_type)
      .map(([name, volume]) => ({
        key: `${node}/${name}`,
        node,
        vmId: vm_id,
        disk: { host_node, datastore: volume.datastore, size_mib: sizeMib(volume) ?? 0 },
      })),
  );
}

/** Those of earlier runs, and those that this one takes out. */
function goneDisks(
  memory: Memory | undefined,
  wanted: ReadonlySet<string>,
): readonly (readonly [string, RetiredDisk])[] {
  if (memory === undefined) return [];
  const taken = Object.entries(memory.disks).filter(([key]) => !wanted.has(key));
  return [
    ...Object.entries(memory.retired.disks ?? {}).filter(([key]) => memory.disks[key] === undefined),
    ...taken.map(([key, disk]): [string, RetiredDisk] => {
      const { datastore = "", size_mib = 0 } = memory.volumes[key.slice(key.lastIndexOf("/") + 1)] ?? {};
      return [key, { ...disk, host_node: memory.nodes[nodeOf(key)]?.host_node ?? "", datastore, size_mib }];
    }),
  ];
}

/** Whether an apply that finds the disk leaves it there. */
function canStay(before: RetiredDisk, { disk }: Place): boolean {
  const { host_node, datastore, size_mib } = disk;
  return before.host_node === host_node && before.datastore === datastore && before.size_mib <= size_mib;
}

const NONE: ReadonlySet<number> = new Set();

const nodeOf = (key: string): string => key.slice(0, key.lastIndexOf("/"));

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
