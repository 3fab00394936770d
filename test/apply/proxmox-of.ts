import type { Storage } from "../simulator/proxmox/cluster.ts";
import type { SimulatorOptions } from "../simulator/proxmox/simulator.ts";
import { mib } from "../simulator/proxmox/sizes.ts";
import type { Config } from "../tofu/config.ts";

/** A Proxmox cluster that has what a config takes for granted: hosts, bridges, datastores, a mapped graphics card. */
export function proxmoxOf(config: Config): SimulatorOptions {
  const nodes = Object.values(config.nodes);
  const hosts = new Set([...nodes.map(({ host_node }) => host_node), ...volumeNodes(config)]);
  const bridgesOf = (host: string) => [
    ...new Set(["vmbr0", ...nodes.filter(({ host_node }) => host_node === host).map(({ bridge }) => bridge)]),
  ];
  const withGpu = nodes.filter(({ igpu }) => igpu).map(({ host_node }) => host_node);
  return {
    clusterName: config.cluster.proxmox_cluster,
    nodes: Object.fromEntries([...hosts].map((host) => [host, { bridges: bridgesOf(host) }])),
    storages: storagesOf(config),
    resolve: async (url) =>
      (await fetch(url, { method: "HEAD" })).ok ? { size: 100 * mib, virtualSize: 4247 * mib } : undefined,
    ...(withGpu.length === 0
      ? {}
      : { pciMappings: { iGPU: withGpu.map((node) => `id=8086:46a6,node=${node},path=0000:00:02.0`) } }),
  };
}

const volumeNodes = (config: Config): readonly string[] =>
  Object.values(config.volumes).flatMap(({ type, node }) => (type === "proxmox-csi" ? [node] : []));

/** Images are files, so their datastore is a folder; the README says which content type it needs. */
function storagesOf(config: Config): readonly Storage[] {
  const names = new Set([
    ...Object.values(config.nodes).map(({ datastore }) => datastore),
    ...Object.values(config.volumes).flatMap(({ type, datastore }) =>
      type === "directory" ? [] : [datastore],
    ),
  ]);
  const disks = [...names].map((id): Storage => {
    const { kind = "block", shared: isShared = false } = config.datastores[id] ?? {};
    const block = isShared ? "rbd" : id === "local-lvm" ? "lvmthin" : "zfspool";
    const type = kind === "file" ? (isShared ? "nfs" : "dir") : block;
    return { id, type, content: ["images", "rootdir"], isShared };
  });
  const id = config.image.datastore;
  if (names.has(id)) throw new Error(`the datastore ${id} is for images of disks and of VMs`);
  return [...disks, { id, type: "dir", content: ["backup", "import", "iso", "vztmpl"], isShared: false }];
}
