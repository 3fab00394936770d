import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { parse, stringify } from "yaml";

/**
 * The config as the documents describe it, read by the tests' own hand: names, types and defaults stand here a second
 * time, so that a mistake in the program cannot hide in what it is compared with.
 */
export interface Config {
  readonly cilium: { readonly bootstrap_manifest_path: string; readonly values_file_path: string };
  readonly cluster: {
    readonly name: string;
    readonly proxmox_cluster: string;
    readonly gateway: string;
    readonly subnet_mask: string;
    readonly kubernetes_version: string;
    readonly gateway_api_version: string;
    readonly vip?: string;
    readonly allow_scheduling_on_controlplane: boolean;
    readonly on_boot: boolean;
    readonly extra_manifests: readonly string[];
    readonly api_server?: string;
    readonly kubelet?: string;
    readonly machine_features?: string;
    readonly talos_machine_config_version?: string;
  };
  readonly datastores: Readonly<Record<string, { readonly kind?: string; readonly shared?: boolean }>>;
  readonly env: string;
  readonly image: {
    readonly arch: string;
    readonly datastore: string;
    readonly factory_url: string;
    readonly platform: string;
    readonly schematic_path: string;
    readonly update_schematic_path?: string;
    readonly update_version?: string;
    readonly version: string;
  };
  readonly nodes: Readonly<Record<string, Node>>;
  readonly proxmox: { readonly cluster_name: string; readonly endpoint: string; readonly username: string };
  readonly volumes: Readonly<Record<string, Volume>>;
}

export interface Node {
  readonly machine_type: "controlplane" | "worker";
  readonly host_node: string;
  readonly vm_id: number;
  readonly ip: string;
  readonly cpu: number;
  readonly cpu_type: string;
  readonly ram_dedicated: number;
  readonly datastore: string;
  readonly disk_size: number;
  readonly bridge: string;
  readonly vlan_id: number;
  readonly mac_address: string | null;
  readonly dns: readonly string[] | null;
  readonly igpu: boolean;
  readonly update: boolean;
}

export interface Volume {
  readonly type: "directory" | "disk" | "proxmox-csi";
  readonly size: string | number;
  readonly machine_type: "all" | "controlplane" | "worker";
  readonly datastore: string;
  readonly format: string;
  readonly node: string;
  readonly vmid: number;
}

/** Reads a config and fills in the documented defaults. */
export function readConfig(file: string): Config {
  const given = parse(readFileSync(file, "utf8")) as Record<string, never>;
  return {
    cilium: {
      bootstrap_manifest_path: "talos/inline-manifests/cilium-install.yaml",
      values_file_path: "talos/inline-manifests/cilium-values.default.yaml",
      ...(given["cilium_config"] ?? {}),
    },
    cluster: {
      allow_scheduling_on_controlplane: false,
      extra_manifests: [],
      on_boot: true,
      subnet_mask: "24",
      ...(given["cluster"] ?? {}),
    } as unknown as Config["cluster"],
    datastores: given["datastores"] ?? {},
    env: given["env"] ?? "",
    image: {
      arch: "amd64",
      datastore: "local",
      factory_url: "https://factory.talos.dev",
      platform: "nocloud",
      schematic_path: "assets/talos/schematic.yaml",
      ...(given["image"] ?? {}),
    } as unknown as Config["image"],
    nodes: mapValues(given["nodes"] ?? {}, (node) => ({
      bridge: "vmbr0",
      cpu_type: "x86-64-v2-AES",
      datastore: "local-zfs",
      disk_size: 20,
      dns: null,
      igpu: false,
      mac_address: null,
      update: false,
      vlan_id: 0,
      ...(node as object),
    })) as unknown as Config["nodes"],
    proxmox: given["proxmox"] as unknown as Config["proxmox"],
    volumes: mapValues(given["volumes"] ?? {}, (volume) => ({
      datastore: "local-zfs",
      format: "raw",
      machine_type: "worker",
      type: "proxmox-csi",
      vmid: 9999,
      ...(volume as object),
    })) as unknown as Config["volumes"],
  };
}

/** The id that the Image Factory gives a schematic: the hash of its YAML as Go writes it. */
export function schematicId(text: string): string {
  return createHash("sha256")
    .update(stringify(parse(text), { indent: 4 }))
    .digest("hex");
}

/** A disk volume on a node. The first run gives slots and ids in the order of the names. */
export interface Disk {
  readonly node: string;
  readonly volume: string;
  readonly slot: number;
  readonly vmId: number;
  readonly serial: string;
  readonly sizeGib: number;
}

export function disksOf(config: Config): Disk[] {
  return Object.entries(config.nodes).flatMap(([node, { vm_id, machine_type }]) =>
    volumesOn(config, machine_type)
      .filter(([, { type }]) => type === "disk")
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([volume, { size }], index) => ({
        node,
        volume,
        slot: index + 1,
        vmId: Number(`${vm_id}${index + 1}`),
        serial: serialOf(volume),
        sizeGib: Number.parseInt(String(size)),
      })),
  );
}

/** The volumes of Talos that machines of this type have. */
export function volumesOn(config: Config, machineType: string): [string, Volume][] {
  return Object.entries(config.volumes).filter(
    ([, volume]) => volume.type !== "proxmox-csi" && ["all", machineType].includes(volume.machine_type),
  );
}

/** At most 20 characters reach the guest; a longer name ends in a piece of its hash. */
export function serialOf(volume: string): string {
  const hash = createHash("sha256").update(volume).digest("hex").slice(0, 8);
  return volume.length <= 20 ? volume : `${volume.slice(0, 11)}-${hash}`;
}

function mapValues(map: Readonly<Record<string, unknown>>, change: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
