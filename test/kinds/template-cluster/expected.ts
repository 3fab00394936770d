import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { parse, stringify } from "yaml";

/**
 * The config as the documents describe it, read by the tests' own hand: names, types and defaults stand here a second
 * time, so that a mistake in the program cannot hide in what it is compared with.
 */
export interface Config {
  readonly proxmox: Record<string, any>;
  readonly network: Record<string, any>;
  readonly cluster: Record<string, any>;
  readonly template: Record<string, any>;
  readonly resources: Record<string, any>;
  readonly tags: readonly string[];
  readonly machines: readonly Machine[];
  readonly schematic: string;
}

export interface Machine {
  readonly name: string;
  readonly role: "controlplane" | "worker";
  readonly host: string;
  readonly vmId: number;
  readonly ip: string | undefined;
}

export function readConfig(file: string): Config {
  return parseConfig(readFileSync(file, "utf8"));
}

export function parseConfig(text: string): Config {
  const given = parse(text) as Record<string, Record<string, any> | undefined>;
  const own = (key: string) => given[key] ?? {};
  const hosts = given["node_distribution"];
  const template = {
    controlplane_template_id: 998,
    worker_template_id: 999,
    template_node: hosts === undefined ? undefined : Object.keys(hosts).sort()[0],
    ...own("template_config"),
  };
  const counts = { controlplane_count: 3, worker_count: 3, ...own("node_config") };
  const network = {
    bridge: "vmbr0",
    dhcp: false,
    dns_servers: ["1.1.1.1", "1.0.0.1"],
    vlan_id: 0,
    ...own("network_config"),
  };
  const proxmox = {
    ccm_role: "TalosCCM",
    ccm_user: "talos-ccm@pve",
    image_download_node: template.template_node,
    iso_datastore: "local",
    template_datastore: "local-lvm",
    vm_datastore: "local-lvm",
    ...own("proxmox_config"),
  };
  const cluster = {
    arch: "amd64",
    extensions: ["siderolabs/qemu-guest-agent"],
    factory_url: "https://factory.talos.dev",
    kubernetes_version: own("cluster_config")["talos_version"]?.startsWith("v1.12") ? "v1.35.0" : "v1.36.0",
    platform: "nocloud",
    vip_enabled: true,
    ...own("cluster_config"),
    ccm: { enabled: true, version: "v0.13.1", ...own("cluster_config")["ccm"] },
    flux: { enabled: true, version: "v2.7.5", ...own("cluster_config")["flux"] },
    crds: { enabled: true, version: "v0.90.1", ...own("cluster_config")["prometheus_operator_crds"] },
  } as Record<string, any>;
  const resources = own("resource_config");
  const tagging = { common_tags: ["talos", "terraform"], extra_tags: [], ...own("tagging_config") };
  return {
    proxmox: { cloud_init_datastore: proxmox["vm_datastore"], ...proxmox },
    network,
    cluster,
    template,
    resources: {
      cpu_type: "x86-64-v2-AES",
      ...resources,
      controlplane: { cpu_cores: 4, memory: 4096, disk_size: 20, ...resources["controlplane"] },
      worker: { cpu_cores: 8, memory: 8192, disk_size: 50, ...resources["worker"] },
    },
    tags: [...tagging.common_tags, ...tagging.extra_tags],
    machines: machinesOf(String(cluster["name"]), hosts ?? { [template.template_node as string]: counts }, {
      cidr: network.dhcp ? undefined : (network as { cidr?: string }).cidr,
      starts: { controlplane: 10, worker: 20, ...startsOf(own("node_config")) },
      first: {
        controlplane: own("vm_id_ranges")["controlplane"]?.min ?? 2000,
        worker: own("vm_id_ranges")["worker"]?.min ?? 3000,
      },
    }),
    schematic: schematicId(cluster["extensions"]),
  };
}

interface Sources {
  readonly cidr: string | undefined;
  readonly starts: Readonly<Record<string, number>>;
  readonly first: Readonly<Record<string, number>>;
}

/** As a first run gives them out: by role, then by host, one after the other. */
function machinesOf(
  cluster: string,
  hosts: Record<string, any>,
  { cidr, starts, first }: Sources,
): Machine[] {
  return (["controlplane", "worker"] as const).flatMap((role) => {
    const places = Object.keys(hosts)
      .sort()
      .flatMap((host) => Array<string>(hosts[host][`${role}_count`] ?? 0).fill(host));
    return places.map((host, index) => ({
      name: `${cluster}-${role}-${index + 1}`,
      role,
      host,
      vmId: (first[role] ?? 0) + index,
      ip: cidr === undefined ? undefined : hostOf(cidr, (starts[role] ?? 0) + index),
    }));
  });
}

