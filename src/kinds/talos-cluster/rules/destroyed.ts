import { list, quote } from "../../../problem.ts";
import type { Path } from "../../../problem.ts";
import type { Memory, RememberedVolume } from "../memory.ts";
import { disksOf } from "./disks.ts";
import { rememberedDisks } from "./remembered.ts";
import type { Disk } from "./remembered.ts";
import { entries, entryOf, rule } from "./rule.ts";
import type { Context } from "./rule.ts";

export const destroyedRules = [
  rule("destroyed", ({ config, memory, surroundings: { allowDestroy } }, say) => {
    if (memory === undefined || config.nodes === undefined || config.volumes === undefined) return;
    const { nodes, volumes } = config;
    const disks = rememberedDisks(memory);
    const refuse = (path: Path, name: string, message: string): void => {
      if (allowDestroy.has(name)) return;
      say.error(path, message, { at: "key", hint: `put it back, or run with --allow-destroy ${name}` });
    };

    for (const [name, { vm_id }] of Object.entries(memory.nodes)) {
      if (Object.hasOwn(nodes, name)) continue;
      const own = disks.byNode.get(name) ?? [];
      const more = own.map(({ volume, vmId }) => `the disk of volume ${quote(volume)} (VM ${vmId})`);
      const lost = list([`VM ${vm_id}`, `its data VM ${vm_id}0 with /var`, ...more], "and");
      refuse(["nodes"], name, `node ${quote(name)} is gone from here, which destroys ${lost}`);
    }
    for (const [name, before] of Object.entries(memory.volumes)) {
      const type = entryOf(volumes, name)?.type;
      const isThere = Object.hasOwn(volumes, name);
      if (isThere && (type === undefined || type === before.type)) continue;
      const what = isThere
        ? `the type is ${quote(before.type)} and becomes ${quote(type)}`
        : `volume ${quote(name)} is gone from here`;
      const path = isThere ? ["volumes", name] : ["volumes"];
      refuse(path, name, `${what}, which ${lossOf(name, before, disks.byVolume.get(name) ?? [])}`);
    }
    refuseSingleDisks({ config, memory, allowDestroy }, disks.byVolume, refuse);
  }),
];

/** Disks of volumes and nodes that both stay, where the volume no longer names that type of machine. */
function refuseSingleDisks(
  {
    config,
    memory,
    allowDestroy,
  }: Pick<Context, "config"> & { memory: Memory; allowDestroy: ReadonlySet<string> },
  byVolume: ReadonlyMap<string, readonly Disk[]>,
  refuse: (path: Path, name: string, message: string) => void,
): void {
  for (const [name, volume] of entries(config.volumes)) {
    if (volume.type !== "disk" || volume.machine_type === undefined) continue;
    const lost = (byVolume.get(name) ?? []).filter(({ node }) => {
      const machine = entryOf(config.nodes, node);
      const isSameType =
        machine?.machine_type !== undefined && machine.machine_type === memory.nodes[node]?.machine_type;
      return isSameType && !allowDestroy.has(node) && !disksOf(config, machine).includes(name);
    });
    if (lost.length === 0) continue;
    const message = `only ${volume.machine_type} machines get this volume, which destroys ${diskList(lost)}`;
    refuse(["volumes", name, "machine_type"], name, message);
  }
}

function lossOf(
  name: string,
  { type, datastore, disk, node }: RememberedVolume,
  disks: readonly Disk[],
): string {
  if (type === "directory")
    return `leaves its files in /var/mnt/${name} of each machine, where nothing uses them`;
  if (type === "disk") return disks.length === 0 ? "destroys no disk" : `destroys ${diskList(disks)}`;
  return `destroys the PersistentVolume ${quote(name)} and its disk ${datastore}:${disk} on ${node}`;
}

function diskList(disks: readonly Disk[]): string {
  return list(
    disks.map(({ node, vmId }) => `its disk on node ${quote(node)} (VM ${vmId})`),
    "and",
  );
}
