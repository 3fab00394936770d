import type { Call } from "./call.ts";
import { isCdrom, isCloudInit, isDriveSlot, isUnused, parseDrive } from "./drive.ts";
import { parseProperties } from "./property-string.ts";
import { hostPciFields, rightFor } from "./qemu-options.ts";
import { failure } from "./refusal.ts";

/** Who may set which option of a VM. */
type Options = Iterable<readonly [string, string]>;

/** A check on the VM, or on the pool that it is about to join. */
export function checkVm(
  call: Call,
  vmid: number,
  pool: string | undefined,
  ...privileges: readonly string[]
): void {
  if (pool !== undefined && call.may(`/pool/${pool}`, ...privileges)) return;
  call.check(`/vms/${vmid}`, ...privileges);
}

/** By the name of the option alone. */
export function checkOptionRights(
  call: Call,
  vmid: number,
  pool: string | undefined,
  names: Iterable<string>,
): void {
  if (call.isRoot) return;
  for (const name of names) {
    const right = rightFor(name);
    if (right === "value") continue;
    if (right === "root") throw failure(`only root can set '${name}' config`);
    if (right === "Cloudinit") {
      const isInPool =
        pool !== undefined && call.mayAny(`/pool/${pool}`, "VM.Config.Cloudinit", "VM.Config.Network");
      if (!isInPool) call.checkAny(`/vms/${vmid}`, "VM.Config.Cloudinit", "VM.Config.Network");
    } else checkVm(call, vmid, pool, `VM.Config.${right}`);
    if (name === "startup") call.check("/", "Sys.Modify");
  }
}

/** By what is in the option: devices of the host, serial ports, tags. */
export function checkValueRights(call: Call, vmid: number, pool: string | undefined, options: Options): void {
  if (call.isRoot) return;
  for (const [name, value] of options) {
    if (/^hostpci\d+$/.test(name)) checkHostPci(call, vmid, pool, name, value);
    if (/^serial\d+$/.test(name)) {
      if (value !== "socket") throw failure(`only root can set '${name}' config for real devices`);
      checkVm(call, vmid, pool, "VM.Config.HWType");
    }
    if (/^usb\d+$/.test(name)) throw failure(`only root can set '${name}' config for real devices`);
    if (name === "tags") checkVm(call, vmid, pool, "VM.Config.Options");
  }
}

function checkHostPci(call: Call, vmid: number, pool: string | undefined, name: string, value: string): void {
  const device = parseProperties(value, hostPciFields, name);
  if (typeof device === "string") throw failure(device);
  const mapping = device.get("mapping");
  if (device.has("host")) throw failure(`only root can set '${name}' config for non-mapped devices`);
  if (mapping === undefined) throw failure("either 'host' or 'mapping' must be set.");
  call.check(`/mapping/pci/${mapping}`, "Mapping.Use");
  checkVm(call, vmid, pool, "VM.Config.HWType");
}

/** Changing a drive that a VM already has, or giving it one later. */
export function checkDriveRights(call: Call, vmid: number, slot: string, value: string): void {
  const drive = parseDrive(slot, value);
  if (drive === undefined || !(isDriveSlot(slot) || isUnused(slot))) return;
  if (isCloudInit(drive)) checkVm(call, vmid, undefined, "VM.Config.Cloudinit", "VM.Config.CDROM");
  else checkVm(call, vmid, undefined, isCdrom(drive) ? "VM.Config.CDROM" : "VM.Config.Disk");
}
