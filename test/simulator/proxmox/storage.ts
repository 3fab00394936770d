import type { Cluster, Storage, Volume } from "./cluster.ts";
import { failure } from "./refusal.ts";

const fileTypes = ["btrfs", "cephfs", "cifs", "dir", "nfs"];

export const isFileBased = (storage: Storage): boolean => fileTypes.includes(storage.type);

/** A file-based storage keeps the images of each VM in a folder of its own. */
export const folderOf = (storage: Storage): string =>
  storage.type === "dir" && storage.id === "local" ? "/var/lib/vz" : `/mnt/pve/${storage.id}`;

/** Where block devices of a storage live: a ZFS dataset or an LVM volume group. */
export const poolOf = (storage: Storage): string =>
  storage.type === "zfspool" ? `rpool/${storage.id}` : storage.id;

export function findStorage(cluster: Cluster, id: string): Storage {
  const storage = cluster.storages.get(id);
  if (storage === undefined) throw failure(`storage '${id}' does not exist`);
  return storage;
}

export const isAvailable = (storage: Storage, node: string): boolean => storage.nodes?.includes(node) ?? true;

export function storageOn(cluster: Cluster, id: string, node: string): Storage {
  const storage = findStorage(cluster, id);
  if (!isAvailable(storage, node)) throw failure(`storage '${id}' is not available on node '${node}'`);
  return storage;
}

export interface VolumeId {
  readonly storage: string;
  readonly name: string;
}

/** Undefined for a path in the file system and other things that are no volume ids. */
export function parseVolumeId(volid: string): VolumeId | undefined {
  const [, storage, name] = /^([a-z][a-z0-9\-_.]*[a-z0-9]):(.+)$/i.exec(volid) ?? [];
  return storage === undefined || name === undefined ? undefined : { storage, name };
}

/** What the name of a volume says about it. */
export interface VolumeName {
  readonly content: string;
  readonly owner: number | undefined;
  readonly format: string;
  readonly isBase: boolean;
}

export function parseVolumeName(storage: Storage, name: string): VolumeName {
  if (!isFileBased(storage)) {
    const [, kind, owner] = /^(?:base-\d+-\S+\/)?(vm|base)-(\d+)-\S+$/.exec(name) ?? [];
    if (kind === undefined) throw failure(`unable to parse ${blockWord(storage)} volume name '${name}'`);
    return { content: "images", owner: Number(owner), format: "raw", isBase: kind === "base" };
  }
  const [, folder, kind, format] =
    /^(?:\d+\/base-[^/\s]+\/)?(\d+)\/(vm|base)-\d+-[^/\s]+\.(raw|qcow2|vmdk)$/.exec(name) ?? [];
  if (folder !== undefined)
    return { content: "images", owner: Number(folder), format: format!, isBase: kind === "base" };
  const [, content, ending] = /^(iso|import|vztmpl|snippets)\/[^/]+?(?:\.(\w+))?$/.exec(name) ?? [];
  if (content === undefined) throw failure(`unable to parse directory volume name '${name}'`);
  return {
    content,
    owner: undefined,
    format: content === "import" ? (ending ?? "raw") : content,
    isBase: false,
  };
}

const blockWord = (storage: Storage): string => (storage.type === "zfspool" ? "zfs" : "lvm");

export const volumeId = (volume: Volume): string => `${volume.storage}:${volume.name}`;

/** The volume that this node means by an id. */
export function lookUp(cluster: Cluster, node: string, volid: string): Volume | undefined {
  return [...cluster.volumes].find(
    (volume) => volumeId(volume) === volid && (volume.node === undefined || volume.node === node),
  );
}

/** The volume, or the words in which its storage says that there is none. */
export function findVolume(cluster: Cluster, node: string, volid: string): Volume {
  const id = parseVolumeId(volid);
  if (id === undefined) throw failure(`unable to parse volume ID '${volid}'`);
  const storage = storageOn(cluster, id.storage, node);
  parseVolumeName(storage, id.name);
  const volume = lookUp(cluster, node, volid);
  if (volume !== undefined) return volume;
  const pool = poolOf(storage);
  if (isFileBased(storage)) throw failure(`volume_size_info on '${volid}' failed - no format`);
  if (storage.type === "zfspool")
    throw failure(`zfs error: cannot open '${pool}/${id.name}': dataset does not exist`);
  throw failure(
    `can't get size of '/dev/${pool}/${id.name}': Failed to find logical volume "${pool}/${id.name}"`,
  );
}

export function pathOf(storage: Storage, name: string): string {
  if (!isFileBased(storage))
    return `/dev/${storage.type === "zfspool" ? "zvol/" : ""}${poolOf(storage)}/${name}`;
  const { content } = parseVolumeName(storage, name);
  const folders: Readonly<Record<string, string>> = { iso: "template/iso", vztmpl: "template/cache" };
  const base = name.slice(name.indexOf("/") + 1);
  return content === "images"
    ? `${folderOf(storage)}/images/${name}`
    : `${folderOf(storage)}/${folders[content] ?? content}/${base}`;
}
