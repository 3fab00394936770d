import { parse, parseAllDocuments } from "yaml";
import { disksOf, serialOf, volumesOn, type Config } from "./config.ts";
import { imageOf } from "./expected-plan.ts";

/** The documents of a machine configuration: `kind` or `kind/name` → data. The first has no kind. */
export type Documents = Record<string, object>;

export function readDocuments(text: string): Documents {
  const data = parseAllDocuments(text).map((document) => document.toJS() as Record<string, unknown>);
  const entries = data.map(({ kind, name, ...rest }): [string, object] => [
    [kind ?? "machine", ...(name === undefined ? [] : [name])].join("/"),
    rest,
  ]);
  const documents = Object.fromEntries(entries);
  if (Object.keys(documents).length !== data.length) throw new Error("two documents have one name");
  return documents;
}

/** What the machine configuration of a node has to hold: these documents, no others, with at least these values. */
export function expectedDocuments(config: Config, name: string, read: (path: string) => string): Documents {
  const node = config.nodes[name];
  if (node === undefined) throw new Error(`no node ${name}`);
  const { cluster } = config;
  const serials = disksOf(config)
    .filter((disk) => disk.node === name)
    .map(({ serial }) => serial);
  const others = serials.length === 0 ? "" : ` && !(disk.serial in ${JSON.stringify(serials)})`;
  const resolvers = node.dns === null ? [] : [["ResolverConfig", { nameservers: node.dns.map(toAddress) }]];
  const vip =
    node.machine_type === "worker" || cluster.vip === undefined ? [] : [`Layer2VIPConfig/${cluster.vip}`];
  return {
    machine: mainDocument(config, name, read),
    HostnameConfig: { auto: "off", hostname: name },
    "LinkAliasConfig/net0": { selector: { match: 'link.driver == "virtio_net"' } },
    "LinkConfig/net0": {
      addresses: [toAddress(`${node.ip}/${cluster.subnet_mask}`)],
      routes: [{ gateway: cluster.gateway }],
    },
    ...(Object.fromEntries(resolvers) as Documents),
    "VolumeConfig/EPHEMERAL": {
      provisioning: {
        diskSelector: { match: `!system_disk && !disk.cdrom && !disk.readonly${others}` },
        grow: true,
      },
    },
    ...Object.fromEntries(
      volumesOn(config, node.machine_type).map(([volume, { type }]) => [
        `UserVolumeConfig/${volume}`,
        type === "directory"
          ? { volumeType: "directory" }
          : {
              volumeType: "disk",
              provisioning: { diskSelector: { match: `disk.serial == "${serialOf(volume)}"` } },
              filesystem: { type: "xfs" },
            },
      ]),
    ),
    ...Object.fromEntries(vip.map((kind) => [kind, { link: "net0" }])),
  };
}

function mainDocument(config: Config, name: string, read: (path: string) => string): object {
  const { cluster, image } = config;
  const { machine_type, host_node, update } = config.nodes[name] as Config["nodes"][string];
  const runs = imageOf(config, update, read);
  const factory = image.factory_url.replace(/^https?:\/\//, "");
  const [first] = Object.entries(config.nodes)
    .filter(([, node]) => node.machine_type === "controlplane")
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const kubernetes = cluster.kubernetes_version;
  return {
    machine: {
      type: machine_type,
      install: { image: `${factory}/${image.platform}-installer/${runs.schematic}:${runs.version}` },
      nodeLabels: {
        "topology.kubernetes.io/region": cluster.proxmox_cluster,
        "topology.kubernetes.io/zone": host_node,
      },
      kubelet: { image: `ghcr.io/siderolabs/kubelet:${kubernetes}`, ...fromYaml(cluster.kubelet) },
      features: fromYaml(cluster.machine_features),
    },
    cluster: {
      clusterName: cluster.name,
      controlPlane: { endpoint: `https://${cluster.vip ?? first?.[1].ip}:6443` },
      network: { cni: { name: "none" } },
      ...(machine_type === "worker" ? {} : controlPlane(config, read)),
    },
  };
}

function controlPlane({ cilium, cluster }: Config, read: (path: string) => string): object {
  const gatewayApi = "https://github.com/kubernetes-sigs/gateway-api/releases/download";
  return {
    apiServer: {
      image: `registry.k8s.io/kube-apiserver:${cluster.kubernetes_version}`,
      ...fromYaml(cluster.api_server),
    },
    ...(cluster.allow_scheduling_on_controlplane ? { allowSchedulingOnControlPlanes: true } : {}),
    proxy: { disabled: true },
    extraManifests: [
      `${gatewayApi}/${cluster.gateway_api_version}/standard-install.yaml`,
      ...cluster.extra_manifests,
    ],
    inlineManifests: [
      { name: "cilium-install", contents: read(cilium.bootstrap_manifest_path) },
      { name: "cilium-values" },
    ],
  };
}

/** The ConfigMap that hands Cilium its values. */
export function ciliumValues(documents: Documents): unknown {
  const { cluster } = documents["machine"] as {
    cluster: { inlineManifests: { name: string; contents: string }[] };
  };
  const contents = cluster.inlineManifests.find(({ name }) => name === "cilium-values")?.contents ?? "";
  return parse(contents);
}

function toAddress(address: string): object {
  return { address };
}

function fromYaml(text: string | undefined): object {
  return text === undefined ? {} : (parse(text) as object);
}
