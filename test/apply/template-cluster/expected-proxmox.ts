import type { Config, Machine } from "../../kinds/template-cluster/expected.ts";
import type { ProxmoxState, VmState, VolumeState } from "../proxmox-state.ts";
import { unasked } from "../unasked.ts";

const mib = 1024 ** 2;
const gib = 1024 ** 3;

type Role = Machine["role"];

/** What an apply has to leave in Proxmox, from the config alone, and the MAC addresses that the README promises. */
export function expectedProxmox(config: Config, macs: ReadonlyMap<string, string>): ProxmoxState {
  const { machines, template } = config;
  const roles = ["controlplane", "worker"] as const;
  return {
    vms: Object.fromEntries([
      ...roles.map((role) => [template[`${role}_template_id`], templateVm(config, role)] as const),
      ...machines.map((machine) => [
        machine.vmId,
        machineVm(config, machine, macs.get(machine.name) ?? "none"),
      ]),
    ]),
    volumes: Object.fromEntries([
      image(config),
      ...roles.map((role) => templateVolume(config, role)),
      ...machines.flatMap((machine) => machineVolumes(config, machine)),
    ]),
    ...access(config),
  };
}

/** What template and clone have in common. */
function common({ cluster, network, resources, tags }: Config, role: Role): Record<string, string> {
  const { cpu_cores, memory } = resources[role];
  const { template: _, ...rest } = unasked;
  return {
    ...rest,
    agent: "enabled=1,fstrim_cloned_disks=0,type=virtio",
    bios: cluster["arch"] === "arm64" ? "ovmf" : "seabios",
    boot: "order=virtio0",
    cores: String(cpu_cores),
    cpu: resources["cpu_type"],
    memory: String(memory),
    ostype: "l26",
    scsihw: "virtio-scsi-single",
    smbios1: "",
    tags: [...new Set([...tags, `talos+${cluster["name"]}`, role])].sort().join(";"),
    net0: `bridge=${network["bridge"]},firewall=0${network["vlan_id"] === 0 ? "" : `,tag=${network["vlan_id"]}`}`,
  };
}

const options = "aio=io_uring,backup=1,cache=none,discard=on,iothread=1,replicate=1";

const disk = (volume: string, config: Config, role: Role): string =>
  `${volume},${options},size=${config.resources[role].disk_size}G`;

function templateVm(config: Config, role: Role): VmState {
  const { cluster, template } = config;
  const { net0, ...shared } = common(config, role);
  return {
    node: template["template_node"],
    isRunning: false,
    config: {
      ...shared,
      description: `Template of the ${role} machines of ${cluster["name"]}, Talos ${cluster["talos_version"]}`,
      name: `${cluster["name"]}-${role}-template`,
      net0: `virtio=*,${net0}`,
      onboot: "0",
      template: "1",
      virtio0: disk(templateDisk(config, role), config, role),
    },
  };
}

function machineVm(config: Config, machine: Machine, mac: string): VmState {
  const { cluster, network, proxmox } = config;
  const { host, ip, name, role, vmId } = machine;
  const { net0, ...shared } = common(config, role);
  const bits = String(network["cidr"]).split("/")[1];
  return {
    node: host,
    isRunning: true,
    config: {
      ...shared,
      description: `Talos ${role} of ${cluster["name"]}`,
      ide2: `${proxmox["cloud_init_datastore"]}:vm-${vmId}-cloudinit,media=cdrom,size=4M`,
      ipconfig0: ip === undefined ? "ip=dhcp" : `gw=${network["gateway"]},ip=${ip}/${bits}`,
      name,
      nameserver: network["dns_servers"].join(" "),
      net0: `virtio=${mac},${net0}`,
      onboot: "1",
      virtio0: disk(machineDisk(config, machine), config, role),
    },
  };
}

const templateDisk = ({ proxmox, template }: Config, role: Role): string =>
  `${proxmox["template_datastore"]}:base-${template[`${role}_template_id`]}-disk-0`;

const machineDisk = ({ proxmox }: Config, { vmId }: Machine): string =>
  `${proxmox["vm_datastore"]}:vm-${vmId}-disk-0`;

type Entry = readonly [string, VolumeState];

/** On the node that downloads it, or on a datastore that all nodes see. */
function image({ cluster, proxmox, schematic, template }: Config): Entry {
  const name = `${cluster["name"]}-talos-${schematic}-${cluster["talos_version"]}-${cluster["platform"]}-${cluster["arch"]}`;
  const node = proxmox["image_download_node"] === template["template_node"] ? template["template_node"] : "";
  return [
    `${proxmox["iso_datastore"]}:import/${name}.qcow2@${node}`,
    { content: "import", format: "qcow2", owner: 0, sizeBytes: 100 * mib },
  ];
}

const raw = { content: "images", format: "raw" };

function templateVolume(config: Config, role: Role): Entry {
  const { resources, template } = config;
  const sizeBytes = resources[role].disk_size * gib;
  const owner = template[`${role}_template_id`];
  return [`${templateDisk(config, role)}@${template["template_node"]}`, { ...raw, owner, sizeBytes }];
}

function machineVolumes(config: Config, machine: Machine): readonly Entry[] {
  const { host, role, vmId } = machine;
  const sizeBytes = config.resources[role].disk_size * gib;
  return [
    [`${machineDisk(config, machine)}@${host}`, { ...raw, owner: vmId, sizeBytes }],
    [
      `${config.proxmox["cloud_init_datastore"]}:vm-${vmId}-cloudinit@${host}`,
      { ...raw, owner: vmId, sizeBytes: 4 * mib },
    ],
  ];
}

function access({ cluster, proxmox }: Config): Pick<ProxmoxState, "users" | "roles" | "acl"> {
  if (!cluster["ccm"].enabled) return { users: {}, roles: {}, acl: {} };
  const [user, role] = [proxmox["ccm_user"], proxmox["ccm_role"]];
  const comment = `Proxmox Cloud Controller Manager of ${cluster["name"]}`;
  return {
    users: { [user]: { isEnabled: true, details: { comment }, tokens: { ccm: false } } },
    roles: { [role]: ["Sys.Audit", "VM.Audit", "VM.GuestAgent.Audit"] },
    acl: { [`${user} has ${role} at /`]: { type: "user", propagate: true } },
  };
}
