import { json } from "../../rendering/prose.ts";
import type { Model } from "./model.ts";

/** Text of the variable file with everything that was allocated. */
export function allocations({ config, lifted, memory, schematicId }: Model): string {
  const { bootstrap_node, cluster, nodes } = memory;
  const values = {
    bootstrap_node,
    kubernetes_version: cluster.kubernetes_version,
    nodes: Object.fromEntries(
      Object.entries(nodes).map(([name, node]) => [
        name,
        {
          host_node: node.host_node,
          ...(node.ip === "" ? {} : { ip: node.ip }),
          mac_address: node.mac_address,
          role: node.role,
          vm_id: node.vm_id,
        },
      ]),
    ),
    ...(lifted.length === 0 ? {} : { released: lifted }),
    schematic: { extensions: config.cluster_config.extensions, id: schematicId },
    talos_machine_config_version: cluster.talos_machine_config_version,
  };
  return json({ allocations: values });
}
