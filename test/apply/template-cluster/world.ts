import { parseConfig, readConfig, type Config } from "../../kinds/template-cluster/expected.ts";
import { ImageFactory } from "../../simulator/factory/image-factory.ts";
import { ProxmoxSimulator, type SimulatorOptions } from "../../simulator/proxmox/simulator.ts";
import { mib } from "../../simulator/proxmox/sizes.ts";
import { ClusterSite } from "../cluster-site.ts";
import { addForeigners } from "../foreign.ts";
import { moved } from "../loopback.ts";

export interface Circumstances {
  /** First half of the addresses, such as `127.61`, of the test file alone; as they are in the config without. */
  readonly prefix?: string;
  /** What the DHCP server gives, by MAC address. */
  readonly leases?: ReadonlyMap<string, string>;
  /** More hosts than the config has use for. */
  readonly hosts?: readonly string[];
  /** More datastores of disks. */
  readonly datastores?: readonly string[];
  /** Whether there is an API server behind the machines. No tree of this kind talks to it. */
  readonly hasApi?: boolean;
}

/** Than any test takes: the API never comes up. */
const longer = 24 * 60 * 60;

/** All that a tree of clones is applied to, and the tree, made from a config. */
export class World extends ClusterSite {
  static async start(config: string, circumstances: Circumstances): Promise<World> {
    const { prefix, leases, hasApi = false } = circumstances;
    const factory = await ImageFactory.start();
    const proxmox = await ProxmoxSimulator.start(proxmoxOf(parseConfig(config), circumstances));
    // A clone has one disk: whoever loses it has lost configuration and etcd.
    const anatomy = { system: "virtio0", ephemeral: "virtio0", ...(leases === undefined ? {} : { leases }) };
    const world = new World(factory, proxmox, anatomy);
    if (!hasApi) world.kubernetes.startDelaySeconds = longer;
    try {
      const addresses = [
        ["network_config", "cidr"],
        ["network_config", "gateway"],
        ["cluster_config", "vip_ip"],
      ];
      const places = { addresses, proxmox: "proxmox_config", factory: ["cluster_config", "factory_url"] };
      const servers = { endpoint: proxmox.endpoint, factoryUrl: factory.url };
      await world.settleIn(
        moved(config, places, { ...servers, ...(prefix === undefined ? {} : { prefix }) }),
      );
      const { proxmox: given } = world.config;
      addForeigners(proxmox, {
        datastores: [given["vm_datastore"], given["template_datastore"]],
        imageDatastore: given["iso_datastore"],
        tags: "talos;talos+other",
      });
      await world.tofu("init");
      return world;
    } catch (error) {
      await world.stop();
      throw error;
    }
  }

  get hasApi(): boolean {
    return this.kubernetes.startDelaySeconds !== longer;
  }

  /** As it stands now, with the documented defaults. */
  get config(): Config {
    return readConfig(this.file);
  }

  /** Ids of the VMs that were made or destroyed since. */
  madeAnew({ proxmox }: { readonly proxmox: number }): readonly number[] {
    const ids = this.proxmox.writes(proxmox).flatMap(({ method, path, body }) => {
      const id = /^\/nodes\/[^/]+\/qemu\/(\d+)\/?(\?.*)?$/.exec(path)?.[1];
      if (method === "DELETE" && id !== undefined) return [Number(id)];
      if (method === "POST" && /\/qemu$/.test(path)) return [Number(body["vmid"])];
      return method === "POST" && /\/clone$/.test(path) ? [Number(body["newid"])] : [];
    });
    return [...new Set(ids)].sort((a, b) => a - b);
  }

  /** Runs the lines of the README that take everything down, those of the program as it runs here. */
  async destroy(): Promise<void> {
    for (const line of this.readme.block("Destroying the cluster", "tofu destroy")) {
      const [, words] = /^gen-talos-module --config \S+ --out <this folder> (.*)$/.exec(line) ?? [];
      if (words === undefined) await this.shell(line);
      else await this.generate(...words.split(" "));
    }
  }
}

/** A Proxmox cluster that has what a config takes for granted. */
function proxmoxOf(config: Config, { hosts = [], datastores = [] }: Circumstances): SimulatorOptions {
  const { machines, network, proxmox, template } = config;
  const nodes = [
    ...machines.map(({ host }) => host),
    template["template_node"],
    proxmox["image_download_node"],
  ];
  const disks = [proxmox["template_datastore"], proxmox["vm_datastore"], proxmox["cloud_init_datastore"]];
  const bridges = [...new Set(["vmbr0", network["bridge"]])];
  // What one node downloads and another one imports is on a datastore that both see.
  const isShared = proxmox["image_download_node"] !== template["template_node"];
  return {
    nodes: Object.fromEntries([...nodes, ...hosts].map((node) => [node, { bridges }])),
    storages: [
      ...[...new Set([...disks, ...datastores])].map((id) => ({
        id,
        type: id === "local-lvm" ? "lvmthin" : "zfspool",
        content: ["images", "rootdir"],
        isShared: false,
      })),
      {
        id: proxmox["iso_datastore"],
        type: isShared ? "nfs" : "dir",
        content: ["backup", "import", "iso", "vztmpl"],
        isShared,
      },
    ],
    resolve: async (url) =>
      (await fetch(url, { method: "HEAD" })).ok ? { size: 100 * mib, virtualSize: 4247 * mib } : undefined,
  };
}
