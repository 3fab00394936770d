import { disksOf, schematicId, type Config, type Node, type Volume } from "./config.ts";

/** Address → what has to be planned there. Whatever is not named may be as it likes. */
export type Expected = Map<string, object>;

/** Everything that a plan for an empty Proxmox has to create, from the config alone. */
export function expectedPlan(config: Config, read: (path: string) => string): Expected {
  return new Map([
    ...csi(config),
    ...sealedSecrets(),
    ...images(config, read),
    ...machines(config, read),
    ...disks(config),
    ...talos(config),
    ...Object.entries(config.volumes)
      .filter(([, { type }]) => type === "proxmox-csi")
      .flatMap(([name, volume]) => csiVolume(config, name, volume)),
  ]);
}

function csi({ env }: Config): [string, object][] {
  const prefix = env === "" ? "" : `${env}-`;
  const user = `${prefix}kubernetes-csi@pve`;
  return [
    [
      "module.proxmox-csi.proxmox_virtual_environment_role.csi",
      {
        role_id: `${prefix}CSI`,
        privileges: [
          "Datastore.Allocate",
          "Datastore.AllocateSpace",
          "Datastore.Audit",
          "VM.Audit",
          "VM.Config.Disk",
        ],
      },
    ],
    ["module.proxmox-csi.proxmox_virtual_environment_user.kubernetes-csi", { user_id: user, enabled: true }],
    [
      "module.proxmox-csi.proxmox_acl.csi",
      { path: "/", role_id: `${prefix}CSI`, user_id: user, propagate: true },
    ],
    [
      "module.proxmox-csi.proxmox_user_token.csi",
      { user_id: user, token_name: "csi", privileges_separation: false },
    ],
    ["module.proxmox-csi.kubernetes_namespace_v1.csi-proxmox", { metadata: [{ name: "csi-proxmox" }] }],
    [
      "module.proxmox-csi.kubernetes_secret_v1.proxmox-csi-plugin",
      { metadata: [{ name: "proxmox-csi-plugin", namespace: "csi-proxmox" }] },
    ],
  ];
}

function sealedSecrets(): [string, object][] {
  return [
    [
      "module.sealed-secrets.kubernetes_namespace_v1.sealed-secrets",
      { metadata: [{ name: "sealed-secrets" }] },
    ],
    [
      "module.sealed-secrets.kubernetes_secret_v1.sealed-secrets-key",
      {
        type: "kubernetes.io/tls",
        data: { "tls.crt": "a certificate", "tls.key": "a key" },
        metadata: [
          {
            namespace: "sealed-secrets",
            labels: { "sealedsecrets.bitnami.com/sealed-secrets-key": "active" },
          },
        ],
      },
    ],
  ];
}

interface Image {
  readonly schematic: string;
  readonly version: string;
  readonly name: string;
}

/** What a machine runs, and what it will run while it is being updated. */
export function imageOf({ image }: Config, isUpdate: boolean, read: (path: string) => string): Image {
  const path = (isUpdate ? image.update_schematic_path : undefined) ?? image.schematic_path;
  const version = (isUpdate ? image.update_version : undefined) ?? image.version;
  const schematic = schematicId(read(path));
  return { schematic, version, name: `${schematic}-${version}-${image.platform}-${image.arch}` };
}

