import { parseProperties, printProperties, type Fields, type Parsed } from "./property-string.ts";
import type { Property } from "./schema.ts";
import { parseSize } from "./sizes.ts";

/** Drives of a VM: the slots that there are, and the options of each kind. */
export type Drive = Parsed;

const flag: Property = { type: "boolean", isOptional: true };
const some: Property = { isOptional: true };
const number: Property = { type: "number", isOptional: true };
const oneOf = (...values: readonly string[]): Property => ({ values, isOptional: true });
const size: Property = {
  isOptional: true,
  format: (value) => (parseSize(value) === undefined ? "value does not look like a valid size\n" : undefined),
};

const allocated = { file: {}, "import-from": some, format: oneOf("raw", "qcow2", "vmdk"), size };
const limits = ["bps", "bps_rd", "bps_wr", "iops", "iops_rd", "iops_wr", "mbps", "mbps_rd", "mbps_wr"];
const disk = {
  ...allocated,
  ...Object.fromEntries(
    limits.flatMap((name) => [
      [name, number],
      [`${name}_max`, number],
    ]),
  ),
  aio: oneOf("native", "threads", "io_uring"),
  backup: flag,
  cache: oneOf("none", "writethrough", "writeback", "unsafe", "directsync"),
  detect_zeroes: flag,
  discard: oneOf("ignore", "on"),
  media: oneOf("cdrom", "disk"),
  replicate: flag,
  rerror: oneOf("ignore", "report", "stop"),
  serial: { isOptional: true, maxLength: 60 },
  shared: flag,
  snapshot: flag,
  werror: oneOf("enospc", "ignore", "report", "stop"),
};
const wwn: Property = { isOptional: true, pattern: /^0x[0-9a-fA-F]{16}$/ };
const queues: Property = { type: "integer", minimum: 2, isOptional: true };

const kinds: Readonly<Record<string, { readonly count: number; readonly fields: Fields["fields"] }>> = {
  ide: { count: 4, fields: { ...disk, model: some, ssd: flag, wwn } },
  sata: { count: 6, fields: { ...disk, ssd: flag, wwn } },
  scsi: {
    count: 31,
    fields: {
      ...disk,
      iothread: flag,
      product: some,
      queues,
      ro: flag,
      scsiblock: flag,
      ssd: flag,
      vendor: some,
      wwn,
    },
  },
  virtio: { count: 16, fields: { ...disk, iothread: flag, ro: flag } },
  efidisk: {
    count: 1,
    fields: { ...allocated, efitype: oneOf("2m", "4m"), "pre-enrolled-keys": flag, "ms-cert": some },
  },
  tpmstate: { count: 1, fields: { ...allocated, version: oneOf("v1.2", "v2.0") } },
};

/** Every slot, and the options that a drive there may have. */
export const driveSlots: ReadonlyMap<string, Fields> = new Map(
  Object.entries(kinds).flatMap(([kind, { count, fields }]) =>
    Array.from(
      { length: count },
      (_, index) => [`${kind}${index}`, { fields, defaultField: "file" }] as const,
    ),
  ),
);

export const isDriveSlot = (key: string): boolean => driveSlots.has(key);
export const isUnused = (key: string): boolean => /^unused\d+$/.test(key);

/** Undefined for what is no drive or cannot be read. */
export function parseDrive(key: string, value: string): Drive | undefined {
  if (isUnused(key)) return new Map([["file", value]]);
  const fields = driveSlots.get(key);
  const parsed = fields && parseProperties(value, fields, key);
  return typeof parsed === "string" ? undefined : parsed;
}

export const printDrive = (drive: Drive): string => printProperties(drive, "file");

export const fileOf = (drive: Drive): string => drive.get("file") ?? "none";

export const isCloudInit = (drive: Drive): boolean =>
  /[:/]vm-\d+-cloudinit(\.\w+)?$|:cloudinit$/.test(fileOf(drive));
export const isCdrom = (drive: Drive): boolean => drive.get("media") === "cdrom";

/** `<storage>:<GiB>` asks for a new volume. */
export function newVolume(file: string): { readonly storage: string; readonly sizeGib: number } | undefined {
  const [, storage, sizeGib] = /^([^/:\s]+):(\d+(?:\.\d+)?)$/.exec(file) ?? [];
  return storage === undefined ? undefined : { storage, sizeGib: Number(sizeGib) };
}
