import type { Cluster, Storage, Volume } from "./cluster.ts";
import { failure } from "./refusal.ts";
import { mib } from "./sizes.ts";
import {
  findVolume,
  isFileBased,
  lookUp,
  parseVolumeName,
  pathOf,
  poolOf,
  storageOn,
  volumeId,
} from "./storage.ts";
import { parseDrive } from "./drive.ts";

const extents: Readonly<Record<string, number>> = { zfspool: mib, lvm: 4 * mib, lvmthin: 4 * mib };

/** What a storage makes of a wanted size. */
export const aligned = (storage: Storage, sizeBytes: number): number => {
  const extent = extents[storage.type] ?? 1;
  return Math.ceil(sizeBytes / extent) * extent;
};

/** Makes a volume of a VM id; the file name is chosen if none is given. */
export function allocate(
  cluster: Cluster,
  node: string,
  storageId: string,
  vmid: number,
  wantedFormat: string | undefined,
  fileName: string | undefined,
  sizeBytes: number,
): Volume {
  const storage = storageOn(cluster, storageId, node);
  const format = wantedFormat ?? "raw";
  const isFile = isFileBased(storage);
  if (!isFile && format !== "raw") throw failure(`unsupported format '${format}'`);
  const name = fileName ?? freeName(cluster, storage, node, vmid, format);
  if (isFile) checkFileName(name, format);
  else if (!name.startsWith(`vm-${vmid}-`))
    throw failure(`illegal name '${name}' - should be 'vm-${vmid}-*'`);
  const full = isFile ? `${vmid}/${name}` : name;
  if (lookUp(cluster, node, `${storageId}:${full}`)) throw failure(existsAlready(storage, full));
  const volume: Volume = {
    storage: storageId,
    node: storage.isShared ? undefined : node,
    name: full,
    content: "images",
    format,
    owner: vmid,
    sizeBytes: aligned(storage, sizeBytes),
  };
  cluster.volumes.add(volume);
  return volume;
}

/** Gone with all that was in it. A block device that a running guest has open cannot be removed. */
export function free(cluster: Cluster, node: string, volid: string): void {
  const volume = findVolume(cluster, node, volid);
  const storage = storageOn(cluster, volume.storage, node);
  if (parseVolumeName(storage, volume.name).isBase && hasLinkedClones(cluster, volume))
    throw failure(`base volume '${volume.name}' is still in use by linked clones`);
  const user = [...cluster.vms.values()].find((vm) => vm.isRunning && uses(cluster, vm, volume));
  if (user !== undefined) {
    cluster.hazards.push(`volume ${volid} was to be removed while VM ${user.vmid} runs with it`);
    if (storage.type === "zfspool")
      throw failure(`zfs error: cannot destroy '${poolOf(storage)}/${volume.name}': dataset is busy`);
    if (!isFileBased(storage))
      throw failure(`lvremove '${poolOf(storage)}/${volume.name}' error: Logical volume in use.`);
  }
  cluster.volumes.delete(volume);
}

/** Whether a VM has a volume on one of its drives. */
export function uses(
  cluster: Cluster,
  vm: { readonly node: string; readonly config: Map<string, string> },
  volume: Volume,
): boolean {
  return [...vm.config].some(([key, value]) => {
    const file = parseDrive(key, value)?.get("file");
    return file !== undefined && lookUp(cluster, vm.node, file) === volume;
  });
}

/** Volumes that carry a VM's id in their name, on this node's storages. */
export const ownedBy = (cluster: Cluster, vmid: number, node: string): readonly Volume[] =>
  [...cluster.volumes].filter(
    (volume) => volume.owner === vmid && (volume.node === undefined || volume.node === node),
  );

/** Turns a volume into one that clones can be linked to. */
export function makeBase(volume: Volume): string {
  volume.name = volume.name.replace(/(^|\/)vm-(\d+-[^/]+)$/, "$1base-$2");
  return volumeId(volume);
}

function hasLinkedClones(cluster: Cluster, base: Volume): boolean {
  return [...cluster.volumes].some(
    ({ storage, name }) => storage === base.storage && name.startsWith(`${base.name}/`),
  );
}

function checkFileName(name: string, format: string): void {
  const ending = /^(?:vm|base)-\d+-[^/\s]+\.(raw|qcow2|vmdk)$/.exec(name)?.[1];
  if (ending === undefined) throw failure(`unable to parse volume filename '${name}'`);
  if (ending !== format)
    throw failure(`illegal name '${name}' - wrong extension for format ('${ending} != '${format}')`);
}

function freeName(cluster: Cluster, storage: Storage, node: string, vmid: number, format: string): string {
  const ending = isFileBased(storage) ? `.${format}` : "";
  const taken = new Set(
    ownedBy(cluster, vmid, node)
      .filter((volume) => volume.storage === storage.id)
      .map(({ name }) => /-disk-(\d+)(?:\.\w+)?$/.exec(name)?.[1]),
  );
  for (let index = 0; ; index += 1) {
    if (!taken.has(String(index))) return `vm-${vmid}-disk-${index}${ending}`;
  }
}

function existsAlready(storage: Storage, name: string): string {
  if (isFileBased(storage)) return `disk image '${pathOf(storage, name)}' already exists`;
  if (storage.type === "zfspool")
    return `zfs error: cannot create '${poolOf(storage)}/${name}': dataset already exists`;
  return `lvcreate '${poolOf(storage)}/${name}' error: Logical Volume "${name}" already exists in volume group "${poolOf(storage)}"`;
}
