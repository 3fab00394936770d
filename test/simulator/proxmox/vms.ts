import { createHash } from "node:crypto";
import type { Call } from "./call.ts";
import type { Cluster, Vm } from "./cluster.ts";
import { fileOf, isCloudInit, isDriveSlot, parseDrive } from "./drive.ts";
import { splitList } from "./formats.ts";
import { failure } from "./refusal.ts";
import { isTrue } from "./schema.ts";
import { findStorage, lookUp, parseVolumeId, parseVolumeName } from "./storage.ts";

/** The VM that a call names, on the node that it names. */
export function findVm(call: Call): Vm {
  const vm = call.cluster.vms.get(call.vmid);
  if (vm === undefined || vm.node !== call.node)
    throw failure(`Configuration file 'nodes/${call.node}/qemu-server/${call.vmid}.conf' does not exist`);
  return vm;
}

export const isTemplate = (vm: Vm): boolean => isTrue(vm.config.get("template"));

export function checkProtection(vm: Vm, what: string): void {
  if (isTrue(vm.config.get("protection"))) throw failure(`${what} - protection mode enabled`);
}

export function digestOf(vm: Vm): string {
  return createHash("sha1")
    .update(JSON.stringify([...vm.config].sort()))
    .digest("hex");
}

/** By the name of the volume: it carries the id of the VM that it was made for. */
export function isOwner(cluster: Cluster, vmid: number, volid: string): boolean {
  const id = parseVolumeId(volid);
  return id !== undefined && parseVolumeName(findStorage(cluster, id.storage), id.name).owner === vmid;
}

export function addUnused(vm: Vm, volid: string): void {
  for (let index = 0; ; index += 1) {
    const key = `unused${index}`;
    if (vm.config.get(key) === volid) return;
    if (!vm.config.has(key)) return void vm.config.set(key, volid);
  }
}

export const bootOrder = (config: ReadonlyMap<string, string>): readonly string[] =>
  splitList(/(?:^|,)order=([^,]*)/.exec(config.get("boot") ?? "")?.[1] ?? "");

export const uniqueTags = (tags: string): string =>
  [...new Set(splitList(tags.toLowerCase()))].sort().join(";");

/** Volumes of the drives of a VM, cloud-init and ISO files left out. */
export function volumesOf(vm: Vm): readonly (readonly [slot: string, volid: string])[] {
  return [...vm.config].flatMap(([slot, value]) => {
    const drive = isDriveSlot(slot) ? parseDrive(slot, value) : undefined;
    if (drive === undefined || isCloudInit(drive)) return [];
    const file = fileOf(drive);
    return parseVolumeId(file) && !file.includes(":iso/") ? [[slot, file] as const] : [];
  });
}

/** The guest learns of a volume's size when it starts, when the volume is plugged in, and when its own VM resizes it. */
export function showToGuest(cluster: Cluster, vm: Vm, volid: string): void {
  const volume = lookUp(cluster, vm.node, volid);
  if (vm.isRunning && volume) vm.guestSizes.set(volid, volume.sizeBytes);
}

/** Harm that the server does not see: one volume in two running guests, or twice in one. */
export function noteSharing(cluster: Cluster, vm: Vm): void {
  const own = volumesOf(vm);
  for (const [slot, volid] of own) {
    const volume = lookUp(cluster, vm.node, volid);
    const twin = own.find(([other, id]) => other < slot && id === volid);
    if (twin) cluster.hazards.push(`VM ${vm.vmid} has ${volid} twice, at ${twin[0]} and ${slot}`);
    for (const other of cluster.vms.values()) {
      if (other === vm || !other.isRunning || !vm.isRunning || volume === undefined) continue;
      const isSame = volumesOf(other).some(([, id]) => lookUp(cluster, other.node, id) === volume);
      if (isSame) cluster.hazards.push(`VMs ${other.vmid} and ${vm.vmid} both run with ${volid}`);
    }
  }
}
