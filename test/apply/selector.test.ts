import { test } from "uvu";
import * as assert from "uvu/assert";
import type { GuestDisk } from "../simulator/proxmox/guest.ts";
import { matching } from "./selector.ts";

const disk = (slot: string, serial = "", isCdrom = false): GuestDisk => {
  const [, bus = "", index] = /^(\D+)(\d+)$/.exec(slot) ?? [];
  return { slot, bus, index: Number(index), volid: slot, sizeBytes: 0, serial, wwn: "", isCdrom };
};

const disks = [
  disk("ide2", "", true),
  disk("scsi0"),
  disk("scsi1"),
  disk("virtio1", "logs"),
  disk("virtio2", "a-name-of-more-than-20"),
];

for (const [selector, slots] of [
  ["system_disk", ["scsi0"]],
  ["!system_disk && !disk.cdrom && !disk.readonly", ["scsi1", "virtio1", "virtio2"]],
  ['!system_disk && !disk.cdrom && !(disk.serial in ["logs","a-name-of-more-than-"])', ["scsi1"]],
  ['disk.serial == "logs"', ["virtio1"]],
  ['disk.serial == "a-name-of-more-than-20"', []],
  ['disk.serial == ""', ["ide2", "scsi0", "scsi1"]],
  ['(disk.serial == "logs")', ["virtio1"]],
] as const) {
  test(`${selector} matches ${slots.join(", ") || "nothing"}`, () => {
    assert.equal(
      matching(selector, disks).map(({ slot }) => slot),
      slots,
    );
  });
}

for (const selector of [
  "disk.size > 10u * GiB",
  "disk.wwid",
  "disk.serial",
  "system_disk &&",
  "(system_disk",
]) {
  test(`${selector} is not understood rather than guessed`, () => {
    assert.throws(() => matching(selector, disks));
  });
}

test.run();
