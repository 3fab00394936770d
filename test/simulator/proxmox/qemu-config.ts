import { free } from "./allocation.ts";
import type { Call } from "./call.ts";
import type { Vm } from "./cluster.ts";
import { createDisks } from "./disks.ts";
import { fileOf, isCdrom, isCloudInit, isDriveSlot, isUnused, parseDrive } from "./drive.ts";
import { checkDriveSyntax, checkStorageAccess } from "./drive-checks.ts";
import { flag, optional, splitList, storageId, text } from "./formats.ts";
import { checkBridgeAccess, isNetworkDevice, normalNetwork } from "./network.ts";
import { isOption, numericOptions, updateSchema, vmPlace } from "./qemu-options.ts";
import { failure, invalid } from "./refusal.ts";
import type { Route } from "./router.ts";
import { parseVolumeId } from "./storage.ts";
import { runTask } from "./tasks.ts";
import { checkDriveRights, checkOptionRights, checkValueRights } from "./vm-rights.ts";
import {
  addUnused,
  bootOrder,
  checkProtection,
  digestOf,
  findVm,
  isOwner,
  noteSharing,
  showToGuest,
  uniqueTags,
} from "./vms.ts";

/** `nodes/{node}/qemu/{vmid}/config`. Changes apply at once; of a running VM, too. */
function read(call: Call): Readonly<Record<string, unknown>> {
  const vm = findVm(call);
  const shown = [...vm.config].map(([key, value]) => [key, numericOptions.has(key) ? Number(value) : value]);
  return { ...Object.fromEntries(shown), digest: digestOf(vm) };
}

interface Change {
  readonly vm: Vm;
  readonly options: ReadonlyMap<string, string>;
  readonly deleted: readonly string[];
}

/** What is refused before a task is started. */
function prepare(call: Call): Change {
  const options = new Map(
    call.parameters.names.filter(isOption).map((name) => [name, call.need(name)] as const),
  );
  const deleted = splitList(call.get("delete") ?? "");
  if (deleted.length === 0 && options.size === 0 && !call.parameters.has("revert"))
    throw failure("no options specified");
  for (const name of deleted) {
    if (options.has(name))
      throw invalid({ delete: `you can't use '-${name}' and -delete ${name}' at the same time` });
    if (!isOption(name)) throw invalid({ delete: `unknown option '${name}'` });
  }
  checkDriveSyntax(options);
  checkOptionRights(call, call.vmid, undefined, [...deleted, ...options.keys()]);
  checkStorageAccess(call, call.vmid, options);
  checkBridgeAccess(call, options);
  const vm = findVm(call);
  const digest = call.get("digest");
  if (digest !== undefined && digest !== digestOf(vm))
    throw failure("checksum mismatch (file change by other user?)");
  const balloon = Number(options.get("balloon") ?? vm.config.get("balloon") ?? 0);
  const memory = Number((options.get("memory") ?? vm.config.get("memory") ?? "512").replace("current=", ""));
  if ((options.has("memory") || options.has("balloon")) && balloon > memory)
    throw failure("balloon value too large (must be smaller than assigned memory)");
  return { vm, options, deleted };
}

function apply(call: Call, { vm, options, deleted }: Change): void {
  for (const name of deleted) remove(call, vm, name);
  for (const [name, value] of options) set(call, vm, name, value, options, deleted);
  noteSharing(call.cluster, vm);
}

function remove(call: Call, vm: Vm, name: string): void {
  const value = vm.config.get(name);
  if (value === undefined) return;
  if (isDriveSlot(name) || isUnused(name)) {
    checkProtection(
      vm,
      isUnused(name) ? `can't remove unused disk '${value}'` : `can't remove drive '${name}'`,
    );
    checkDriveRights(call, vm.vmid, name, value);
    if (vm.isRunning && bootOrder(vm.config)[0] === name)
      throw invalid({ [name]: `hotplug problem - can't unplug bootdisk '${name}'` });
  }
  checkValueRights(call, vm.vmid, undefined, [[name, value]]);
  vm.config.delete(name);
  if (isUnused(name)) {
    call.check(`/storage/${parseVolumeId(value)!.storage}`, "Datastore.AllocateSpace");
    free(call.cluster, vm.node, value);
  } else release(call, vm, name, value);
  const order = bootOrder(vm.config);
  if (order.includes(name))
    vm.config.set("boot", `order=${order.filter((device) => device !== name).join(";")}`);
}

