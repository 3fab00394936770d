import { macRules } from "../../../domain/mac-rules.ts";
import { take } from "../../../domain/pool.ts";
import { spell } from "../../../problem.ts";
import type { Path } from "../../../problem.ts";
import { idsBeside, LAST_VM_ID } from "../disks.ts";
import type { Memory } from "../memory.ts";
import { disksOf } from "./disks.ts";
import { entries, entryOf, rule } from "./rule.ts";
import type { Config, Context } from "./rule.ts";

interface Claim {
  readonly id: number;
  readonly path: Path;
  /** Whether it is the data VM's. */
  readonly isData: boolean;
}

export const idRules = [
  rule("data-vm-id", ({ config }, say) => {
    for (const [name, { vm_id = 0 }] of entries(config.nodes)) {
      if (vm_id * 10 <= LAST_VM_ID) continue;
      const message = `the data VM would get the id ${vm_id}0, and Proxmox ends at ${LAST_VM_ID}`;
      say.error(["nodes", name, "vm_id"], message, { hint: "take an id with at most eight digits" });
    }
  }),

  rule("disk-ids", (context, say) => {
    for (const { name, vmId, disks, ids } of machinesShortOfIds(context)) {
      const message = `its ${disks} disks need VM ids that begin with ${vmId}, and only ${ids} of those are free up to ${LAST_VM_ID}`;
      say.error(["nodes", name, "vm_id"], message, {
        hint: "take an id with fewer digits, or make fewer volumes of type disk",
      });
    }
  }),

  rule("unique-vm-id", (context, say) => {
    const owners = new Map<number, Claim>();
    for (const claim of vmIds(context)) {
      const owner = owners.get(claim.id);
      if (owner === undefined) owners.set(claim.id, claim);
      // Where the machines have one id, their data VMs do too; that needs no saying.
      else if (!claim.isData || !owner.isData) {
        const message = `${subject(claim)} already the id of ${ownerOf(owner)}`;
        say.error(claim.path, message, { other: owner.path });
      }
    }
  }),

  rule("disk-vm-id", (context, say) => {
    const disks = diskIds(context);
    for (const claim of vmIds(context)) {
      const disk = disks.get(claim.id);
      if (disk === undefined) continue;
      say.error(claim.path, `${subject(claim)} the id of the VM that holds the disk ${disk}`, {
        hint: "take another vm_id; the disk's stays as it is",
      });
    }
  }),

  rule("volume-vmid", (context, say) => {
    const owners = new Map(vmIds(context).map((claim) => [claim.id, claim]));
    const disks = diskIds(context);
    for (const [name, { type, vmid }] of entries(context.config.volumes)) {
      if (type !== "proxmox-csi" || vmid === undefined) continue;
      const owner = owners.get(vmid);
      const place = { at: context.given.volumes?.[name]?.vmid === undefined ? "key" : "value" } as const;
      const path = place.at === "key" ? ["volumes", name] : ["volumes", name, "vmid"];
      const hint = "Proxmox would delete the volume with that VM; write vmid: with an id that no VM has";
      if (owner !== undefined) {
        const message = `vmid ${vmid} is the id of ${ownerOf(owner)}`;
        say.error(path, message, { ...place, hint, other: owner.path });
      } else if (disks.has(vmid)) {
        say.error(path, `vmid ${vmid} is the id of the VM that holds the disk ${disks.get(vmid)}`, {
          ...place,
          hint,
        });
      }
    }
  }),

  ...macRules<Config, Memory>(({ nodes }) =>
    entries(nodes).map(([name, { mac_address }]) => [["nodes", name, "mac_address"], mac_address]),
  ),
];

/** Every id that follows from the config, first those that the user wrote. */
function vmIds({ config }: Context): Claim[] {
  const nodes = entries(config.nodes).flatMap(([name, { vm_id }]) =>
    vm_id === undefined ? [] : [{ name, vm_id }],
  );
  return [
    ...nodes.map(({ name, vm_id }) => ({ id: vm_id, path: ["nodes", name, "vm_id"], isData: false })),
    ...nodes.map(({ name, vm_id }) => ({
      id: vm_id * 10,
      path: ["nodes", name, "vm_id"],
      isData: true,
    })),
  ];
}

function subject({ id, isData }: Claim): string {
  return isData ? `${id}, the id of its data VM, is` : `${id} is`;
}

function ownerOf({ path, isData }: Claim): string {
  return `${isData ? "the data VM of " : ""}${spell(path.slice(0, 2))}`;
}

/** Ids of the VMs that hold disk volumes, to the volume and its node. */
function diskIds({ memory }: Context): Map<number, string> {
  return new Map(Object.entries(memory?.disks ?? {}).map(([disk, { vm_id }]) => [vm_id, disk]));
}

/** Machines with disks that no id is left for, when ids are given out in the order of the allocation. */
function machinesShortOfIds(context: Context) {
  const { config, memory } = context;
  const machines = entries(config.nodes).flatMap(([name, node]) => {
    const { vm_id: vmId = 0 } = node;
    const known = disksOf(config, node).map((volume) => entryOf(memory?.disks, `${name}/${volume}`)?.vm_id);
    return vmId === 0 || vmId * 10 > LAST_VM_ID ? [] : [{ name, vmId, known }];
  });
  const used = new Set<number>();
  const use = (id: number | undefined): boolean => id !== undefined && used.add(id).has(id);
  vmIds(context).forEach(({ id }) => use(id));
  entries(config.volumes).forEach(([, { vmid }]) => use(vmid));
  machines.forEach(({ known }) => known.forEach(use));
  const retired = new Set([
    ...Object.values(memory?.retired.disks ?? {}).map(({ vm_id }) => vm_id),
    ...diskIds(context).keys(),
  ]);
  return machines
    .map(({ name, vmId, known }) => {
      const ids = known.filter((id) => use(id ?? take(idsBeside(vmId), used, retired))).length;
      return { name, vmId, disks: known.length, ids };
    })
    .filter(({ disks, ids }) => ids < disks);
}
