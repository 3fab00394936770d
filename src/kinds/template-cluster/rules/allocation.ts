import { allocate, type Allocation } from "../allocate.ts";
import { distributionOf } from "../distribution.ts";
import { ROLES, type Role } from "../role.ts";
import { parseSubnet } from "../subnet.ts";
import type { Config, Context } from "./rule.ts";

/** Gives nothing away, for what is wrong or missing. */
const NOTHING = { min: 1, max: 0 };

/** What this config would be given. Ids and addresses are missing where their range is; undefined without names and numbers. */
export function allocationOf({ config, memory, surroundings }: Context): Allocation | undefined {
  const name = config.cluster_config?.name;
  const distribution = distributionOf(config);
  if (name === undefined || distribution === undefined) return undefined;
  const byRole = <T>(value: (role: Role) => T) =>
    Object.fromEntries(ROLES.map((role) => [role, value(role)])) as Record<Role, T>;
  return allocate(
    {
      name,
      distribution,
      subnet: subnetOf(config),
      starts: byRole((role) => config.node_config?.[`${role}_ip_start`] ?? 0),
      ranges: byRole((role) => rangeOf(config, role) ?? NOTHING),
      allowDestroy: surroundings.allowDestroy,
    },
    memory,
  );
}

/** Undefined with DHCP, and where it is wrong. */
export function subnetOf({ network_config }: Config) {
  const { cidr, dhcp } = network_config ?? {};
  return dhcp !== false || cidr === undefined ? undefined : parseSubnet(cidr);
}

export function rangeOf({ vm_id_ranges }: Config, role: Role): { min: number; max: number } | undefined {
  const { min, max } = vm_id_ranges?.[role] ?? {};
  return min === undefined || max === undefined || min > max ? undefined : { min, max };
}
