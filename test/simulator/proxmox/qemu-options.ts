import { driveSlots } from "./drive.ts";
import {
  configIdList,
  digest,
  dns,
  flag,
  natural,
  nodeName,
  optional,
  tagList,
  text,
  vmid,
} from "./formats.ts";
import { networkFields } from "./network.ts";
import { propertyString, type Fields } from "./property-string.ts";
import type { Property, Schema } from "./schema.ts";

/** The options of a VM: what each may hold, and who may set it. */
type Right =
  | "CPU"
  | "Cloudinit"
  | "Disk"
  | "HWType"
  | "Memory"
  | "Network"
  | "Options"
  /** Depends on the value, or on the kind of drive. */
  | "value"
  /** Not classified, so root's alone. */
  | "root";

const oneOf = (...values: readonly string[]): Property => ({ values });
const integer = (minimum: number, maximum: number): Property => ({ type: "integer", minimum, maximum });
const fields = (names: string, defaultField?: string): Property =>
  propertyString({
    fields: Object.fromEntries(names.split(" ").map((name) => [name, { isOptional: true }])),
    ...(defaultField === undefined ? {} : { defaultField }),
  });
const family = (name: string, count: number, property: Property, right: Right): Options =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, { property, right }]));

const cidr = (value: string): string | undefined =>
  /^\d{1,3}(\.\d{1,3}){3}\/\d{1,2}$/.test(value) ? undefined : "value does not look like a valid IPv4 CIDR\n";
const address: Property = { isOptional: true, pattern: /^\d{1,3}(\.\d{1,3}){3}$/ };
const ipConfig: Fields = {
  fields: {
    ip: { isOptional: true, format: (value) => (value === "dhcp" ? undefined : cidr(value)) },
    gw: address,
    ip6: { isOptional: true },
    gw6: { isOptional: true },
  },
};

export const hostPciFields: Fields = {
  fields: {
    host: { isOptional: true, pattern: /^([0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}(\.[0-9a-f])?(;.*)?$/i },
    mapping: { isOptional: true, pattern: /^[a-z][a-z0-9_-]+$/i },
    ...Object.fromEntries(
      ["pcie", "rombar", "x-vga", "legacy-igd"].map((name) => [name, { ...flag, isOptional: true }]),
    ),
    ...Object.fromEntries(
      ["romfile", "mdev", "vendor-id", "device-id", "sub-vendor-id", "sub-device-id"].map((name) => [
        name,
        { isOptional: true },
      ]),
    ),
  },
  defaultField: "host",
};

type Options = Readonly<Record<string, { readonly property: Property; readonly right: Right }>>;

const group = (right: Right, properties: Readonly<Record<string, Property>>): Options =>
  Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, { property, right }]));

const options: Options = {
  ...group("CPU", {
    cores: integer(1, 1e6),
    cpu: fields(
      "cputype flags hidden hv-vendor-id phys-bits reported-model level guest-phys-bits",
      "cputype",
    ),
    cpulimit: { type: "number", minimum: 0, maximum: 128 },
    cpuunits: integer(1, 262144),
    numa: flag,
    sockets: integer(1, 1e6),
    vcpus: integer(1, 1e6),
  }),
  ...group("Memory", { balloon: natural, memory: { pattern: /^(current=)?\d+$/ }, shares: natural }),
  ...group("HWType", {
    acpi: flag,
    audio0: fields("device driver", "device"),
    hotplug: text,
    kvm: flag,
    machine: {
      pattern:
        /^((pc|pc(-i440fx)?-\d+(\.\d+)+(\+pve\d+)?|q35|pc-q35-\d+(\.\d+)+(\+pve\d+)?|virt(-\d+(\.\d+)+)?)(,.*)?)$/,
    },
    rng0: fields("source max_bytes period", "source"),
    scsihw: oneOf("lsi", "lsi53c810", "virtio-scsi-pci", "virtio-scsi-single", "megasas", "pvscsi"),
    smbios1: fields("uuid version serial manufacturer product sku family base64"),
    tablet: flag,
    vga: fields("type memory clipboard", "type"),
    watchdog: fields("model action", "model"),
  }),
  ...group("Options", {
    agent: fields("enabled freeze-fs-on-backup fstrim_cloned_disks type", "enabled"),
    autostart: flag,
    bios: oneOf("seabios", "ovmf"),
    description: { maxLength: 8192 },
    keyboard: text,
    localtime: flag,
    name: dns,
    onboot: flag,
    ostype: oneOf(
      "other",
      "wxp",
      "w2k",
      "w2k3",
      "w2k8",
      "wvista",
      "win7",
      "win8",
      "win10",
      "win11",
      "l24",
      "l26",
      "solaris",
    ),
    protection: flag,
    reboot: flag,
    startup: text,
    template: flag,
  }),
  ...group("Disk", { boot: fields("legacy order", "legacy"), bootdisk: text, vmstatestorage: text }),
  ...group("Cloudinit", {
    cicustom: text,
    cipassword: text,
    citype: oneOf("configdrive2", "nocloud", "opennebula"),
    ciupgrade: flag,
    ciuser: text,
    nameserver: {
      format: (value) =>
        /^[0-9a-fA-F.:\s,;]+$/.test(value) ? undefined : "value does not look like a valid IP address\n",
    },
    searchdomain: text,
    sshkeys: text,
  }),
  ...family("ipconfig", 32, propertyString(ipConfig), "Cloudinit"),
  ...family("net", 32, propertyString(networkFields), "Network"),
  ...family("numa", 8, text, "CPU"),
  ...family("hostpci", 16, propertyString(hostPciFields), "value"),
  ...family("serial", 4, { pattern: /^(\/dev\/.+|socket)$/ }, "value"),
  ...family("usb", 14, text, "value"),
  ...family("virtiofs", 10, text, "value"),
  ...family("unused", 256, text, "value"),
  ...group("value", { tags: tagList }),
  ...group("root", {
    affinity: text,
    "amd-sev": text,
    arch: text,
    args: text,
    freeze: flag,
    hookscript: text,
    lock: text,
    vmgenid: text,
  }),
  ...Object.fromEntries(
    [...driveSlots].map(([slot, drive]) => [
      slot,
      { property: propertyString(drive), right: "value" as const },
    ]),
  ),
};

export const isOption = (name: string): boolean => Object.hasOwn(options, name);
export const rightFor = (name: string): Right => options[name]?.right ?? "root";

export const optionSchema: Schema = Object.fromEntries(
  Object.entries(options).map(([name, { property }]) => [name, optional(property)]),
);

export const vmPlace = { node: nodeName, vmid };

export const updateSchema: Schema = {
  ...optionSchema,
  ...vmPlace,
  skiplock: optional(flag),
  delete: optional(configIdList),
  revert: optional(configIdList),
  force: optional({ ...flag, requires: "delete" }),
  digest: optional(digest),
};

/** Written as numbers in answers. */
export const numericOptions = new Set(
  Object.entries(options)
    .filter(([, { property }]) => property.type === "boolean" || property.type === "integer")
    .map(([name]) => name),
);