/** A drive that is taken out: kept as unused if the VM owns it, forgotten if another does. */
function release(call: Call, vm: Vm, slot: string, value: string): void {
  const drive = isDriveSlot(slot) ? parseDrive(slot, value) : undefined;
  if (drive === undefined) return;
  const file = fileOf(drive);
  vm.guestSizes.delete(file);
  if (isCloudInit(drive)) free(call.cluster, vm.node, file);
  else if (!isCdrom(drive) && isOwner(call.cluster, vm.vmid, file)) {
    if (call.isSet("force")) free(call.cluster, vm.node, file);
    else addUnused(vm, file);
  }
}

function set(
  call: Call,
  vm: Vm,
  name: string,
  value: string,
  options: ReadonlyMap<string, string>,
  deleted: readonly string[],
): void {
  const old = vm.config.get(name);
  if (isDriveSlot(name)) {
    if (old !== undefined) checkDriveRights(call, vm.vmid, name, old);
    checkDriveRights(call, vm.vmid, name, value);
    const created = createDisks(call, vm, [[name, value]]).get(name)!;
    const [before, after] = [old && fileOf(parseDrive(name, old)!), fileOf(parseDrive(name, created)!)];
    vm.config.set(name, created);
    if (old !== undefined && before !== after) {
      if (before !== "none")
        call.cluster.hazards.push(`slot ${name} of VM ${vm.vmid} held ${before}, now it holds ${after}`);
      release(call, vm, name, old);
    }
    for (const [key, volid] of vm.config) if (isUnused(key) && volid === after) vm.config.delete(key);
    if (before !== after) showToGuest(call.cluster, vm, after);
    return;
  }
  checkValueRights(call, vm.vmid, undefined, [[name, value]]);
  if (name === "boot") {
    const missing = bootOrder(new Map([[name, value]])).find(
      (device) => deleted.includes(device) || !(vm.config.has(device) || options.has(device)),
    );
    if (missing !== undefined) throw failure(`invalid bootorder: device '${missing}' does not exist'`);
  }
  if (isNetworkDevice(name)) vm.config.set(name, normalNetwork(value));
  else vm.config.set(name, name === "tags" ? uniqueTags(value) : value);
}

const configRights = ["Disk", "CDROM", "CPU", "Memory", "Network", "HWType", "Options", "Cloudinit"].map(
  (name) => `VM.Config.${name}`,
);
const mayConfigure = (call: Call): void => call.checkAny(`/vms/${call.vmid}`, ...configRights);

export const configRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "nodes/{node}/qemu/{vmid}/config",
    parameters: { ...vmPlace, current: optional(flag), snapshot: optional(text) },
    allow: (call) => call.check(`/vms/${call.vmid}`, "VM.Audit"),
    answer: read,
  },
  {
    method: "PUT",
    path: "nodes/{node}/qemu/{vmid}/config",
    parameters: updateSchema,
    allow: mayConfigure,
    answer: (call) => apply(call, prepare(call)),
  },
  {
    method: "POST",
    path: "nodes/{node}/qemu/{vmid}/config",
    parameters: {
      ...updateSchema,
      background_delay: optional({ type: "integer", minimum: 1, maximum: 30 }),
      "import-working-storage": optional(storageId),
    },
    allow: mayConfigure,
    answer: (call) => {
      const change = prepare(call);
      return runTask(call, call.node, "qmconfig", String(call.vmid), () => apply(call, change));
    },
  },
  {
    method: "PUT",
    path: "nodes/{node}/qemu/{vmid}/cloudinit",
    parameters: vmPlace,
    allow: (call) => call.check(`/vms/${call.vmid}`, "VM.Config.Cloudinit"),
    answer: (call) => void findVm(call),
  },
];
