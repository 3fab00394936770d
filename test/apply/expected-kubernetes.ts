import { parse } from "yaml";
import type { Config, Volume } from "../tofu/config.ts";
import { csiDisk, csiVolumes, sizeMibOf } from "./expected-proxmox.ts";
import type { KubernetesState } from "./kubernetes-state.ts";

export interface Secrets {
  /** What Proxmox gave the CSI plugin. */
  readonly csiToken: string;
  readonly certificate: string;
  readonly key: string;
}

/** What an apply has to leave in Kubernetes, from the config alone. */
export function expectedKubernetes(config: Config, secrets: Secrets): KubernetesState {
  return {
    nodes: Object.fromEntries(Object.keys(config.nodes).map((name) => node(config, name))),
    namespaces: {
      "csi-proxmox": {
        "pod-security.kubernetes.io/audit": "baseline",
        "pod-security.kubernetes.io/enforce": "privileged",
        "pod-security.kubernetes.io/warn": "baseline",
      },
      "sealed-secrets": {},
    },
    secrets: {
      "csi-proxmox/proxmox-csi-plugin": {
        type: "Opaque",
        labels: {},
        data: { "config.yaml": csiConfig(config, secrets.csiToken) },
      },
      "sealed-secrets/sealed-secrets-bootstrap-key": {
        type: "kubernetes.io/tls",
        labels: { "sealedsecrets.bitnami.com/sealed-secrets-key": "active" },
        data: { "tls.crt": secrets.certificate, "tls.key": secrets.key },
      },
    },
    volumes: Object.fromEntries(csiVolumes(config).map(([name, one]) => [name, volume(config, name, one)])),
  };
}

/** The kubelet registers the first part of a name, unless the config says that it is to register all of it. */
function node({ cluster, nodes }: Config, name: string): [string, KubernetesState["nodes"][string]] {
  const kubelet = parse(cluster.kubelet ?? "{}") as { registerWithFQDN?: boolean };
  const { machine_type, host_node, ip } = nodes[name]!;
  const role = machine_type === "controlplane" ? { "node-role.kubernetes.io/control-plane": "" } : {};
  return [
    kubelet.registerWithFQDN ? name : name.replace(/\..*/, ""),
    {
      address: ip,
      labels: {
        ...role,
        "topology.kubernetes.io/region": cluster.proxmox_cluster,
        "topology.kubernetes.io/zone": host_node,
      },
    },
  ];
}

const csiConfig = ({ proxmox, env, cluster }: Config, token: string): unknown => ({
  clusters: [
    {
      url: `${proxmox.endpoint.replace(/\/$/, "")}/api2/json`,
      insecure: true,
      token_id: `${env === "" ? "" : `${env}-`}kubernetes-csi@pve!csi`,
      token_secret: token,
      region: cluster.proxmox_cluster,
    },
  ],
});

function volume(config: Config, name: string, one: Volume): KubernetesState["volumes"][string] {
  const { datastore, node: host } = one;
  const isShared = config.datastores[datastore]?.shared ?? false;
  const region = config.cluster.proxmox_cluster;
  const mib = sizeMibOf(one);
  const within = (key: string, value: string) => ({ key, operator: "In", values: [value] });
  return {
    annotations: { "csi.proxmox.sinextra.dev/lifecycle": "keep" },
    phase: "Available",
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: mib % 1024 === 0 ? `${mib / 1024}Gi` : `${mib}Mi` },
      csi: {
        driver: "csi.proxmox.sinextra.dev",
        fsType: "ext4",
        volumeAttributes: { cache: "writethrough", ssd: "true", storage: datastore },
        volumeHandle: `${region}/${isShared ? "" : host}/${datastore}/${csiDisk(config, name, one)}`,
      },
      mountOptions: ["noatime"],
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            {
              matchExpressions: [
                within("topology.kubernetes.io/region", region),
                ...(isShared ? [] : [within("topology.kubernetes.io/zone", host)]),
              ],
            },
          ],
        },
      },
      persistentVolumeReclaimPolicy: "Retain",
      storageClassName: "proxmox-csi",
      volumeMode: "Filesystem",
    },
  };
}
