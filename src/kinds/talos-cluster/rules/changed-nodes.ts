import { quote } from "../../../problem.ts";
import type { RememberedNode } from "../memory.ts";
import { rememberedDisks, type Disk } from "./remembered.ts";
import { blame, entries, entryOf, rule } from "./rule.ts";
import type { Context, Node, Say } from "./rule.ts";

type Key = "datastore" | "disk_size" | "host_node" | "ip" | "machine_type" | "vm_id";

export const changedNodeRules = [
  rule("changed-node", (context, say) => {
    if (context.memory === undefined) return;
    const { byNode } = rememberedDisks(context.memory);
    for (const [name, node] of entries(context.config.nodes)) {
      const before = entryOf(context.memory.nodes, name);
      const disks = byNode.get(name) ?? [];
      if (before !== undefined) compareNode(context, { name, node, before, disks }, say);
    }
  }),
];

interface Change {
  readonly name: string;
  readonly node: Node;
  readonly before: RememberedNode;
  /** Of its disk volumes. */
  readonly disks: readonly Disk[];
}

function compareNode(
  { given, surroundings }: Context,
  { name, node, before, disks }: Change,
  say: Say,
): void {
  const refuse = (key: Key, why: string, hint: string): void => {
    const { path, at, subject } = blame(given.nodes?.[name], ["nodes", name], key);
    const message = `${subject}is ${quote(before[key])} and cannot become ${quote(node[key])}: ${why}`;
    say.error(path, message, { at, hint });
  };
  const isChanged = (key: Key): boolean => node[key] !== undefined && node[key] !== before[key];
  const anew = `take the node out and run with --allow-destroy ${name}, apply, and put it in again`;
  for (const key of ["vm_id", "machine_type"] as const) {
    if (isChanged(key)) refuse(key, "it would be another machine", anew);
  }
  if (node.disk_size !== undefined && node.disk_size < before.disk_size) {
    refuse("disk_size", "a disk cannot shrink", `write ${before.disk_size} or more; for less, ${anew}`);
  }
  if (surroundings.accept.has(name)) return;

  const { vm_id: id } = before;
  const accept = `then run with --accept ${name}`;
  const way = (commands: readonly string[]): string => `by hand: ${commands.join(" && ")}; ${accept}`;
  if (isChanged("host_node")) {
    // Proxmox moves no VM that holds a disk of another one, so the disks are unplugged first.
    const slots = ["scsi1", ...disks.map(({ slot }) => `virtio${slot}`)].join(",");
    const moves = [id, id * 10, ...disks.map(({ vmId }) => vmId)].map(
      (vm) => `qm migrate ${vm} ${node.host_node}`,
    );
    const attach = `qm set ${id} --scsi1 ${before.datastore}:<the disk of ${id * 10}>`;
    const steps = [`qm shutdown ${id}`, `qm set ${id} --delete ${slots}`, ...moves, attach, `qm start ${id}`];
    refuse("host_node", "the machine would leave its disks behind", way(steps));
  }
  if (isChanged("datastore")) {
    const moves = [id, id * 10].map((vm) => `qm disk move ${vm} scsi0 ${node.datastore} --delete 1`);
    const attach = `qm set ${id} --scsi1 ${node.datastore}:<the disk of ${id * 10}>`;
    refuse("datastore", "its disks would be made anew, empty", way([`qm shutdown ${id}`, ...moves, attach]));
  }
  if (isChanged("ip")) {
    const edit = `talosctl --nodes ${before.ip} edit machineconfig, write ${node.ip} for ${before.ip}`;
    refuse(
      "ip",
      "the new configuration would be sent where nobody listens yet",
      `by hand: ${edit}; ${accept}`,
    );
  }
}
