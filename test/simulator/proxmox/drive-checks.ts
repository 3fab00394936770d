import type { Call } from "./call.ts";
import { fileOf, isCdrom, isDriveSlot, newVolume, parseDrive, type Drive } from "./drive.ts";
import { invalid } from "./refusal.ts";
import { findStorage, parseVolumeId, parseVolumeName } from "./storage.ts";
import { checkVolumeAccess } from "./volume-access.ts";

/** What is checked of drives before anything is done. */
export function drivesIn(
  options: Iterable<readonly [string, string]>,
): readonly (readonly [string, Drive])[] {
  return [...options]
    .filter(([slot]) => isDriveSlot(slot))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([slot, value]) => {
      const drive = parseDrive(slot, value);
      if (drive === undefined) throw invalid({ [slot]: "unable to parse drive options" });
      return [slot, drive] as const;
    });
}

export function checkDriveSyntax(options: Iterable<readonly [string, string]>): void {
  for (const [slot, drive] of drivesIn(options)) {
    if (!drive.has("import-from") || newVolume(fileOf(drive))?.sizeGib === 0) continue;
    throw invalid({
      [slot]: "'import-from' requires special syntax - use <storage ID>:0,import-from=<source>",
    });
  }
}

/** The storages that drives use must take images, and the caller must have a right to them. */
export function checkStorageAccess(
  call: Call,
  vmid: number,
  options: Iterable<readonly [string, string]>,
): void {
  for (const [slot, drive] of drivesIn(options)) {
    const file = fileOf(drive);
    const wanted = newVolume(file);
    if (file === "none" || file.endsWith(":cloudinit")) continue;
    if (file === "cdrom") call.check("/", "Sys.Console");
    else if (wanted !== undefined && !isCdrom(drive)) {
      call.check(`/storage/${wanted.storage}`, "Datastore.AllocateSpace");
      if (!findStorage(call.cluster, wanted.storage).content.includes("images"))
        throw invalid({ storage: `storage '${wanted.storage}' does not support vm images` });
    } else {
      checkVolumeAccess(call, vmid, file);
      const content = contentOf(call, file);
      if (content !== undefined && content !== "images" && content !== "iso")
        throw invalid({ [slot]: "content type needs to be 'images' or 'iso'" });
    }
    checkSource(call, vmid, slot, drive.get("import-from"));
  }
}

function checkSource(call: Call, vmid: number, slot: string, source: string | undefined): void {
  if (source === undefined) return;
  const content = contentOf(call, source);
  if (content !== undefined && content !== "images" && content !== "import")
    throw invalid({ [slot]: `${source} has wrong type '${content}' - needs to be 'images' or 'import'` });
  const owner = /[:/](?:vm|base)-(\d+)-/.exec(source)?.[1];
  if (content === "images" && owner !== undefined) call.check(`/vms/${owner}`, "VM.Clone");
  else checkVolumeAccess(call, vmid, source);
}

function contentOf(call: Call, volid: string): string | undefined {
  const id = parseVolumeId(volid);
  return id && parseVolumeName(findStorage(call.cluster, id.storage), id.name).content;
}
