import { json } from "../../rendering/prose.ts";
import type { Model } from "./model.ts";

/** Text of the variable file with everything that was allocated. */
export function allocations(model: Model): string {
  const { bootstrap_node, cluster, disks, volumes } = model.memory;
  const serials = Object.entries(volumes).filter(([, volume]) => volume.serial !== "");
  const values = {
    bootstrap_node,
    disks,
    schematics: model.schematics,
    serials: Object.fromEntries(serials.map(([name, volume]) => [name, volume.serial])),
    talos_machine_config_version: cluster.talos_machine_config_version,
  };
  return json({ allocations: values });
}
