import type { Call } from "./call.ts";
import { denied, failure, Refusal } from "./refusal.ts";
import { findStorage, parseVolumeId, parseVolumeName } from "./storage.ts";

/** Whether the caller may read a volume, for the VM that it is meant for, if any. */
export function checkVolumeAccess(call: Call, vmid: number | undefined, volid: string): void {
  const id = parseVolumeId(volid);
  if (id === undefined) {
    if (!call.isRoot) throw failure("Only root can pass arbitrary filesystem paths.");
    return;
  }
  const { content, owner } = parseVolumeName(findStorage(call.cluster, id.storage), id.name);
  const path = `/storage/${id.storage}`;
  if (call.may(path, "Datastore.Allocate")) return;
  if (content === "iso" || content === "vztmpl" || content === "import")
    call.checkAny(path, "Datastore.AllocateSpace", "Datastore.Audit");
  else if (owner !== undefined && owner === vmid) return;
  else if (content === "images" && owner !== undefined) {
    call.check(path, "Datastore.Audit");
    call.check(`/vms/${owner}`, "VM.Config.Disk");
  } else throw failure(`missing privileges to access ${volid}`);
}

export function mayReadVolume(call: Call, volid: string): boolean {
  try {
    checkVolumeAccess(call, undefined, volid);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** Some checks name no privilege. */
export function insist(isAllowed: boolean): void {
  if (!isAllowed) throw denied();
}
