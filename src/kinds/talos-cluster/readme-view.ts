import { dirname } from "node:path/posix";
import type { Model } from "./model.ts";

/** A diagram of more machines than this is no help to anybody. */
const MOST_MACHINES = 24;

/** What the token of the tree must be allowed to do; a graphics card needs one more. */
const PRIVILEGES = [
  "Datastore.Allocate",
  "Datastore.AllocateSpace",
  "Datastore.AllocateTemplate",
  "Datastore.Audit",
  "Permissions.Modify",
  "Pool.Audit",
  "Realm.AllocateUser",
  "SDN.Use",
  "Sys.Audit",
  "Sys.Modify",
  "User.Modify",
  "VM.Allocate",
  "VM.Audit",
  "VM.Config.CDROM",
  "VM.Config.CPU",
  "VM.Config.Cloudinit",
  "VM.Config.Disk",
  "VM.Config.HWType",
  "VM.Config.Memory",
  "VM.Config.Network",
  "VM.Config.Options",
  "VM.Migrate",
  "VM.PowerMgmt",
];

/** Everything README.md may say. */
export function readmeView({ source, isExample, config, memory }: Model): object {
  const nodes = Object.entries(config.nodes);
  const hosts = [...new Set(nodes.map(([, node]) => node.host_node))].sort();
  const igpuHosts = hosts.filter((host) => nodes.some(([, node]) => node.igpu && node.host_node === host));
  const csiVolumes = Object.entries(memory.volumes)
    .filter(([, volume]) => volume.type === "proxmox-csi")
    .map(([name, volume]) => csiVolumeView(name, volume));
  return {
    source,
    isExample,
    cluster: config.cluster.name,
    nodeCount: nodes.length,
    endpoint: `https://${config.cluster.vip ?? config.nodes[memory.bootstrap_node]?.ip}:6443`,
    owner: ownerTag(config.cluster.name, config.env),
    region: config.proxmox.cluster_name,
    imageDatastore: config.image.datastore,
    hostList: hosts.join(", "),
    igpuHosts: igpuHosts.join(", "),
    privileges: (igpuHosts.length > 0 ? [...PRIVILEGES, "Mapping.Use"].sort() : PRIVILEGES).join(" "),
    nodes: nodes.map(([name, node]) => ({
      name,
      machineType: node.machine_type,
      ip: node.ip,
      hostNode: node.host_node,
      vmId: node.vm_id,
      dataVmId: node.vm_id * 10,
    })),
    hasDiagram: nodes.length <= MOST_MACHINES,
    hosts:
      nodes.length > MOST_MACHINES
        ? []
        : hosts.map((host, index) => hostView({ config, memory }, host, `h${index}`)),
    disks: Object.entries(memory.disks).map(([key, disk]) => diskView(key, disk, memory)),
    sealedSecrets: {
      certificatePath: config.sealed_secrets_config.certificate_path,
      keyPath: config.sealed_secrets_config.key_path,
      folder: dirname(config.sealed_secrets_config.key_path),
    },
    csiVolumes,
    csiDatastore: csiVolumes[0]?.datastore ?? "local-zfs",
  };
}

/** The same tag that guard.tf computes. */
function ownerTag(cluster: string, env: string): string {
  // OpenTofu normalizes whatever a function returns, and makes one character of a dotted capital I.
  const lower = `talos-${cluster}`.normalize("NFC").replaceAll("\u0130", "i").toLowerCase().normalize("NFC");
  const tag = lower.replace(/[^a-z0-9_.-]/gu, "-");
  return env === "" ? tag : `${tag}+${env}`;
}

function hostView({ config, memory }: Pick<Model, "config" | "memory">, host: string, id: string): object {
  const machines = Object.entries(config.nodes).filter(([, node]) => node.host_node === host);
  return {
    id,
    name: host,
    machines: machines.map(([name, node], index) => ({
      id: `${id}m${index}`,
      name,
      ip: node.ip,
      diskSizeGib: node.disk_size,
      disks: Object.entries(memory.disks)
        .filter(([key]) => key.slice(0, key.lastIndexOf("/")) === name)
        .map(([key, disk], place) => ({
          ...diskView(key, disk, memory),
          machineId: `${id}m${index}`,
          id: `${id}m${index}v${place}`,
          name: key.slice(key.lastIndexOf("/") + 1),
        })),
    })),
  };
}

function diskView(key: string, disk: Model["memory"]["disks"][string], memory: Model["memory"]) {
  const volume = key.slice(key.lastIndexOf("/") + 1);
  return {
    volume,
    node: key.slice(0, key.lastIndexOf("/")),
    slot: `virtio${disk.slot}`,
    vmId: disk.vm_id,
    serial: memory.volumes[volume]?.serial ?? "",
  };
}

function csiVolumeView(name: string, volume: Model["memory"]["volumes"][string]) {
  const { datastore, disk, node, size_mib } = volume;
  const volumeId = `${datastore}:${disk}`;
  return {
    name,
    datastore,
    node,
    volumeId,
    capacity: size_mib % 1024 === 0 ? `${size_mib / 1024}Gi` : `${size_mib}Mi`,
    address: `module.volumes.module.proxmox-volume["${name}"].restapi_object.proxmox-volume`,
    importId: `/api2/json/nodes/${node}/storage/${datastore}/content/${volumeId.replace("/", "%2F")}`,
  };
}
