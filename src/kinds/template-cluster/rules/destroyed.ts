import type { Path } from "../../../problem.ts";
import { quote } from "../../../problem.ts";
import type { RememberedNode } from "../memory.ts";
import { ROLE_NAMES } from "../role.ts";
import { allocationOf } from "./allocation.ts";
import { placeOf } from "./place.ts";
import { rule } from "./rule.ts";
import type { Config } from "./rule.ts";

export const destroyedRules = [
  rule("destroyed", (context, say) => {
    const { given, memory, surroundings } = context;
    const allocation = allocationOf(context);
    // Under another name nothing is what it was; that is refused on its own.
    if (memory === undefined || memory.cluster.name !== context.config.cluster_config?.name) return;
    for (const name of allocation?.gone ?? []) {
      const node = memory.nodes[name];
      if (node === undefined || surroundings.allowDestroy.has(name)) continue;
      const { path, at } = placeOf(given, whereOf(context.config, node));
      const message = `${ROLE_NAMES[node.role]} ${quote(name)} is gone from here, which destroys VM ${node.vm_id} and its disk`;
      const isOneOfMany = Object.values(allocation?.nodes ?? {}).some(
        ({ role, host_node }) => role === node.role && host_node === node.host_node,
      );
      const another = isOneOfMany ? `; name another one of ${node.host_node} for that one to go` : "";
      const back = isMoved(context.config, node)
        ? `write node_distribution: with ${node.host_node}, so that only the templates move`
        : "put it back";
      say.error(path, message, { at, hint: `${back}, or run with --allow-destroy ${name}${another}` });
    }
  }),
];

/** The key that a machine is missing at. */
function whereOf(config: Config, { role, host_node }: RememberedNode): Path {
  const hosts = config.node_distribution;
  if (isMoved(config, { host_node })) return ["template_config", "template_node"];
  if (hosts === undefined) return ["node_config", `${role}_count`];
  return Object.hasOwn(hosts, host_node)
    ? ["node_distribution", host_node, `${role}_count`]
    : ["node_distribution", host_node];
}

/** Without a distribution all machines are where the templates are. */
function isMoved(
  { node_distribution, template_config }: Config,
  node: Pick<RememberedNode, "host_node">,
): boolean {
  return node_distribution === undefined && template_config?.template_node !== node.host_node;
}
