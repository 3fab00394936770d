import type { Cluster, Vm } from "./cluster.ts";
import { fileOf, isCdrom, isDriveSlot, parseDrive } from "./drive.ts";
import { lookUp } from "./storage.ts";

/** A disk as the guest sees it. */
export interface GuestDisk {
  /** `scsi1`. */
  readonly slot: string;
  readonly bus: string;
  readonly index: number;
  readonly volid: string;
  readonly sizeBytes: number;
  /** The option; the guest sees it on virtio, IDE and SATA. */
  readonly serial: string;
  readonly wwn: string;
  readonly isCdrom: boolean;
}

/** In the order of bus and slot. A running guest does not see what was resized behind its back. */
export function disksOf(cluster: Cluster, vm: Vm): readonly GuestDisk[] {
  return [...vm.config]
    .flatMap(([slot, value]): readonly GuestDisk[] => {
      const drive = isDriveSlot(slot) ? parseDrive(slot, value) : undefined;
      const [, bus, index] = /^(ide|sata|scsi|virtio)(\d+)$/.exec(slot) ?? [];
      if (drive === undefined || bus === undefined) return [];
      const volid = fileOf(drive);
      const sizeBytes = vm.guestSizes.get(volid) ?? lookUp(cluster, vm.node, volid)?.sizeBytes ?? 0;
      const [serial, wwn] = [drive.get("serial") ?? "", drive.get("wwn") ?? ""];
      return [{ slot, bus, index: Number(index), volid, sizeBytes, serial, wwn, isCdrom: isCdrom(drive) }];
    })
    .sort((a, b) => (a.bus === b.bus ? a.index - b.index : a.bus < b.bus ? -1 : 1));
}
