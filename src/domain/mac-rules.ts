import { spell } from "../problem.ts";
import type { Path } from "../problem.ts";
import { createRule, type Rule } from "../rule.ts";

/** Where a config may have a MAC address, and which. */
type MacAddress = readonly [Path, string | null | undefined];

/** What holds for the network cards of any kind of config. */
export function macRules<Config, Memory>(
  macAddresses: (config: Config) => readonly MacAddress[],
): Rule<Config, Memory>[] {
  const given = (config: Config) =>
    macAddresses(config).filter((entry): entry is [Path, string] => typeof entry[1] === "string");
  return [
    createRule("unique-mac", ({ config }, say) => {
      const owners = new Map<string, Path>();
      for (const [path, address] of given(config)) {
        const other = owners.get(address.toLowerCase());
        if (other === undefined) owners.set(address.toLowerCase(), path);
        else say.error(path, `${address} is already used by ${spell(other)}`, { other });
      }
    }),

    createRule("multicast-mac", ({ config }, say) => {
      for (const [path, address] of given(config)) {
        if ((parseInt(address.slice(0, 2), 16) & 1) === 0) continue;
        say.error(path, `${address} is a multicast address, which no network card can have`, {
          hint: 'start with "BC:24:11", the range of Proxmox',
        });
      }
    }),
  ];
}