function startsOf(node: Record<string, number>): Record<string, number> {
  const roles = ["controlplane", "worker"].filter((role) => node[`${role}_ip_start`] !== undefined);
  return Object.fromEntries(roles.map((role) => [role, node[`${role}_ip_start`] as number]));
}

/** An address of a subnet by its number, for numbers below 65536. */
function hostOf(cidr: string, number: number): string {
  const [a, b, c, d] = (cidr.split("/")[0] ?? "").split(".").map(Number) as [number, number, number, number];
  const sum = c * 256 + d + number;
  return `${a}.${b}.${sum >> 8}.${sum & 255}`;
}

/** The id that the Image Factory gives a schematic: the hash of its YAML as Go writes it. */
function schematicId(extensions: readonly string[]): string {
  const schematic = { customization: { systemExtensions: { officialExtensions: extensions } } };
  return createHash("sha256")
    .update(stringify(schematic, { indent: 4 }))
    .digest("hex");
}

const INFRASTRUCTURE = "module.proxmox-infrastructure";
const BOOTSTRAP = "module.talos-bootstrap";

/** Address → what has to be planned there. Whatever is not named may be as it likes. */
export function expectedPlan(config: Config): Map<string, object> {
  const { cluster, machines, proxmox, schematic, template } = config;
  const image = `${schematic}-${cluster["talos_version"]}-${cluster["platform"]}-${cluster["arch"]}`;
  const [first, ...others] = machines;
  return new Map<string, object>([
    [`${INFRASTRUCTURE}.talos_image_factory_schematic.this`, {}],
    [
      `${INFRASTRUCTURE}.proxmox_download_file.image`,
      {
        content_type: "import",
        datastore_id: proxmox["iso_datastore"],
        node_name: proxmox["image_download_node"],
        file_name: `${cluster["name"]}-talos-${image}.qcow2`,
        url: `${cluster["factory_url"]}/image/${schematic}/${cluster["talos_version"]}/${cluster["platform"]}-${cluster["arch"]}.qcow2`,
        overwrite: false,
        overwrite_unmanaged: true,
      },
    ],
    [`${INFRASTRUCTURE}.terraform_data.image_file`, { input: { existed: false } }],
    ...(["controlplane", "worker"] as const).flatMap((role): [string, object][] => [
      [`${INFRASTRUCTURE}.terraform_data.template["${role}"]`, {}],
      [
        `${INFRASTRUCTURE}.proxmox_virtual_environment_vm.template["${role}"]`,
        {
          ...common(config, role),
          vm_id: template[`${role}_template_id`],
          node_name: template["template_node"],
          template: true,
          disk: [
            {
              datastore_id: proxmox["template_datastore"],
              interface: "virtio0",
              size: config.resources[role].disk_size,
            },
          ],
        },
      ],
    ]),
    ...machines.map((machine): [string, object] => [
      `${INFRASTRUCTURE}.proxmox_virtual_environment_vm.${machine.role}["${machine.name}"]`,
      expectedMachine(config, machine),
    ]),
    ...machines.map(({ name }): [string, object] => [`${BOOTSTRAP}.terraform_data.machine["${name}"]`, {}]),
    [`${BOOTSTRAP}.talos_machine_secrets.this`, {}],
    [`${BOOTSTRAP}.talos_machine_configuration_apply.first["${first?.name}"]`, nodeAt(first)],
    [`${BOOTSTRAP}.talos_machine_bootstrap.this`, nodeAt(first)],
    ...others.map((machine): [string, object] => [
      `${BOOTSTRAP}.talos_machine_configuration_apply.others["${machine.name}"]`,
      nodeAt(machine),
    ]),
    [`${BOOTSTRAP}.talos_cluster_kubeconfig.this`, nodeAt(first)],
    ...(cluster["ccm"].enabled ? controller(proxmox) : []),
  ]);
}

function common({ cluster, network, resources, tags }: Config, role: "controlplane" | "worker"): object {
  return {
    tags: [...new Set([...tags, `talos+${cluster["name"]}`, role])].sort(),
    bios: cluster["arch"] === "arm64" ? "ovmf" : "seabios",
    boot_order: ["virtio0"],
    cpu: [{ cores: resources[role].cpu_cores, type: resources["cpu_type"] }],
    memory: [{ dedicated: resources[role].memory }],
    network_device: [{ bridge: network["bridge"], vlan_id: network["vlan_id"], model: "virtio" }],
  };
}

