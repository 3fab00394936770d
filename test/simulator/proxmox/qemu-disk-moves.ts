import { aligned, allocate, free, makeBase } from "./allocation.ts";
import type { Call } from "./call.ts";
import { driveSlots, fileOf, isCdrom, isUnused, parseDrive, printDrive, type Drive } from "./drive.ts";
import { digest, flag, natural, optional, storageId } from "./formats.ts";
import { vmPlace } from "./qemu-options.ts";
import { failure, invalid } from "./refusal.ts";
import type { Route } from "./router.ts";
import { formatSize, parseSize } from "./sizes.ts";
import { findStorage, findVolume, isFileBased, parseVolumeId, storageOn, volumeId } from "./storage.ts";
import { runTask } from "./tasks.ts";
import { addUnused, findVm, isTemplate, showToGuest } from "./vms.ts";

/** Growing a disk, and moving it to another storage. */
function driveAt(call: Call, slot: string, verb: string): Drive {
  const vm = findVm(call);
  const value = vm.config.get(slot);
  if (value === undefined) throw failure(`disk '${slot}' does not exist`);
  const drive = parseDrive(slot, value)!;
  if (isCdrom(drive)) throw failure(`you can't ${verb} a cdrom`);
  return drive;
}

/** All of it happens in the task. */
function resize(call: Call): void {
  const { cluster } = call;
  const slot = call.need("disk");
  const drive = driveAt(call, slot, "resize");
  const vm = findVm(call);
  const volid = fileOf(drive);
  call.check(`/storage/${parseVolumeId(volid)!.storage}`, "Datastore.AllocateSpace");
  const volume = findVolume(cluster, vm.node, volid);
  const wanted = call.need("size");
  const grown = parseSize(wanted.replace("+", ""))! + (wanted.startsWith("+") ? volume.sizeBytes : 0);
  if (grown < volume.sizeBytes) throw failure("shrinking disks is not supported");
  if (grown === volume.sizeBytes) return;
  volume.sizeBytes = aligned(findStorage(cluster, volume.storage), grown);
  vm.config.set(slot, printDrive(drive.set("size", formatSize(grown))));
  showToGuest(cluster, vm, volid);
}

/** The copy belongs to this VM, whoever owned the source. */
function move(call: Call): Promise<string> {
  const { cluster } = call;
  const [slot, target] = [call.need("disk"), call.get("storage")];
  if (target === undefined) {
    const problem = "both 'storage' and 'target-vmid' missing, either needs to be set";
    throw invalid({ "target-vmid": problem, storage: problem });
  }
  call.check(`/storage/${target}`, "Datastore.AllocateSpace");
  const drive = driveAt(call, slot, "move");
  const vm = findVm(call);
  const old = findVolume(cluster, vm.node, fileOf(drive));
  const format = call.get("format");
  if (old.storage === target && (format === undefined || format === old.format))
    throw failure("you can't move to the same storage with same format");
  const storage = storageOn(cluster, target, vm.node);
  if (!storage.content.includes("images"))
    throw invalid({ storage: `storage '${target}' does not support vm images` });
  return runTask(call, call.node, "qmmove", String(vm.vmid), () => {
    const kept = isFileBased(storage) ? (format ?? old.format) : "raw";
    const copy = allocate(cluster, vm.node, target, vm.vmid, kept, undefined, old.sizeBytes);
    if (old.marker !== undefined) copy.marker = old.marker;
    if (isTemplate(vm)) makeBase(copy);
    const left = volumeId(old);
    drive.delete("format");
    drive.set("file", volumeId(copy)).set("size", formatSize(copy.sizeBytes));
    vm.config.set(slot, isUnused(slot) ? volumeId(copy) : printDrive(drive));
    vm.guestSizes.delete(left);
    showToGuest(cluster, vm, volumeId(copy));
    if (call.isSet("delete")) free(cluster, vm.node, left);
    else addUnused(vm, left);
  });
}

const slots = [...driveSlots.keys()];
const unused = Array.from({ length: 256 }, (_, index) => `unused${index}`);
const mayChangeDisks = (call: Call): void => call.check(`/vms/${call.vmid}`, "VM.Config.Disk");

export const diskMoveRoutes: readonly Route[] = [
  {
    method: "PUT",
    path: "nodes/{node}/qemu/{vmid}/resize",
    parameters: {
      ...vmPlace,
      skiplock: optional(flag),
      disk: { values: slots },
      size: { pattern: /^\+?\d+(\.\d+)?[KMGT]?$/ },
      digest: optional(digest),
    },
    allow: mayChangeDisks,
    answer: (call) => runTask(call, call.node, "resize", String(call.vmid), () => resize(call)),
  },
  {
    method: "POST",
    path: "nodes/{node}/qemu/{vmid}/move_disk",
    parameters: {
      ...vmPlace,
      disk: { values: [...slots, ...unused] },
      storage: optional(storageId),
      format: optional({ values: ["raw", "qcow2", "vmdk"] }),
      delete: optional(flag),
      digest: optional(digest),
      bwlimit: optional(natural),
    },
    allow: mayChangeDisks,
    answer: move,
  },
];
