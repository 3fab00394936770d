/** One other valid value for a key of golden/every-option, by the key's pattern. */
export interface Other {
  /** Which name stands for `*`. */
  readonly at?: string;
  readonly value: unknown;
  /** What has to be changed with it to keep the config valid: path → value. */
  readonly along?: Readonly<Record<string, unknown>>;
  /** What has to be so before and after: path → value. */
  readonly given?: Readonly<Record<string, unknown>>;
  /** Files that the other value points at. */
  readonly files?: Readonly<Record<string, string>>;
  /** Addresses or outputs in which the difference has to show, where the change of another key would show too. */
  readonly showsIn?: RegExp;
}

const schematic = `customization:
  systemExtensions:
    officialExtensions:
      - siderolabs/qemu-guest-agent
`;

export const otherValues: Readonly<Record<string, Other>> = {
  "cilium_config.bootstrap_manifest_path": { value: "other.yaml", files: { "other.yaml": "kind: Other\n" } },
  "cilium_config.values_file_path": { value: "other.yaml", files: { "other.yaml": "debug: {}\n" } },
  "cluster.allow_scheduling_on_controlplane": { value: false },
  "cluster.api_server": { value: "extraArgs:\n  v: '4'\n" },
  "cluster.extra_manifests": { value: ["https://manifests.example.com/other.yaml"] },
  "cluster.gateway": { value: "10.1.4.9" },
  "cluster.gateway_api_version": { value: "v1.3.0" },
  "cluster.kubelet": { value: "extraArgs:\n  v: '4'\n" },
  "cluster.kubernetes_version": { value: "v1.34.2" },
  "cluster.machine_features": { value: "diskQuotaSupport: false\n" },
  "cluster.name": { value: "other" },
  "cluster.on_boot": { value: true },
  "cluster.proxmox_cluster": {
    value: "other",
    along: { "proxmox.cluster_name": "other" },
    showsIn: /machine_configuration/,
  },
  "cluster.subnet_mask": { value: "21" },
  "cluster.talos_machine_config_version": { value: "v1.13.0" },
  "cluster.vip": { value: "10.1.5.39" },
  "datastores.*.kind": { at: "cephfs", value: "block", given: { "volumes.shared.format": "raw" } },
  "datastores.*.shared": { at: "cephfs", value: false },
  env: { value: "other" },
  "image.arch": { value: "amd64" },
  "image.datastore": { value: "other" },
  "image.factory_url": { value: "https://other.example.com" },
  "image.platform": { value: "nocloud" },
  "image.schematic_path": { value: "other.yaml", files: { "other.yaml": schematic } },
  "image.update_schematic_path": { value: "other.yaml", files: { "other.yaml": schematic } },
  "image.update_version": { value: "v1.12.5" },
  "image.version": { value: "v1.12.3" },
  "nodes.*.bridge": { at: "controller1", value: "vmbr9" },
  "nodes.*.cpu": { at: "controller1", value: 8 },
  "nodes.*.cpu_type": { at: "controller1", value: "host" },
  "nodes.*.datastore": { at: "controller1", value: "other" },
  "nodes.*.disk_size": { at: "controller1", value: 44 },
  "nodes.*.dns": { at: "controller1", value: ["10.1.4.4"] },
  "nodes.*.host_node": { at: "controller1", value: "pve3" },
  "nodes.*.igpu": { at: "controller1", value: false },
  "nodes.*.ip": { at: "controller1", value: "10.1.5.99" },
  "nodes.*.mac_address": { at: "controller1", value: "bc:24:11:00:00:99" },
  "nodes.*.machine_type": { at: "worker1", value: "controlplane" },
  "nodes.*.ram_dedicated": { at: "controller1", value: 9216 },
  "nodes.*.update": { at: "controller2", value: false },
  "nodes.*.vlan_id": { at: "controller1", value: 0 },
  "nodes.*.vm_id": { at: "controller1", value: 1099 },
  "proxmox.cluster_name": {
    value: "other",
    along: { "cluster.proxmox_cluster": "other" },
    showsIn: /persistent_volume/,
  },
  "sealed_secrets_config.certificate_path": {
    value: "keys/other.crt",
    files: { "keys/other.crt": "another certificate" },
  },
  "sealed_secrets_config.key_path": { value: "keys/other.key", files: { "keys/other.key": "another key" } },
  "volumes.*.datastore": { at: "replicas", value: "other" },
  "volumes.*.format": { at: "shared", value: "raw" },
  "volumes.*.machine_type": { at: "folder", value: "worker" },
  "volumes.*.node": { at: "shared", value: "pve2" },
  "volumes.*.size": { at: "replicas", value: "13G" },
  "volumes.*.type": { at: "folder", value: "disk" },
  "volumes.*.vmid": { at: "shared", value: 9101 },
};
