import { shell } from "../../rendering/prose.ts";
import type { Memory } from "./memory.ts";

/** What the user has to do around the next apply, for what this run took away. */
export function notes(next: Memory, last: Memory | undefined): string[] {
  return Object.keys(last?.vms ?? {})
    .filter((name) => !Object.hasOwn(next.vms, name))
    .map(goneVm);
}

function goneVm(name: string): string {
  return [
    `${name} is destroyed by the next apply, with its disk. If it is part of a cluster, run before:`,
    `  kubectl drain ${shell(name)} --ignore-daemonsets --delete-emptydir-data`,
    "  talosctl --nodes <its address> reset --graceful",
    `  kubectl delete node ${shell(name)}`,
  ].join("\n");
}
