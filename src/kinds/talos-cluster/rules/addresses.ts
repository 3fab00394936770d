import { contains, formatSubnet, parseIpv4, subnetOf } from "../../../domain/network.ts";
import type { Subnet } from "../../../domain/network.ts";
import { spell } from "../../../problem.ts";
import type { Path } from "../../../problem.ts";
import { entries, rule } from "./rule.ts";
import type { Config } from "./rule.ts";

interface Address {
  readonly path: Path;
  readonly text: string;
  readonly number: number;
}

export const addressRules = [
  rule("unique-ip", ({ config }, say) => {
    const owners = new Map<number, Path>();
    for (const { path, text, number } of addresses(config)) {
      const other = owners.get(number);
      if (other === undefined) owners.set(number, path);
      else say.error(path, `${text} is already used by ${spell(other)}`, { other });
    }
  }),

  rule("subnet", ({ config }, say) => {
    const subnet = commonSubnet(config);
    if (subnet === undefined) return;
    const all = addresses(config);
    const inside = all.find(({ number }) => contains(subnet, number));
    for (const { path, text, number } of all) {
      if (inside === undefined || contains(subnet, number)) continue;
      const message = `${text} is outside of ${formatSubnet(subnet)}, the subnet of ${spell(inside.path)}`;
      say.error(path, message, { other: inside.path });
    }
  }),

  rule("reserved-ip", ({ config }, say) => {
    const subnet = commonSubnet(config);
    for (const { path, text, number } of subnet === undefined ? [] : addresses(config)) {
      const what =
        number === subnet?.network ? "network" : number === subnet?.broadcast ? "broadcast" : undefined;
      if (what !== undefined && subnet !== undefined) {
        say.error(
          path,
          `${text} is the ${what} address of ${formatSubnet(subnet)}, which no machine can have`,
        );
      }
    }
  }),
];

/** Gateway, VIP and machines, in that order. */
function addresses(config: Config): Address[] {
  const places: [Path, string | null | undefined][] = [
    [["cluster", "gateway"], config.cluster?.gateway],
    [["cluster", "vip"], config.cluster?.vip],
    ...entries(config.nodes).map(([name, { ip }]): [Path, string | undefined] => [["nodes", name, "ip"], ip]),
  ];
  return places.flatMap(([path, text]) => {
    const number = parseIpv4(text ?? "");
    return number === undefined ? [] : [{ path, text: text ?? "", number }];
  });
}

/** The subnet that most addresses are in, so that the one odd address is blamed; at a draw, the first one's. */
function commonSubnet(config: Config): Subnet | undefined {
  const bits = Number(config.cluster?.subnet_mask);
  if (Number.isNaN(bits)) return undefined;
  const counts = new Map<number, number>();
  let best: Subnet | undefined;
  for (const { number } of addresses(config)) {
    const subnet = subnetOf(number, bits);
    const count = (counts.get(subnet.network) ?? 0) + 1;
    counts.set(subnet.network, count);
    if (best === undefined || count > (counts.get(best.network) ?? 0)) best = subnet;
  }
  return best;
}
