import { disksOf, type Config, type Disk, type Node, type Volume } from "../tofu/config.ts";
import { imageOf, ownerOf } from "../tofu/expected-plan.ts";
import type { ProxmoxState, VmState, VolumeState } from "./proxmox-state.ts";
import { unasked } from "./unasked.ts";

const mib = 1024 ** 2;
const gib = 1024 ** 3;

/** What an apply has to leave in Proxmox, from the config alone: nothing less, nothing more, nothing else. */
export function expectedProxmox(config: Config, read: (path: string) => string): ProxmoxState {
  const disks = disksOf(config);
  const vms = Object.entries(config.nodes).flatMap(([name, node]) => [
    [node.vm_id, mainVm(config, name, node, disks)] as const,
    [dataVmId(node), dataVm(config, name, node)] as const,
  ]);
  const volumeVms = disks.map((disk) => [disk.vmId, volumeVm(config, disk)] as const);
  return {
    vms: Object.fromEntries([...vms, ...volumeVms]),
    volumes: Object.fromEntries([
      ...Object.values(config.nodes).flatMap((node) => vmVolumes(config, node)),
      ...disks.map((disk) => diskVolume(config, disk)),
      ...images(config, read),
      ...csiVolumes(config).map(([name, volume]) => csiVolume(config, name, volume)),
    ]),
    ...access(config),
  };
}

const dataVmId = ({ vm_id }: Node): number => Number(`${vm_id}0`);

/** Options of all disks, in the order in which the server prints them. */
const options = "aio=io_uring,backup=1,cache=writethrough,discard=on";

function mainVm(config: Config, name: string, node: Node, disks: readonly Disk[]): VmState {
  const { cluster, image } = config;
  const isArm = image.arch === "arm64";
  const isControlPlane = node.machine_type === "controlplane";
  const tag = node.vlan_id === 0 ? "" : `,tag=${node.vlan_id}`;
  const serial = Buffer.from(`ds=nocloud;h=${name};i=${node.vm_id}`).toString("base64");
  const attached = disks
    .filter((disk) => disk.node === name)
    .map((disk) => {
      const volume = volumeId(config, config.volumes[disk.volume]!.datastore, disk.vmId);
      const value = `${volume},${options},iothread=1,replicate=1,serial=${disk.serial},size=${disk.sizeGib}G`;
      return [`virtio${disk.slot}`, value] as const;
    });
  return {
    node: node.host_node,
    isRunning: true,
    config: {
      ...unasked,
      agent: "enabled=1,fstrim_cloned_disks=0,type=virtio",
      bios: isArm ? "ovmf" : "seabios",
      boot: "order=scsi0",
      cores: String(node.cpu),
      cpu: node.cpu_type,
      description: isControlPlane ? "Talos control plane" : "Talos worker",
      ide2: `${cloudInit(config, node)},media=cdrom,size=4M`,
      ipconfig0: `gw=${cluster.gateway},ip=${node.ip}/${cluster.subnet_mask}`,
      machine: isArm ? "virt" : "q35",
      memory: String(node.ram_dedicated),
      name,
      net0: `virtio=${node.mac_address?.toUpperCase() ?? "*"},bridge=${node.bridge},firewall=0${tag}`,
      onboot: cluster.on_boot ? "1" : "0",
      ostype: "l26",
      scsi0: `${volumeId(config, node.datastore, node.vm_id)},${options},iothread=1,replicate=1,size=5G,ssd=1`,
      scsi1: `${volumeId(config, node.datastore, dataVmId(node))},${options},format=raw,iothread=1,replicate=1,size=${node.disk_size}G,ssd=1`,
      scsihw: "virtio-scsi-single",
      smbios1: `base64=1,serial=${serial}`,
      tags: [isControlPlane ? "control-plane" : "worker", "k8s", ownerOf(config)].sort().join(";"),
      ...(node.dns === null ? {} : { nameserver: node.dns.join(" ") }),
      ...(node.igpu ? { hostpci0: `mapping=iGPU,pcie=${isArm ? 0 : 1},rombar=1,x-vga=0` } : {}),
      ...Object.fromEntries(attached),
    },
  };
}

function dataVm(config: Config, name: string, node: Node): VmState {
  const volume = volumeId(config, node.datastore, dataVmId(node));
  const disk = `${volume},${options},iothread=1,replicate=1,size=${node.disk_size}G,ssd=1`;
  const description = `Disk /var of ${name}. Not to be started.`;
  return ownerVm(config, node.host_node, `${name}-data`, description, "scsi0", disk);
}

function volumeVm(config: Config, { node, volume, vmId, sizeGib }: Disk): VmState {
  const id = volumeId(config, config.volumes[volume]!.datastore, vmId);
  const disk = `${id},${options},iothread=1,replicate=1,size=${sizeGib}G`;
  const description = `Disk volume ${node}/${volume}. Not to be started.`;
  return ownerVm(config, config.nodes[node]!.host_node, `${node}-${volume}`, description, "virtio0", disk);
}

