import { contains, formatIpv4, formatSubnet, parseIpv4 } from "../../../domain/network.ts";
import type { Subnet } from "../../../domain/network.ts";
import type { Path } from "../../../problem.ts";
import { quote, spell } from "../../../problem.ts";
import { ROLES, ROLE_NAMES } from "../role.ts";
import { parseSubnet } from "../subnet.ts";
import { allocationOf, subnetOf } from "./allocation.ts";
import { placeOf } from "./place.ts";
import { rule } from "./rule.ts";
import type { Config } from "./rule.ts";

const GATEWAY = ["network_config", "gateway"];
const VIP = ["cluster_config", "vip_ip"];

export const networkRules = [
  rule("dhcp", ({ config, given }, say) => {
    if (config.network_config?.dhcp !== true) return;
    const unused: Path[] = [
      ["network_config", "cidr"],
      ["network_config", "gateway"],
      ...ROLES.map((role) => ["node_config", `${role}_ip_start`]),
    ];
    for (const path of unused) {
      if (placeOf(given, path).at === "key") continue;
      const message =
        "means nothing with network_config.dhcp: true, since the DHCP server gives the addresses";
      say.error(path, message, { hint: "take it out, or take dhcp out" });
    }
  }),

  rule("static-network", ({ config, given }, say) => {
    const network = config.network_config;
    if (network?.dhcp !== false) return;
    for (const [key, example] of [
      ["cidr", "10.1.2.0/24"],
      ["gateway", "10.1.2.1"],
    ] as const) {
      if (Object.hasOwn(network, key)) continue;
      const { path } = placeOf(given, ["network_config"]);
      const message = `${path.length === 0 ? "network_config " : ""}needs the key ${quote(key)}`;
      say.error(path, message, {
        at: "key",
        hint: `add ${key}: ${quote(example)}, with your value, or dhcp: true`,
      });
    }
  }),

  rule("cidr", ({ config }, say) => {
    const cidr = config.network_config?.cidr;
    const subnet = cidr === undefined ? undefined : parseSubnet(cidr);
    if (subnet === undefined || cidr === formatSubnet(subnet)) return;
    const message = `${cidr} is an address in a subnet, not the subnet`;
    say.error(["network_config", "cidr"], message, { hint: `write ${quote(formatSubnet(subnet))}` });
  }),

  rule("gateway", ({ config }, say) => {
    const fault = outside(subnetOf(config), config.network_config?.gateway);
    if (fault !== undefined) say.error(GATEWAY, fault);
  }),

  rule("vip-address", ({ config }, say) => {
    const { vip_ip: vip, vip_enabled } = config.cluster_config ?? {};
    if (vip === undefined || vip_enabled !== true) return;
    const fault = outside(subnetOf(config), vip);
    if (fault !== undefined) say.error(VIP, fault);
    else if (vip === config.network_config?.gateway) {
      say.error(VIP, `${vip} is already used by ${spell(GATEWAY)}`, { other: GATEWAY });
    }
  }),

  rule("addresses", (context, say) => {
    const { config, given, memory } = context;
    const subnet = subnetOf(config);
    if (subnet === undefined) return;
    const taken = reserved(config);
    const nodes = Object.entries(allocationOf(context)?.nodes ?? {});
    for (const role of ROLES) {
      const key = `${role}_ip_start` as const;
      const start = config.node_config?.[key];
      const without = nodes.find(([, node]) => node.role === role && node.ip === undefined);
      if (start === undefined || without === undefined) continue;
      const isGiven = placeOf(given, ["node_config", key]).at === "value";
      const last = formatIpv4(subnet.broadcast - 1);
      const message = `leaves no address for ${quote(without[0])}: ${ROLE_NAMES[role]}s start at host number ${start} of ${formatSubnet(subnet)}, which ends behind ${last}`;
      say.error(isGiven ? ["node_config", key] : ["network_config", "cidr"], message, {
        hint: isGiven
          ? "start lower, or take a larger subnet"
          : `take a larger one, or set node_config.${key}`,
      });
    }
    for (const [name, { ip, role }] of nodes) {
      const owner = ip === undefined ? undefined : taken.get(ip);
      if (owner === undefined) continue;
      const start = ["node_config", `${role}_ip_start`];
      const isOld = memory !== undefined && Object.hasOwn(memory.nodes, name);
      if (!isOld && placeOf(given, start).at === "value") {
        const message = `gives ${quote(name)} the address ${ip}, which is ${spell(owner)}`;
        say.error(start, message, { other: owner, hint: "start elsewhere" });
      } else {
        const more = isOld ? "; the machine keeps its own" : `, or set ${spell(start)}`;
        say.error(owner, `${ip} is the address of ${quote(name)}`, { hint: `take a free one${more}` });
      }
    }
  }),
];

/** Addresses that no machine may have, with the keys that they stand at. */
function reserved({ cluster_config, network_config }: Config): Map<string, Path> {
  const places: [string | undefined, Path][] = [
    [network_config?.gateway, GATEWAY],
    [cluster_config?.vip_enabled === true ? cluster_config.vip_ip : undefined, VIP],
  ];
  return new Map(places.filter((place): place is [string, Path] => place[0] !== undefined));
}

function outside(subnet: Subnet | undefined, text: string | undefined): string | undefined {
  const address = parseIpv4(text ?? "");
  if (subnet === undefined || address === undefined) return undefined;
  if (!contains(subnet, address)) return `${text} is outside of ${formatSubnet(subnet)}`;
  const what =
    address === subnet.network ? "network" : address === subnet.broadcast ? "broadcast" : undefined;
  return what === undefined
    ? undefined
    : `${text} is the ${what} address of ${formatSubnet(subnet)}, which nothing can have`;
}
