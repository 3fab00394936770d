import { total } from "./distribution.ts";
import type { Model } from "./model.ts";
import { ROLES } from "./role.ts";

/** Everything terraform.tfvars may say: the config with its defaults. Names are sorted already. */
export function tfvarsView(model: Model): object {
  const { source, config, distribution } = model;
  const { cluster_config: cluster, network_config: network, proxmox_config: proxmox } = config;
  const { node_config: node, resource_config: resources, vm_id_ranges: ranges } = config;
  const patches = (["all", ...ROLES] as const)
    .map((who) => ({
      isAll: who === "all",
      isControlplane: who === "controlplane",
      isWorker: who === "worker",
      texts: cluster.config_patches[who],
    }))
    .filter(({ texts }) => texts.length > 0);
  return {
    source,
    cluster: {
      arch: cluster.arch,
      ccm: cluster.ccm,
      endpointOverride: model.endpointOverride,
      extensions: cluster.extensions,
      factoryUrl: cluster.factory_url,
      flux: cluster.flux,
      hasPatches: patches.length > 0,
      kubernetesVersion: model.kubernetesVersion,
      name: cluster.name,
      patches,
      platform: cluster.platform,
      prometheusOperatorCrds: cluster.prometheus_operator_crds,
      talosVersion: cluster.talos_version,
      vipEnabled: cluster.vip_enabled,
      vipIp: model.vipIp,
    },
    network: {
      bridge: network.bridge,
      cidr: model.cidr,
      dhcp: network.dhcp,
      dnsServers: network.dns_servers,
      gateway: model.gateway,
      interface: model.interface,
      vlanId: network.vlan_id,
    },
    node: {
      controlplaneCount: total(distribution, "controlplane"),
      controlplaneIpStart: node.controlplane_ip_start,
      workerCount: total(distribution, "worker"),
      workerIpStart: node.worker_ip_start,
    },
    distribution: Object.entries(distribution).map(([host, share]) => ({
      host,
      controlplaneCount: share.controlplane,
      workerCount: share.worker,
    })),
    proxmox: {
      ccmRole: proxmox.ccm_role,
      ccmUser: proxmox.ccm_user,
      cloudInitDatastore: model.cloudInitDatastore,
      endpoint: proxmox.endpoint,
      imageDownloadNode: model.imageNode,
      insecure: proxmox.insecure,
      isoDatastore: proxmox.iso_datastore,
      templateDatastore: proxmox.template_datastore,
      vmDatastore: proxmox.vm_datastore,
    },
    resources: {
      cpuType: resources.cpu_type,
      controlplane: sizeOf(resources.controlplane),
      worker: sizeOf(resources.worker),
    },
    tags: { common: config.tagging_config.common_tags, extra: config.tagging_config.extra_tags },
    template: {
      controlplaneId: config.template_config.controlplane_template_id,
      node: model.templateNode,
      workerId: config.template_config.worker_template_id,
    },
    ranges,
  };
}

function sizeOf(resources: Model["config"]["resource_config"]["worker"]): object {
  return {
    cpuCores: resources.cpu_cores,
    diskSizeGib: resources.disk_size,
    memoryMib: resources.memory,
  };
}
