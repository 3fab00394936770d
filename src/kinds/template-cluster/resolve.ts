import { withDefaults, type Complete } from "../../config/defaults.ts";
import type { Surroundings } from "../../kind.ts";
import { defaultKubernetes } from "../../domain/talos-releases.ts";
import schema from "../../../schema/template-cluster.schema.json" with { type: "json" };
import { allocate, numberOf } from "./allocate.ts";
import type { TemplateCluster } from "./config.ts";
import { distributionOf, templateNodeOf } from "./distribution.ts";
import { schematicIdOf } from "./image.ts";
import type { Memory, RememberedNode } from "./memory.ts";
import type { Model } from "./model.ts";
import { parseSubnet } from "./subnet.ts";

type Config = Complete<TemplateCluster>;

/** Fills in defaults and allocates whatever is new. */
export function resolve(given: TemplateCluster, surroundings: Surroundings): Model {
  const config = withDefaults(given, schema) as Config;
  const { cluster_config: cluster, network_config: network, proxmox_config: proxmox } = config;
  const last = surroundings.memory as Memory | undefined;
  const distribution = distributionOf(config);
  const templateNode = templateNodeOf(config);
  if (distribution === undefined || templateNode === undefined) throw new Error("no node for the templates");

  const allocation = allocate(
    {
      name: cluster.name,
      distribution,
      subnet: network.dhcp ? undefined : parseSubnet(network.cidr),
      starts: {
        controlplane: config.node_config.controlplane_ip_start,
        worker: config.node_config.worker_ip_start,
      },
      ranges: config.vm_id_ranges,
      allowDestroy: surroundings.allowDestroy,
    },
    last,
  );
  const nodes = allocation.nodes as Readonly<Record<string, RememberedNode>>;
  const lifted = Object.keys(nodes).filter(
    (name) => nodes[name]?.role === "controlplane" && surroundings.allowDestroy.has(name),
  );
  const removed = allocation.gone.filter((name) => last?.nodes[name]?.role === "controlplane");
  const released = [...new Set([...(last?.released ?? []), ...lifted, ...removed])].sort(
    (a, b) => numberOf(a) - numberOf(b),
  );
  const schematicId = schematicIdOf(cluster.extensions);
  const cloudInitDatastore = proxmox.cloud_init_datastore ?? proxmox.vm_datastore;
  return {
    source: surroundings.source ?? "the built-in example",
    isExample: surroundings.source === null,
    config,
    distribution,
    templateNode,
    imageNode: proxmox.image_download_node ?? templateNode,
    cloudInitDatastore,
    endpointOverride: cluster.endpoint_override ?? null,
    vipIp: cluster.vip_ip ?? null,
    cidr: network.cidr ?? null,
    gateway: network.gateway ?? null,
    interface: network.interface ?? null,
    kubernetesVersion: cluster.kubernetes_version ?? null,
    schematicId,
    lifted,
    moves: released.map((name) => ({
      name,
      isReleased: lifted.includes(name) || !Object.hasOwn(nodes, name),
    })),
    memory: {
      cluster: {
        name: cluster.name,
        dhcp: network.dhcp,
        cidr: network.cidr ?? "",
        vm_datastore: proxmox.vm_datastore,
        cloud_init_datastore: cloudInitDatastore,
        kubernetes_version: kubernetesOf(config, last),
        talos_machine_config_version: last?.cluster.talos_machine_config_version ?? cluster.talos_version,
      },
      bootstrap_node: bootstrapNode(nodes, last),
      nodes,
      released,
      image: [schematicId, cluster.talos_version, cluster.platform, cluster.arch].join("-"),
    },
  };
}

/** Chosen once: an upgrade of Talos must not upgrade Kubernetes on all machines at the same time. */
function kubernetesOf({ cluster_config: cluster }: Config, last: Memory | undefined): string {
  const version =
    cluster.kubernetes_version ??
    last?.cluster.kubernetes_version ??
    defaultKubernetes(cluster.talos_version);
  if (version === undefined) throw new Error(`no default Kubernetes for Talos ${cluster.talos_version}`);
  return version;
}

/** The control plane that was bootstrapped, as long as it is there; else the first. */
function bootstrapNode(nodes: Memory["nodes"], last: Memory | undefined): string {
  const remembered = last?.bootstrap_node ?? "";
  const first = Object.keys(nodes).find((name) => nodes[name]?.role === "controlplane");
  const node = nodes[remembered]?.role === "controlplane" ? remembered : first;
  if (node === undefined) throw new Error("there is no control plane");
  return node;
}
