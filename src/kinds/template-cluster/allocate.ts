import { createHash } from "node:crypto";
import { formatIpv4, type Subnet } from "../../domain/network.ts";
import { range } from "../../domain/pool.ts";
import type { Distribution } from "./distribution.ts";
import type { Memory, RememberedNode } from "./memory.ts";
import { ROLES, type Role } from "./role.ts";

/** What is to be allocated, and from where. */
export interface Wish {
  /** Name of the cluster. */
  readonly name: string;
  readonly distribution: Distribution;
  /** Undefined with DHCP. */
  readonly subnet: Subnet | undefined;
  /** Host numbers where addresses start. */
  readonly starts: Readonly<Record<Role, number>>;
  readonly ranges: Readonly<Record<Role, { readonly min: number; readonly max: number }>>;
  /** Names of nodes that may go, if some have to. */
  readonly allowDestroy: ReadonlySet<string>;
}

/** A node for which there may be no id or address left. */
export type AllocatedNode = Omit<RememberedNode, "vm_id" | "ip"> & {
  readonly vm_id: number | undefined;
  readonly ip: string | undefined;
};

export interface Allocation {
  /** By name, control planes first, in the order of their numbers. */
  readonly nodes: Readonly<Record<string, AllocatedNode>>;
  /** Names of those that are remembered and no longer wanted. */
  readonly gone: readonly string[];
}

/**
 * A name, a VM id, an address and a MAC address for each machine. What is remembered stays as it is, whatever comes or
 * goes beside it. What a machine leaves behind is free again in the next run, not in this one: until it is applied, the
 * machine is still there.
 */
export function allocate(wish: Wish, memory: Memory | undefined): Allocation {
  const remembered = Object.entries(memory?.nodes ?? {});
  const used = {
    ids: new Set(remembered.map(([, { vm_id }]) => vm_id)),
    addresses: new Set(remembered.map(([, { ip }]) => ip)),
    macs: new Set(remembered.map(([, { mac_address }]) => mac_address)),
    names: new Set(remembered.map(([name]) => name)),
  };
  const nodes: Record<string, AllocatedNode> = Object.create(null);
  for (const role of ROLES) {
    const nextId = supply(range(wish.ranges[role].min, wish.ranges[role].max), used.ids);
    const nextAddress = supply(addressesFrom(wish.subnet, wish.starts[role]), used.addresses);
    const nextName = supply(namesOf(wish, role), used.names);
    const found: [string, AllocatedNode][] = [];
    for (const host of Object.keys(wish.distribution).sort()) {
      const count = wish.distribution[host]?.[role] ?? 0;
      const kept = keep({ wish, memory, role, host, count });
      found.push(...kept);
      for (let missing = count - kept.length; missing > 0; missing--) {
        const name = nextName() ?? "";
        const node = {
          role,
          host_node: host,
          vm_id: nextId(),
          ip: wish.subnet === undefined ? "" : nextAddress(),
          mac_address: macOf(`${wish.name}/${name}`, used.macs),
        };
        found.push([name, node]);
      }
    }
    for (const [name, node] of found.sort(([a], [b]) => numberOf(a) - numberOf(b))) nodes[name] = node;
  }
  const gone = remembered.map(([name]) => name).filter((name) => !Object.hasOwn(nodes, name));
  return { nodes, gone };
}

interface Place {
  readonly wish: Wish;
  readonly memory: Memory | undefined;
  readonly role: Role;
  readonly host: string;
  readonly count: number;
}

/** The machines that stay on a host: not those that were named, then those that came first. The first control plane goes last. */
function keep({ wish, memory, role, host, count }: Place): [string, RememberedNode][] {
  const rank = (name: string): number =>
    wish.allowDestroy.has(name) ? 2 : name === memory?.bootstrap_node ? 0 : 1;
  return Object.entries(memory?.nodes ?? {})
    .filter(([, node]) => node.role === role && node.host_node === host)
    .sort(([a], [b]) => rank(a) - rank(b) || numberOf(a) - numberOf(b))
    .slice(0, count);
}

/** Hands out one candidate after the other that nobody has, and marks it as used. */
function supply<T>(candidates: Iterator<T>, used: Set<T>): () => T | undefined {
  return () => {
    for (let next = candidates.next(); !next.done; next = candidates.next()) {
      if (used.has(next.value)) continue;
      used.add(next.value);
      return next.value;
    }
    return undefined;
  };
}

function* namesOf({ name }: Wish, role: Role): Generator<string> {
  for (const number of range(1, Number.MAX_SAFE_INTEGER)) yield `${name}-${role}-${number}`;
}

/** Up to the last one before the broadcast address. */
function* addressesFrom(subnet: Subnet | undefined, start: number): Generator<string> {
  if (subnet === undefined) return;
  for (const address of range(subnet.network + start, subnet.broadcast - 1)) yield formatIpv4(address);
}

export function numberOf(name: string): number {
  return Number(/[0-9]+$/.exec(name)?.[0] ?? 0);
}

/** In the range of Proxmox, and the same whenever a machine of this name is made. */
function macOf(key: string, used: Set<string>): string {
  for (let salt = 0; ; salt++) {
    const hash = createHash("sha256")
      .update(salt === 0 ? key : `${key}/${salt}`)
      .digest("hex");
    const bytes = [0, 2, 4].map((at) => hash.slice(at, at + 2).toUpperCase());
    const mac = ["BC", "24", "11", ...bytes].join(":");
    if (used.has(mac)) continue;
    used.add(mac);
    return mac;
  }
}