function expectedMachine(config: Config, { host, ip, name, role, vmId }: Machine): object {
  const { network, proxmox, resources, template } = config;
  const bits = String(network["cidr"]).split("/")[1];
  return {
    ...common(config, role),
    name,
    node_name: host,
    vm_id: vmId,
    migrate: true,
    reboot_after_update: false,
    started: true,
    agent: [{ enabled: true, wait_for_ip: [{ disabled: !network["dhcp"], ipv4: network["dhcp"] }] }],
    clone: [
      {
        vm_id: template[`${role}_template_id`],
        node_name: template["template_node"],
        full: true,
        retries: 1,
      },
    ],
    disk: [{ datastore_id: proxmox["vm_datastore"], interface: "virtio0", size: resources[role].disk_size }],
    initialization: [
      {
        datastore_id: proxmox["cloud_init_datastore"],
        dns: [{ servers: network["dns_servers"] }],
        ip_config: [
          {
            ipv4: [
              ip === undefined
                ? { address: "dhcp" }
                : { address: `${ip}/${bits}`, gateway: network["gateway"] },
            ],
          },
        ],
      },
    ],
  };
}

/** With DHCP the address is not known before the machine is there. */
function nodeAt(machine: Machine | undefined): object {
  return machine?.ip === undefined ? {} : { node: machine.ip };
}

function controller(proxmox: Config["proxmox"]): [string, object][] {
  const at = (resource: string) => `module.proxmox-ccm[0].${resource}.ccm`;
  const [role_id, user_id] = [proxmox["ccm_role"], proxmox["ccm_user"]];
  const privileges = ["Sys.Audit", "VM.Audit", "VM.GuestAgent.Audit"];
  return [
    [at("proxmox_virtual_environment_role"), { role_id, privileges }],
    [at("proxmox_virtual_environment_user"), { user_id, enabled: true }],
    [at("proxmox_acl"), { path: "/", role_id, user_id, propagate: true }],
    [at("proxmox_user_token"), { user_id, token_name: "ccm", privileges_separation: false }],
  ];
}

/** What the machine configuration of a machine has to hold: these documents, no others, with at least these values. */
export function expectedDocuments(config: Config, machine: Machine): Record<string, object> {
  const { cluster, network } = config;
  const isControlplane = machine.role === "controlplane";
  const link = network["interface"] ?? "net0";
  const hasCcm = cluster["ccm"].enabled;
  const factory = String(cluster["factory_url"]).replace(/^https?:\/\//, "");
  return {
    machine: {
      machine: {
        type: machine.role,
        install: {
          disk: "/dev/vda",
          image: `${factory}/${cluster["platform"]}-installer/${config.schematic}:${cluster["talos_version"]}`,
        },
        kubelet: {
          image: `ghcr.io/siderolabs/kubelet:${cluster["kubernetes_version"]}`,
          ...(hasCcm
            ? {
                extraArgs: {
                  "cloud-provider": "external",
                  "provider-id": `proxmox://${cluster["name"]}/${machine.vmId}`,
                },
              }
            : {}),
        },
      },
      cluster: {
        clusterName: cluster["name"],
        controlPlane: {
          endpoint: cluster["vip_enabled"]
            ? `https://${cluster["vip_ip"]}:6443`
            : cluster["endpoint_override"],
        },
        ...(hasCcm ? { externalCloudProvider: { enabled: true } } : {}),
        ...(isControlplane ? controlplane(config) : {}),
      },
    },
    HostnameConfig: { auto: "off", hostname: machine.name },
    ...(network["interface"] === undefined
      ? { "LinkAliasConfig/net0": { selector: { match: 'link.driver == "virtio_net"' } } }
      : {}),
    ...(machine.ip === undefined
      ? { [`DHCPv4Config/${link}`]: {} }
      : {
          [`LinkConfig/${link}`]: {
            addresses: [{ address: `${machine.ip}/${String(network["cidr"]).split("/")[1]}` }],
            routes: [{ gateway: network["gateway"] }],
          },
        }),
    ResolverConfig: { nameservers: network["dns_servers"].map((address: string) => ({ address })) },
    ...(isControlplane && cluster["vip_enabled"]
      ? { [`Layer2VIPConfig/${cluster["vip_ip"]}`]: { link } }
      : {}),
  };
}

function controlplane({ cluster, machines }: Config): object {
  const raw = "https://raw.githubusercontent.com/sergelogvinov/proxmox-cloud-controller-manager";
  const manifests = [
    ...(cluster["crds"].enabled
      ? [
          `https://github.com/prometheus-operator/prometheus-operator/releases/download/${cluster["crds"].version}/stripped-down-crds.yaml`,
        ]
      : []),
    ...(cluster["flux"].enabled
      ? [`https://github.com/fluxcd/flux2/releases/download/${cluster["flux"].version}/install.yaml`]
      : []),
  ];
  return {
    ...(machines.some(({ role }) => role === "worker") ? {} : { allowSchedulingOnControlPlanes: true }),
    ...(manifests.length > 0 ? { extraManifests: manifests } : {}),
    ...(cluster["ccm"].enabled
      ? {
          externalCloudProvider: {
            enabled: true,
            manifests: [`${raw}/${cluster["ccm"].version}/docs/deploy/cloud-controller-manager.yml`],
          },
          inlineManifests: [{ name: "proxmox-ccm-metrics" }],
        }
      : {}),
  };
}