function images(config: Config, read: (path: string) => string): [string, object][] {
  const { image, env } = config;
  const hasUpdate = image.update_version !== undefined || image.update_schematic_path !== undefined;
  const nodes = Object.values(config.nodes);
  const wanted = new Map<string, { host: string; wants: Image }>();
  for (const { host_node: host } of nodes) {
    for (const isUpdate of [...nodes.map(({ update }) => update), ...(hasUpdate ? [true] : [])]) {
      const wants = imageOf(config, isUpdate, read);
      wanted.set(`${host}/${wants.name}`, { host, wants });
    }
  }
  const files = [...wanted].map(([key, { host, wants }]): [string, object] => [
    `module.talos.proxmox_download_file.this["${key}"]`,
    {
      content_type: "import",
      datastore_id: image.datastore,
      node_name: host,
      file_name: `${env === "" ? "" : `${env}-`}talos-${wants.name}.qcow2`,
      url: `${image.factory_url}/image/${wants.schematic}/${wants.version}/${image.platform}-${image.arch}.qcow2`,
      overwrite: false,
      overwrite_unmanaged: true,
    },
  ]);
  const claims = [...wanted.keys()].map((key): [string, object] => [
    `module.talos.terraform_data.image_file["${key}"]`,
    { input: { existed: false } },
  ]);
  const ids = new Set([...wanted.values()].map(({ wants }) => wants.schematic));
  const schematics = [...ids].map((id): [string, object] => [
    `module.talos.talos_image_factory_schematic.this["${id}"]`,
    {},
  ]);
  return [...files, ...claims, ...schematics];
}

/** The tag that tells this cluster's VMs from others. */
export function ownerOf({ cluster, env }: Config): string {
  const name = `talos-${cluster.name}`.toLowerCase().replace(/[^a-z0-9_.-]/g, "-");
  return env === "" ? name : `${name}+${env}`;
}

function machines(config: Config, read: (path: string) => string): [string, object][] {
  const { cluster, image } = config;
  const owner = ownerOf(config);
  return Object.entries(config.nodes).flatMap(([name, node]): [string, object][] => [
    [
      `module.talos.proxmox_virtual_environment_vm.this["${name}"]`,
      {
        name,
        vm_id: node.vm_id,
        node_name: node.host_node,
        tags: ["k8s", node.machine_type === "worker" ? "worker" : "control-plane", owner],
        on_boot: cluster.on_boot,
        started: true,
        machine: image.arch === "arm64" ? "virt" : "q35",
        bios: image.arch === "arm64" ? "ovmf" : "seabios",
        scsi_hardware: "virtio-scsi-single",
        boot_order: ["scsi0"],
        stop_on_destroy: true,
        reboot_after_update: false,
        agent: [{ enabled: true, wait_for_ip: [{ disabled: true }] }],
        cpu: [{ cores: node.cpu, type: node.cpu_type }],
        memory: [{ dedicated: node.ram_dedicated }],
        network_device: [
          {
            bridge: node.bridge,
            vlan_id: node.vlan_id,
            ...(node.mac_address === null ? {} : { mac_address: node.mac_address.toUpperCase() }),
          },
        ],
        operating_system: [{ type: "l26" }],
        smbios: [{ serial: `ds=nocloud;h=${name};i=${node.vm_id}` }],
        initialization: [
          {
            datastore_id: node.datastore,
            dns: node.dns === null ? [] : [{ servers: node.dns }],
            ip_config: [
              { ipv4: [{ address: `${node.ip}/${cluster.subnet_mask}`, gateway: cluster.gateway }] },
            ],
          },
        ],
        disk: [
          { interface: "scsi0", size: 5, datastore_id: node.datastore, iothread: true },
          { interface: "scsi1", size: node.disk_size, datastore_id: node.datastore, iothread: true },
        ],
        hostpci: node.igpu
          ? [{ device: "hostpci0", mapping: "iGPU", pcie: image.arch !== "arm64", rombar: true }]
          : [],
      },
    ],
    [
      `module.talos.proxmox_virtual_environment_vm.data_vm["${name}"]`,
      {
        name: `${name}-data`,
        vm_id: Number(`${node.vm_id}0`),
        node_name: node.host_node,
        tags: ["k8s", owner],
        started: false,
        on_boot: false,
        disk: [{ interface: "scsi0", size: node.disk_size, datastore_id: node.datastore }],
      },
    ],
    [`module.talos.terraform_data.image["${name}"]`, { input: imageOf(config, node.update, read).name }],
    [`module.talos.talos_machine_configuration_apply.this["${name}"]`, { node: node.ip }],
  ]);
}

