import { quote } from "../../../problem.ts";
import type { RememberedVolume } from "../memory.ts";
import { csiDisk, isShared } from "../resolve.ts";
import { formatMib, sizeMib } from "../sizes.ts";
import { blame, entries, entryOf, rule } from "./rule.ts";
import type { Config, Context, Say, Volume } from "./rule.ts";

const COPY = "make a new volume under another name and copy";

export const changedVolumeRules = [
  rule("changed-volume", (context, say) => {
    for (const [name, volume] of entries(context.config.volumes)) {
      const before = entryOf(context.memory?.volumes, name);
      if (before === undefined || before.type !== volume.type) continue;
      refuseShrinking(name, volume, before, say);
      if (context.surroundings.accept.has(name)) continue;
      if (volume.type === "proxmox-csi") compareCsi(context, name, volume, before, say);
      if (volume.type === "disk") compareDisk(context, name, volume, before, say);
    }
  }),
];

/** Whatever was done by hand, no disk got smaller. Nobody enforces the size of a directory. */
function refuseShrinking(name: string, volume: Volume, before: RememberedVolume, say: Say): void {
  const size = sizeMib(volume);
  if (volume.type === "directory" || size === undefined || size >= before.size_mib) return;
  const message = `is ${formatMib(before.size_mib)} and cannot become ${formatMib(size)}: a disk cannot shrink`;
  say.error(["volumes", name, "size"], message, { hint: COPY });
}

function compareCsi(
  { given, config }: Context,
  name: string,
  volume: Volume,
  before: RememberedVolume,
  say: Say,
): void {
  const refuse = (key: keyof Volume, from: unknown, to: unknown): void => {
    const { path, at, subject } = blame(given.volumes?.[name], ["volumes", name], key);
    const message = `${key === "vmid" ? "its disk " : subject}is ${quote(from)} and cannot become ${quote(to)}: the provider would lose the change without a word`;
    say.error(path, message, { at, hint: csiWay(key, name) });
  };
  const size = sizeMib(volume);
  if (size !== undefined && size > before.size_mib)
    refuse("size", formatMib(before.size_mib), formatMib(size));
  for (const key of ["node", "datastore", "format"] as const) {
    if (volume[key] !== undefined && volume[key] !== before[key]) refuse(key, before[key], volume[key]);
  }
  if (volume.datastore === before.datastore) compareShared(given, config, name, before, say);
  const disk = diskName(config, name, volume);
  const isSamePlace = volume.datastore === before.datastore && volume.format === before.format;
  if (disk !== undefined && isSamePlace && disk !== before.disk) refuse("vmid", before.disk, disk);
}

/** The handle of a PersistentVolume names the node, unless all nodes see the datastore. */
function compareShared(
  given: Config,
  config: Config,
  name: string,
  before: RememberedVolume,
  say: Say,
): void {
  const { datastore, shared } = before;
  if (shared === undefined || config.datastores === undefined) return;
  if (isShared(config as never, datastore) === shared) return;
  const isGiven = given.datastores?.[datastore]?.shared !== undefined;
  const path = isGiven ? ["datastores", datastore, "shared"] : ["volumes", name];
  const [was, now] = shared ? ["shared", "local"] : ["local", "shared"];
  const message = `${quote(datastore)} was ${was} and cannot become ${now}: the PersistentVolume of ${quote(name)} would be replaced under whatever uses it`;
  const former = `write datastores: { ${datastore}: { shared: ${shared} } }`;
  say.error(path, message, {
    at: isGiven ? "value" : "key",
    hint: `${former}; where no claim is bound to it, run with --accept ${name}`,
  });
}

function compareDisk(
  context: Context,
  name: string,
  volume: Volume,
  before: RememberedVolume,
  say: Say,
): void {
  if (volume.datastore === undefined || volume.datastore === before.datastore) return;
  const { path, at, subject } = blame(context.given.volumes?.[name], ["volumes", name], "datastore");
  const vms = Object.entries(context.memory?.disks ?? {}).filter(([key]) => key.endsWith(`/${name}`));
  const moves = vms.map(([, { vm_id }]) => `qm disk move ${vm_id} virtio0 ${volume.datastore} --delete 1`);
  const message = `${subject}is ${quote(before.datastore)} and cannot become ${quote(volume.datastore)}: the disks would be made anew, empty`;
  say.error(path, message, {
    at,
    hint: `by hand, with the machines shut down: ${moves.join(" && ")}, attach them again with qm set, then run with --accept ${name}`,
  });
}

function csiWay(key: keyof Volume, name: string): string {
  if (key === "size") {
    return `${COPY}; or grow it through its PersistentVolumeClaim, then run with --accept ${name}`;
  }
  return `${COPY}; or move the disk in Proxmox by hand, then run with --accept ${name}`;
}

/** Name of the disk, where all that goes into it is known. */
function diskName(config: Config, name: string, volume: Volume): string | undefined {
  const { vmid, datastore, format } = volume;
  if (vmid === undefined || datastore === undefined || format === undefined) return undefined;
  if (config.env === undefined || config.datastores === undefined) return undefined;
  return csiDisk(config as never, name, volume as never);
}
