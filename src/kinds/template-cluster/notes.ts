import { shell } from "../../rendering/prose.ts";
import { resourceOf } from "./address.ts";
import type { Memory, RememberedNode } from "./memory.ts";
import type { Model } from "./model.ts";

/** What the user has to do around the next apply, for what this run took away, lifted or renewed. */
export function notes({ lifted, memory: next }: Model, last: Memory | undefined): string[] {
  if (last === undefined) return [];
  const gone = Object.entries(last.nodes).filter(([name]) => next.nodes[name] === undefined);
  return [
    ...gone.map(([name, node]) => goneNode(name, node)),
    ...lifted.map((name) => liftedNode(name)),
    ...(last.image === next.image ? [] : [newTemplates()]),
  ];
}

function goneNode(name: string, node: RememberedNode): string {
  const leave = node.role === "controlplane" ? [`  talosctl --nodes ${addressOf(node)} etcd leave`] : [];
  return [
    `${name} is destroyed by the next apply. Run:`,
    `  kubectl drain ${shell(name)} --ignore-daemonsets --delete-emptydir-data`,
    ...leave,
    "  tofu apply",
    `  kubectl delete node ${shell(name)}`,
  ].join("\n");
}

function liftedNode(name: string): string {
  return [
    `${name} is not protected until you generate without --allow-destroy ${name}. To rebuild it, README.md has the lines;`,
    "the one that replaces it is:",
    `  tofu apply -replace=${shell(resourceOf("released_controlplane", name))}`,
  ].join("\n");
}

function newTemplates(): string {
  return "The next apply replaces the templates and leaves all machines as they are. Then rebuild one machine after the other: README.md has the lines.";
}

function addressOf({ ip }: RememberedNode): string {
  return ip === "" ? "<its address>" : ip;
}