function disks(config: Config): [string, object][] {
  return disksOf(config).flatMap(({ node, volume, slot, vmId, sizeGib }): [string, object][] => {
    const { host_node, vm_id } = config.nodes[node] as Node;
    const path = `/api2/json/nodes/${host_node}/qemu/${vm_id}/config`;
    return [
      [
        `module.talos.proxmox_virtual_environment_vm.volume_vm["${node}/${volume}"]`,
        {
          name: `${node}-${volume}`,
          vm_id: vmId,
          node_name: host_node,
          tags: ["k8s", ownerOf(config)],
          started: false,
          on_boot: false,
          disk: [{ size: sizeGib, datastore_id: config.volumes[volume]?.datastore }],
        },
      ],
      [
        `module.talos.restapi_object.attachment["${node}/${volume}"]`,
        {
          object_id: `virtio${slot}`,
          path,
          create_method: "PUT",
          destroy_method: "PUT",
          destroy_path: path,
          destroy_data: JSON.stringify({ delete: `virtio${slot}` }),
          ignore_all_server_changes: true,
        },
      ],
    ];
  });
}

function talos(config: Config): [string, object][] {
  const addresses = (type: Node["machine_type"]) =>
    Object.entries(config.nodes)
      .filter(([, { machine_type }]) => machine_type === type)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { ip }]) => ip);
  const [first] = addresses("controlplane");
  return [
    [
      "module.talos.data.talos_cluster_health.this[0]",
      {
        control_plane_nodes: addresses("controlplane"),
        endpoints: addresses("controlplane"),
        worker_nodes: addresses("worker"),
      },
    ],
    [
      "module.talos.talos_machine_secrets.this",
      { talos_version: config.cluster.talos_machine_config_version ?? config.image.version },
    ],
    ["module.talos.talos_machine_bootstrap.this", { node: first }],
    ["module.talos.talos_cluster_kubeconfig.this", { node: first }],
  ];
}

function csiVolume(config: Config, name: string, volume: Volume): [string, object][] {
  const { datastore, format, node, vmid } = volume;
  const { kind = "block", shared = false } = config.datastores[datastore] ?? {};
  const disk = `vm-${vmid}-${config.env === "" ? "" : `${config.env}-`}${name}`;
  const [file, path] = kind === "file" ? [`${disk}.${format}`, `${vmid}/${disk}.${format}`] : [disk, disk];
  const content = `/api2/json/nodes/${node}/storage/${datastore}/content`;
  const number = Number.parseInt(String(volume.size));
  const isMib = /M/.test(String(volume.size));
  const mib = isMib ? number : number * 1024;
  const region = config.cluster.proxmox_cluster;
  const expressions = [
    { key: "topology.kubernetes.io/region", operator: "In", values: [region] },
    ...(shared ? [] : [{ key: "topology.kubernetes.io/zone", operator: "In", values: [node] }]),
  ];
  return [
    [
      `module.volumes.module.proxmox-volume["${name}"].restapi_object.proxmox-volume`,
      {
        path: `${content}/`,
        read_path: `${content}/${datastore}:${path.replace("/", "%2F")}`,
        destroy_path: `${content}/${datastore}:${path.replace("/", "%2F")}`,
        data: JSON.stringify({ filename: file, format, size: `${mib}M`, vmid }),
        ignore_all_server_changes: true,
      },
    ],
    [
      `module.volumes.module.persistent-volume["${name}"].kubernetes_persistent_volume_v1.this`,
      {
        metadata: [{ name }],
        spec: [
          {
            access_modes: ["ReadWriteOnce"],
            capacity: { storage: mib % 1024 === 0 ? `${mib / 1024}Gi` : `${mib}Mi` },
            persistent_volume_reclaim_policy: "Retain",
            storage_class_name: "proxmox-csi",
            node_affinity: [{ required: [{ node_selector_term: [{ match_expressions: expressions }] }] }],
            persistent_volume_source: [
              {
                csi: [
                  {
                    driver: "csi.proxmox.sinextra.dev",
                    volume_handle: `${region}/${shared ? "" : node}/${datastore}/${path}`,
                    volume_attributes: { storage: datastore },
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
  ];
}