/** A VM that holds one disk and is never started. */
function ownerVm(
  config: Config,
  node: string,
  name: string,
  description: string,
  slot: string,
  disk: string,
): VmState {
  return {
    node,
    isRunning: false,
    config: {
      ...unasked,
      agent: "enabled=0,fstrim_cloned_disks=0,type=virtio",
      bios: "seabios",
      boot: `order=${slot};net0`,
      cores: "1",
      cpu: "qemu64",
      description,
      memory: "512",
      name,
      onboot: "0",
      ostype: "other",
      scsihw: "virtio-scsi-pci",
      smbios1: "",
      tags: ["k8s", ownerOf(config)].join(";"),
      [slot]: disk,
    },
  };
}

const isFile = (config: Config, datastore: string): boolean => config.datastores[datastore]?.kind === "file";

const place = (config: Config, datastore: string, node: string): string =>
  config.datastores[datastore]?.shared ? "" : node;

/** The first disk of a VM, which is the only one that it owns. */
function volumeId(config: Config, datastore: string, vmId: number): string {
  const disk = `vm-${vmId}-disk-0`;
  return isFile(config, datastore) ? `${datastore}:${vmId}/${disk}.raw` : `${datastore}:${disk}`;
}

function cloudInit(config: Config, { datastore, vm_id }: Node): string {
  const drive = `vm-${vm_id}-cloudinit`;
  return isFile(config, datastore) ? `${datastore}:${vm_id}/${drive}.qcow2` : `${datastore}:${drive}`;
}

type Entry = readonly [string, VolumeState];

function vmVolumes(config: Config, node: Node): readonly Entry[] {
  const { datastore, host_node, vm_id, disk_size } = node;
  const at = place(config, datastore, host_node);
  const raw = { content: "images", format: "raw" };
  const format = isFile(config, datastore) ? "qcow2" : "raw";
  return [
    [`${cloudInit(config, node)}@${at}`, { content: "images", format, owner: vm_id, sizeBytes: 4 * mib }],
    [`${volumeId(config, datastore, vm_id)}@${at}`, { ...raw, owner: vm_id, sizeBytes: 5 * gib }],
    [
      `${volumeId(config, datastore, dataVmId(node))}@${at}`,
      { ...raw, owner: dataVmId(node), sizeBytes: disk_size * gib },
    ],
  ];
}

function diskVolume(config: Config, { node, volume, vmId, sizeGib }: Disk): Entry {
  const { datastore } = config.volumes[volume]!;
  const at = place(config, datastore, config.nodes[node]!.host_node);
  const state = { content: "images", format: "raw", owner: vmId, sizeBytes: sizeGib * gib };
  return [`${volumeId(config, datastore, vmId)}@${at}`, state];
}

/** On each host what any machine runs, and what they will run after the update. */
function images(config: Config, read: (path: string) => string): readonly Entry[] {
  const { image, env } = config;
  const hasUpdate = image.update_version !== undefined || image.update_schematic_path !== undefined;
  const nodes = Object.values(config.nodes);
  const updates = [...nodes.map(({ update }) => update), ...(hasUpdate ? [true] : [])];
  return nodes.flatMap(({ host_node }) =>
    updates.map((isUpdate): Entry => {
      const { name } = imageOf(config, isUpdate, read);
      const file = `${env === "" ? "" : `${env}-`}talos-${name}.qcow2`;
      return [
        `${image.datastore}:import/${file}@${host_node}`,
        { content: "import", format: "qcow2", owner: 0, sizeBytes: 100 * mib },
      ];
    }),
  );
}

export const csiVolumes = (config: Config): readonly (readonly [string, Volume])[] =>
  Object.entries(config.volumes).filter(([, { type }]) => type === "proxmox-csi");

/** `20G` and `20Gi` are the same, and so are `1536M` and `1536Mi`. */
export const sizeMibOf = ({ size }: Volume): number =>
  Number.parseInt(String(size)) * (/M/.test(String(size)) ? 1 : 1024);

/** Name of the disk of a CSI volume in its datastore. */
export function csiDisk(config: Config, name: string, { datastore, format, vmid }: Volume): string {
  const disk = `vm-${vmid}-${config.env === "" ? "" : `${config.env}-`}${name}`;
  return isFile(config, datastore) ? `${vmid}/${disk}.${format}` : disk;
}

export function csiVolume(config: Config, name: string, volume: Volume): Entry {
  const { datastore, format, node, vmid } = volume;
  const at = place(config, datastore, node);
  const state = { content: "images", format, owner: vmid, sizeBytes: sizeMibOf(volume) * mib };
  return [`${datastore}:${csiDisk(config, name, volume)}@${at}`, state];
}

function access({ env }: Config): Pick<ProxmoxState, "users" | "roles" | "acl"> {
  const prefix = env === "" ? "" : `${env}-`;
  const [user, role] = [`${prefix}kubernetes-csi@pve`, `${prefix}CSI`];
  return {
    users: {
      [user]: {
        isEnabled: true,
        details: { comment: "Proxmox CSI plugin of Kubernetes" },
        tokens: { csi: false },
      },
    },
    roles: {
      [role]: [
        "Datastore.Allocate",
        "Datastore.AllocateSpace",
        "Datastore.Audit",
        "VM.Audit",
        "VM.Config.Disk",
      ],
    },
    acl: { [`${user} has ${role} at /`]: { type: "user", propagate: true } },
  };
}
