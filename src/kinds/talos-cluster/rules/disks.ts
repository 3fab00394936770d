import { entries } from "./rule.ts";
import type { Config, Node } from "./rule.ts";

/** Names of the disk volumes by the type of machine that gets them, worked out once for each config. */
const cache = new WeakMap<Config, { controlplane: string[]; worker: string[] }>();

/** Names of the disk volumes that a node gets a disk of its own for. */
export function disksOf(config: Config, node: Node): readonly string[] {
  const known = cache.get(config) ?? {
    controlplane: diskNames(config, "controlplane"),
    worker: diskNames(config, "worker"),
  };
  cache.set(config, known);
  return node.machine_type === undefined ? [] : known[node.machine_type];
}

function diskNames(config: Config, machineType: string): string[] {
  return entries(config.volumes)
    .filter(
      ([, { type, machine_type }]) =>
        type === "disk" && (machine_type === "all" || machine_type === machineType),
    )
    .map(([name]) => name);
}
