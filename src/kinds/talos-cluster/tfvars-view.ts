import type { Model } from "./model.ts";

/** Everything terraform.tfvars may say: the config with its defaults. Names are sorted already. */
export function tfvarsView({ source, config }: Model): object {
  const { cilium_config, cluster, image, proxmox, sealed_secrets_config } = config;
  const volumes = Object.entries(config.volumes).map(([name, volume]) => ({
    name,
    type: volume.type,
    datastore: volume.datastore,
    format: volume.format,
    machineType: volume.machine_type,
    node: volume.node,
    size: String(volume.size),
    vmid: volume.vmid,
  }));
  return {
    source,
    env: config.env,
    cilium: {
      bootstrapManifestPath: cilium_config.bootstrap_manifest_path,
      valuesFilePath: cilium_config.values_file_path,
    },
    cluster: {
      allowSchedulingOnControlplane: cluster.allow_scheduling_on_controlplane,
      apiServer: cluster.api_server,
      extraManifests: cluster.extra_manifests,
      gateway: cluster.gateway,
      gatewayApiVersion: cluster.gateway_api_version,
      kubelet: cluster.kubelet,
      kubernetesVersion: cluster.kubernetes_version,
      machineFeatures: cluster.machine_features,
      name: cluster.name,
      onBoot: cluster.on_boot,
      proxmoxCluster: cluster.proxmox_cluster,
      subnetMask: cluster.subnet_mask,
      talosMachineConfigVersion: cluster.talos_machine_config_version,
      vip: cluster.vip,
    },
    datastores: Object.entries(config.datastores).map(([name, { kind, shared }]) => ({
      name,
      kind,
      isShared: shared,
    })),
    image: {
      arch: image.arch,
      datastore: image.datastore,
      factoryUrl: image.factory_url,
      platform: image.platform,
      schematicPath: image.schematic_path,
      updateSchematicPath: image.update_schematic_path,
      updateVersion: image.update_version,
      version: image.version,
    },
    nodes: Object.entries(config.nodes).map(([name, node]) => ({
      name,
      bridge: node.bridge,
      cpu: node.cpu,
      cpuType: node.cpu_type,
      datastore: node.datastore,
      diskSizeGib: node.disk_size,
      dns: node.dns,
      hostNode: node.host_node,
      igpu: node.igpu,
      ip: node.ip,
      macAddress: node.mac_address,
      machineType: node.machine_type,
      ramMib: node.ram_dedicated,
      update: node.update,
      vlanId: node.vlan_id,
      vmId: node.vm_id,
    })),
    proxmox: {
      clusterName: proxmox.cluster_name,
      endpoint: proxmox.endpoint,
      insecure: proxmox.insecure,
      username: proxmox.username,
    },
    sealedSecrets: {
      certificatePath: sealed_secrets_config.certificate_path,
      keyPath: sealed_secrets_config.key_path,
    },
    hasVolumes: volumes.length > 0,
    directories: volumes.filter(({ type }) => type === "directory"),
    disks: volumes.filter(({ type }) => type === "disk"),
    csiVolumes: volumes.filter(({ type }) => type === "proxmox-csi"),
  };
}
