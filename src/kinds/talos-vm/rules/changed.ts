import { quote } from "../../../problem.ts";
import { blame, entries, entryOf, type Say } from "../../../rule.ts";
import { hasGpu } from "../gpu.ts";
import type { RememberedVm } from "../memory.ts";
import { rule, type Context, type Vm } from "./rule.ts";

type Key = "disk_gb" | "disk_pool" | "node";

export const changedRules = [
  rule("changed-vm", (context, say) => {
    for (const [name, vm] of entries(context.config.vms)) {
      const before = entryOf(context.memory?.vms, name);
      if (before !== undefined) compareVm(context, { name, vm, before }, say);
    }
  }),

  rule("changed-template", ({ config, memory }, say) => {
    for (const [name, { template }] of entries(config.vms)) {
      const before = entryOf(memory?.vms, name)?.template;
      if (before === undefined || template === undefined || before === String(template)) continue;
      const message = `was ${quote(before)}, and nothing happens to the VM that was cloned from it`;
      say.warning(["vms", name, "template"], message, {
        hint: "upgrade it with talosctl upgrade; README.md of the tree has the line that makes it anew",
      });
    }
  }),

  rule("destroyed", ({ config, memory, surroundings: { allowDestroy } }, say) => {
    if (config.vms === undefined) return;
    for (const [name, { node, disk_pool }] of Object.entries(memory?.vms ?? {})) {
      if (Object.hasOwn(config.vms, name) || allowDestroy.has(name)) continue;
      const message = `VM ${quote(name)} is gone from here, which destroys it on ${node}, with its disk on ${disk_pool}`;
      say.error(["vms"], message, {
        at: "key",
        hint: `put it back, or run with --allow-destroy ${name}`,
      });
    }
  }),
];

interface Change {
  readonly name: string;
  readonly vm: Vm;
  readonly before: RememberedVm;
}

function compareVm({ given, surroundings }: Context, { name, vm, before }: Change, say: Say): void {
  const refuse = (key: Key, why: string, hint: string): void => {
    const { path, at, subject } = blame(given.vms?.[name], ["vms", name], key);
    const message = `${subject}is ${quote(before[key])} and cannot become ${quote(vm[key])}: ${why}`;
    say.error(path, message, { at, hint });
  };
  if (vm.disk_gb !== undefined && vm.disk_gb < before.disk_gb) {
    const anew = `take the VM out and run with --allow-destroy ${name}, apply, and put it in again`;
    refuse("disk_gb", "a disk cannot shrink", `write ${before.disk_gb} or more; for less, ${anew}`);
  }
  if (surroundings.accept.has(name)) return;

  const isChanged = (key: Key): boolean => vm[key] !== undefined && vm[key] !== before[key];
  const byHand = (line: string): string =>
    `by hand, with the VMID of tofu output vms: ${line}; then run with --accept ${name}`;
  if (isChanged("node")) {
    const why = "the apply would move the running VM and its disk";
    refuse("node", why, byHand(moveLine(vm)));
  }
  const untouched = "an apply leaves the disk of a VM that exists alone";
  if (isChanged("disk_pool")) {
    refuse("disk_pool", untouched, byHand(`qm disk move <vmid> scsi0 ${vm.disk_pool} --delete 1`));
  }
  if (vm.disk_gb !== undefined && vm.disk_gb > before.disk_gb) {
    refuse("disk_gb", untouched, byHand(`qm disk resize <vmid> scsi0 ${vm.disk_gb}G`));
  }
}

/** Proxmox moves no VM that holds a device of its node; the next apply gives it the one of the other node. */
function moveLine(vm: Vm): string {
  const move = `qm migrate <vmid> ${vm.node}`;
  return hasGpu(vm)
    ? `qm shutdown <vmid> && qm set <vmid> --delete hostpci0 && ${move}`
    : `${move} --online --with-local-disks`;
}
