import { builtInRoles, root } from "./access-control.ts";
import { Cluster, type Resolver, type Storage } from "./cluster.ts";

export interface SimulatorOptions {
  readonly clusterName?: string;
  /** Bridges of each Proxmox node; `vmbr0` alone where none are given. */
  readonly nodes: Readonly<Record<string, { readonly bridges?: readonly string[] }>>;
  readonly storages: readonly Storage[];
  /** What can be downloaded; nothing by default. */
  readonly resolve?: Resolver;
  /** Devices by mapping, each `id=8086:46a6,node=pve1,path=0000:00:02.0`. */
  readonly pciMappings?: Readonly<Record<string, readonly string[]>>;
}

/** A fresh cluster with the roles that come with it, and root. */
export function buildCluster(options: SimulatorOptions): Cluster {
  const cluster = new Cluster(options.clusterName ?? "simulated", options.resolve ?? (() => undefined));
  const { nodes, storages, roles, users, pciMappings } = cluster;
  for (const [name, { bridges = ["vmbr0"] }] of Object.entries(options.nodes)) nodes.set(name, { bridges });
  for (const storage of options.storages) storages.set(storage.id, storage);
  for (const [id, privileges] of builtInRoles) roles.set(id, privileges);
  for (const [id, map] of Object.entries(options.pciMappings ?? {}))
    pciMappings.set(id, { map, description: "", mdev: false });
  users.set(root, { isEnabled: true, expire: 0, password: "secret", details: new Map(), tokens: new Map() });
  return cluster;
}
