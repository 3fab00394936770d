import { randomUUID } from "node:crypto";
import { allocate, makeBase } from "./allocation.ts";
import type { Call } from "./call.ts";
import type { Vm, Volume } from "./cluster.ts";
import {
  driveSlots,
  fileOf,
  isCdrom,
  isCloudInit,
  isDriveSlot,
  isUnused,
  parseDrive,
  printDrive,
} from "./drive.ts";
import { configId, dns, flag, natural, nodeName, optional, storageId, text, vmid } from "./formats.ts";
import { checkBridgeAccess, isNetworkDevice, normalNetwork } from "./network.ts";
import { printProperties } from "./property-string.ts";
import { vmPlace } from "./qemu-options.ts";
import { denied, failure, invalid } from "./refusal.ts";
import { findNode, type Route } from "./router.ts";
import { formatSize } from "./sizes.ts";
import { findStorage, findVolume, isFileBased, storageOn, volumeId } from "./storage.ts";
import { runTask } from "./tasks.ts";
import { findVm, isTemplate, volumesOf } from "./vms.ts";

/** Clones, and templates to clone from. */
function clone(call: Call): Promise<string> {
  const { cluster } = call;
  const [storage, pool] = [call.get("storage"), call.get("pool")];
  const target = call.get("target") === call.node ? undefined : call.get("target");
  const newid = Number(call.need("newid"));
  if (pool !== undefined && !cluster.pools.has(pool)) throw denied(`pool '${pool}' does not exist`);
  if (target !== undefined && !cluster.nodes.has(target)) throw failure(`no such cluster node '${target}'`);
  if (storage !== undefined) checkTargetStorage(call, storage, target);
  const source = findVm(call);
  const isFull = call.parameters.has("full") ? call.isSet("full") : !isTemplate(source);
  if (!isFull && storage !== undefined) throw failure("parameter 'storage' not allowed for linked clones");
  if (!isFull && !isTemplate(source))
    throw failure(`Linked clone feature is not supported for VM ${source.vmid}`);
  for (const [, volid] of volumesOf(source))
    call.check(`/storage/${storage ?? volid.slice(0, volid.indexOf(":"))}`, "Datastore.AllocateSpace");
  checkBridgeAccess(call, source.config);
  const isShared = drives(source).every(
    ({ file }) => findStorage(cluster, file.slice(0, file.indexOf(":"))).isShared,
  );
  if (target !== undefined && !isShared)
    throw failure(`can't clone VM to node '${target}' (VM uses local storage)`);
  if (cluster.vms.has(newid)) throw failure(`unable to create VM ${newid}: config file already exists`);
  return runTask(call, call.node, "qmclone", String(source.vmid), () => {
    const vm: Vm = {
      vmid: newid,
      node: target ?? call.node,
      config: copyConfig(call, source, newid, isFull, storage),
      isRunning: false,
      guestSizes: new Map(),
    };
    cluster.vms.set(newid, vm);
    cluster.destroyed.delete(newid);
    if (pool !== undefined) cluster.pools.get(pool)!.vms.add(newid);
  });
}

function checkTargetStorage(call: Call, id: string, target: string | undefined): void {
  const storage = storageOn(call.cluster, id, call.node);
  if (!storage.content.includes("images"))
    throw invalid({ storage: `storage '${id}' does not support vm images` });
  if (target === undefined) return;
  storageOn(call.cluster, id, target);
  if (!storage.isShared) throw failure(`can't clone to non-shared storage '${id}'`);
}

const drives = (vm: Vm): readonly { readonly slot: string; readonly file: string }[] =>
  [...vm.config].flatMap(([slot, value]) => {
    const file = isDriveSlot(slot) ? fileOf(parseDrive(slot, value)!) : "none";
    return file === "none" || file === "cdrom" ? [] : [{ slot, file }];
  });

