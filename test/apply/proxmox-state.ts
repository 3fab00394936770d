import type { ProxmoxSimulator } from "../simulator/proxmox/simulator.ts";
import type { Config } from "../tofu/config.ts";

export interface VmState {
  readonly node: string;
  readonly isRunning: boolean;
  readonly config: Readonly<Record<string, string>>;
}

export interface VolumeState {
  readonly content: string;
  readonly format: string;
  readonly owner: number;
  readonly sizeBytes: number;
}

/** All that a tree makes in Proxmox, by what it is called there. */
export interface ProxmoxState {
  readonly vms: Readonly<Record<string, VmState>>;
  /** By `<volume id>@<node>`, without a node where it is shared. */
  readonly volumes: Readonly<Record<string, VolumeState>>;
  readonly users: Readonly<Record<string, unknown>>;
  readonly roles: Readonly<Record<string, readonly string[]>>;
  readonly acl: Readonly<Record<string, unknown>>;
}

interface Snapshot extends Omit<ProxmoxState, "acl" | "volumes"> {
  readonly volumes: readonly (VolumeState & { readonly volid: string; readonly node: string })[];
  readonly acl: readonly {
    readonly path: string;
    readonly type: string;
    readonly ugid: string;
    readonly roleid: string;
    readonly propagate: boolean;
  }[];
}

/** What is there now, in a Proxmox that a cluster with this config is on. */
export function stateOf(proxmox: ProxmoxSimulator, config: Config): ProxmoxState {
  return observe(
    proxmox,
    Object.values(config.nodes).flatMap(({ mac_address }) => mac_address?.toUpperCase() ?? []),
  );
}

/** What is there now. What the server makes up is left out: unique ids, and MAC addresses that nobody asks for. */
export function observe(proxmox: ProxmoxSimulator, wanted: readonly string[]): ProxmoxState {
  const { vms, volumes, users, roles, acl } = proxmox.snapshot() as unknown as Snapshot;
  return {
    vms: mapValues(vms, (vm) => ({ ...vm, config: settled(vm.config, wanted) })),
    volumes: Object.fromEntries(
      volumes.map(({ volid, node, content, format, owner, sizeBytes }) => [
        `${volid}@${node}`,
        { content, format, owner, sizeBytes },
      ]),
    ),
    users,
    roles,
    acl: Object.fromEntries(
      acl.map(({ path, type, ugid, roleid, propagate }) => [
        `${ugid} has ${roleid} at ${path}`,
        { type, propagate },
      ]),
    ),
  };
}

/** What was there, and beside it what has been made. */
export function together(former: ProxmoxState, made: ProxmoxState): ProxmoxState {
  return {
    vms: { ...former.vms, ...made.vms },
    volumes: { ...former.volumes, ...made.volumes },
    users: { ...former.users, ...made.users },
    roles: { ...former.roles, ...made.roles },
    acl: { ...former.acl, ...made.acl },
  };
}

function settled(config: VmState["config"], wanted: readonly string[]): VmState["config"] {
  const { meta, vmgenid, smbios1, net0, ...rest } = config;
  const mac = /(?<==)[0-9A-F]{2}(:[0-9A-F]{2}){5}/i;
  const asked = (found: string) => (wanted.includes(found.toUpperCase()) ? found.toUpperCase() : "*");
  return {
    ...rest,
    ...(smbios1 === undefined ? {} : { smbios1: smbios1.replace(/,?uuid=[0-9a-f-]+/, "") }),
    ...(net0 === undefined ? {} : { net0: net0.replace(mac, asked) }),
  };
}

function mapValues<In, Out>(
  map: Readonly<Record<string, In>>,
  change: (value: In) => Out,
): Record<string, Out> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
