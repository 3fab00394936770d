import { allocate, free, makeBase } from "./allocation.ts";
import type { Call } from "./call.ts";
import type { Volume } from "./cluster.ts";
import { fileOf, isCloudInit, newVolume, parseDrive, printDrive, type Drive } from "./drive.ts";
import { drivesIn } from "./drive-checks.ts";
import { failure } from "./refusal.ts";
import { isTrue } from "./schema.ts";
import { formatSize, gib, kib, mib } from "./sizes.ts";
import { findStorage, findVolume, isFileBased, parseVolumeId, volumeId } from "./storage.ts";

/** The VM that drives are made for. */
export interface Target {
  readonly vmid: number;
  readonly node: string;
  readonly config: ReadonlyMap<string, string>;
}

/** Makes, imports or attaches what drives ask for. All or nothing: a failure frees what was made. */
export function createDisks(
  call: Call,
  target: Target,
  options: Iterable<readonly [string, string]>,
): ReadonlyMap<string, string> {
  const made: Volume[] = [];
  const drives = new Map<string, string>();
  try {
    for (const [slot, drive] of drivesIn(options)) {
      const file = fileOf(drive);
      if (file === "none" || file === "cdrom") drive.delete("size");
      else if (file.endsWith(":cloudinit")) made.push(makeCloudInit(call, target, slot, drive, drives));
      else if (newVolume(file) !== undefined) made.push(makeDisk(call, target, slot, drive));
      else attach(call, target, slot, drive, drives);
      drives.set(slot, printDrive(drive));
    }
  } catch (error) {
    for (const volume of made) free(call.cluster, target.node, volumeId(volume));
    throw error;
  }
  return drives;
}

function makeDisk(call: Call, target: Target, slot: string, drive: Drive): Volume {
  const { storage, sizeGib } = newVolume(fileOf(drive))!;
  const { cluster } = call;
  const source = drive.get("import-from");
  const image = source === undefined ? undefined : sourceOf(call, target, source);
  const size = image?.virtualSizeBytes ?? image?.sizeBytes ?? fixedSize(slot, drive) ?? sizeGib * gib;
  const volume = allocate(cluster, target.node, storage, target.vmid, drive.get("format"), undefined, size);
  if (image?.content === "images" && image.marker !== undefined) volume.marker = image.marker;
  if (isTrue(target.config.get("template"))) makeBase(volume);
  for (const used of ["import-from", "format"]) drive.delete(used);
  drive.set("file", volumeId(volume)).set("size", formatSize(volume.sizeBytes));
  return volume;
}

function sourceOf(call: Call, target: Target, source: string): Volume {
  try {
    return findVolume(call.cluster, target.node, source);
  } catch (error) {
    throw failure(`cannot import from '${source}' - ${(error as Error).message}`);
  }
}

function fixedSize(slot: string, drive: Drive): number | undefined {
  if (slot === "efidisk0") return drive.get("efitype") === "4m" ? 4 * mib : 128 * kib;
  return slot === "tpmstate0" ? 4 * mib : undefined;
}

function makeCloudInit(
  call: Call,
  target: Target,
  slot: string,
  drive: Drive,
  made: ReadonlyMap<string, string>,
): Volume {
  refuseSecondCloudInit(target, slot, made);
  const storage = findStorage(call.cluster, parseVolumeId(fileOf(drive))!.storage);
  const format = drive.get("format") ?? (isFileBased(storage) ? "qcow2" : "raw");
  const name = `vm-${target.vmid}-cloudinit${isFileBased(storage) ? `.${format}` : ""}`;
  const volume = allocate(call.cluster, target.node, storage.id, target.vmid, format, name, 4 * mib);
  drive.delete("format");
  drive.set("file", volumeId(volume)).set("media", "cdrom").set("size", "4M");
  return volume;
}

function attach(
  call: Call,
  target: Target,
  slot: string,
  drive: Drive,
  made: ReadonlyMap<string, string>,
): void {
  const file = fileOf(drive);
  const volume = findVolume(call.cluster, target.node, file);
  const format = drive.get("format");
  if (format !== undefined && format !== volume.format)
    throw failure(
      `drive '${slot}' - volume '${file}' - 'format=${format}' option different from storage format '${volume.format}'`,
    );
  if (isCloudInit(drive)) refuseSecondCloudInit(target, slot, made);
  drive.set("size", formatSize(volume.sizeBytes));
}

function refuseSecondCloudInit(target: Target, slot: string, made: ReadonlyMap<string, string>): void {
  for (const [other, value] of [...target.config, ...made]) {
    const drive = other === slot ? undefined : parseDrive(other, value);
    if (drive && isCloudInit(drive))
      throw failure(`${slot} - cloud-init drive is already attached at '${other}'`);
  }
}