function copyConfig(
  call: Call,
  source: Vm,
  newid: number,
  isFull: boolean,
  storage: string | undefined,
): Map<string, string> {
  const copy = new Map<string, string>();
  for (const [key, value] of source.config) {
    if (isUnused(key) || key === "template") continue;
    if (isNetworkDevice(key)) copy.set(key, normalNetwork(value, true));
    else if (isDriveSlot(key)) copy.set(key, copyDrive(call, source, key, newid, isFull, storage));
    else copy.set(key, value);
  }
  const smbios = new Map((copy.get("smbios1") ?? "uuid=").split(",").map(pair));
  copy.set("smbios1", printProperties(smbios.set("uuid", randomUUID())));
  copy.set("vmgenid", randomUUID());
  copy.set("name", call.get("name") ?? `Copy-of-VM-${source.config.get("name") ?? source.vmid}`);
  const description = call.get("description");
  if (description !== undefined) copy.set("description", description);
  return copy;
}

function pair(text: string): [string, string] {
  const at = text.indexOf("=");
  return [text.slice(0, at), text.slice(at + 1)];
}

function copyDrive(
  call: Call,
  source: Vm,
  slot: string,
  newid: number,
  isFull: boolean,
  storageId: string | undefined,
): string {
  const { cluster } = call;
  const drive = parseDrive(slot, source.config.get(slot)!)!;
  if (isCdrom(drive) && !isCloudInit(drive)) return printDrive(drive);
  const old = findVolume(cluster, source.node, fileOf(drive));
  const storage = findStorage(cluster, storageId ?? old.storage);
  const format = isFileBased(storage) ? old.format : "raw";
  const ending = isFileBased(storage) ? `.${format}` : "";
  const name = isCloudInit(drive) ? `vm-${newid}-cloudinit${ending}` : undefined;
  const volume: Volume = allocate(cluster, source.node, storage.id, newid, format, name, old.sizeBytes);
  if (old.marker !== undefined) volume.marker = old.marker;
  drive.delete("format");
  if (!isFull && !isCloudInit(drive) && storage.type !== "lvmthin")
    volume.name = `${old.name}/${volume.name}`;
  return printDrive(drive.set("file", volumeId(volume)).set("size", formatSize(volume.sizeBytes)));
}

function makeTemplate(call: Call): Promise<string> {
  const vm = findVm(call);
  if (isTemplate(vm)) throw failure("you can't convert a template to a template");
  if (vm.isRunning) throw failure("you can't convert a VM to template if VM is running");
  return runTask(call, call.node, "qmtemplate", String(vm.vmid), () => {
    vm.config.set("template", "1");
    for (const [slot, volid] of volumesOf(vm)) {
      const base = makeBase(findVolume(call.cluster, vm.node, volid));
      vm.config.set(slot, printDrive(parseDrive(slot, vm.config.get(slot)!)!.set("file", base)));
    }
  });
}

export const copyRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "nodes/{node}/qemu/{vmid}/clone",
    parameters: {
      ...vmPlace,
      newid: vmid,
      name: optional(dns),
      description: optional(text),
      pool: optional(configId),
      snapname: optional(text),
      storage: optional(storageId),
      format: optional({ values: ["raw", "qcow2", "vmdk"] }),
      full: optional(flag),
      target: optional(nodeName),
      bwlimit: optional(natural),
    },
    allow: (call) => {
      call.check(`/vms/${call.vmid}`, "VM.Clone");
      const pool = call.get("pool");
      const isAllowed =
        call.may(`/vms/${call.get("newid") ?? ""}`, "VM.Allocate") ||
        (pool !== undefined && call.may(`/pool/${pool}`, "VM.Allocate"));
      if (!isAllowed) throw denied();
      findNode(call.cluster, call.node);
    },
    answer: clone,
  },
  {
    method: "POST",
    path: "nodes/{node}/qemu/{vmid}/template",
    parameters: { ...vmPlace, disk: optional({ values: [...driveSlots.keys()] }) },
    allow: (call) => call.check(`/vms/${call.vmid}`, "VM.Allocate"),
    answer: makeTemplate,
  },
];
