import type { Model } from "./model.ts";

/** Everything tests/cluster.tftest.hcl may say: ids, hosts and addresses that `tofu test` is to find. */
export function testView({ source, config, memory }: Model): object {
  const nodes = Object.entries(memory.nodes);
  return {
    source,
    isDhcp: config.network_config.dhcp,
    mockAddresses: [["127.0.0.1"], ...nodes.map((_, index) => [leaseOf(index)])],
    mockMacs: ["00:00:00:00:00:00", ...nodes.map(([, node]) => node.mac_address)],
    nodes: nodes.map(([name, node]) => ({
      name,
      hostNode: node.host_node,
      macAddress: node.mac_address,
      role: node.role,
      vmId: node.vm_id,
    })),
    addresses: nodes.filter(([, { ip }]) => ip !== "").map(([name, { ip }]) => ({ name, ip })),
    nodeCount: nodes.length,
    templateId: config.template_config.controlplane_template_id,
    firstVmId: nodes[0]?.[1].vm_id,
  };
}

/** What a DHCP server might give, from the addresses that are kept for documents. */
function leaseOf(index: number): string {
  return `192.0.2.${(index % 254) + 1}`;
}
