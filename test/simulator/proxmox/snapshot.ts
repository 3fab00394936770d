import type { Cluster } from "./cluster.ts";

/** All state but tasks, tickets and secrets, as plain data that two moments can be compared by. */
export function snapshot(cluster: Cluster): Readonly<Record<string, unknown>> {
  return {
    storages: sorted([...cluster.storages.keys()]),
    vms: Object.fromEntries(
      [...cluster.vms]
        .sort(([a], [b]) => a - b)
        .map(([id, vm]) => [
          id,
          { node: vm.node, isRunning: vm.isRunning, config: Object.fromEntries(sorted([...vm.config])) },
        ]),
    ),
    volumes: sorted(
      [...cluster.volumes].map(({ storage, node, name, content, format, owner, sizeBytes, marker }) => ({
        volid: `${storage}:${name}`,
        node: node ?? "",
        content,
        format,
        owner: owner ?? 0,
        sizeBytes,
        marker: marker ?? "",
      })),
    ),
    users: Object.fromEntries(
      sorted(
        [...cluster.users].map(([id, user]) => [
          id,
          {
            isEnabled: user.isEnabled,
            details: Object.fromEntries(sorted([...user.details])),
            tokens: Object.fromEntries(
              sorted([...user.tokens].map(([name, token]) => [name, token.isSeparated])),
            ),
          },
        ]),
      ),
    ),
    groups: Object.fromEntries(sorted([...cluster.groups].map(([id, users]) => [id, sorted([...users])]))),
    roles: Object.fromEntries(
      sorted([...cluster.roles].map(([id, privileges]) => [id, sorted([...privileges])])),
    ),
    acl: sorted([...cluster.acl].map((entry) => ({ ...entry }))),
    pools: Object.fromEntries(
      sorted(
        [...cluster.pools].map(([id, pool]) => [
          id,
          { comment: pool.comment, vms: sorted([...pool.vms]), storages: sorted([...pool.storages]) },
        ]),
      ),
    ),
    pciMappings: Object.fromEntries(
      sorted([...cluster.pciMappings].map(([id, mapping]) => [id, { ...mapping }])),
    ),
  };
}

const text = (value: unknown): string => JSON.stringify(value);

const sorted = <Item>(items: Item[]): Item[] => items.sort((a, b) => (text(a) < text(b) ? -1 : 1));
