import type { Model } from "./model.ts";
import { total } from "./distribution.ts";

/** What the token of the tree must be allowed to do. */
const PRIVILEGES = [
  "Datastore.Allocate",
  "Datastore.AllocateSpace",
  "Datastore.AllocateTemplate",
  "Datastore.Audit",
  "Pool.Audit",
  "SDN.Use",
  "Sys.Audit",
  "Sys.Modify",
  "VM.Allocate",
  "VM.Audit",
  "VM.Clone",
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
/** For DHCP, and to hand them on to the cloud controller manager: nobody can give what he does not have. */
const AGENT = ["VM.GuestAgent.Audit"];
const ACCOUNTS = ["Permissions.Modify", "Realm.AllocateUser", "User.Modify"];

/** Everything README.md may say. */
export function readmeView(model: Model): object {
  const { source, isExample, config, distribution, memory } = model;
  const { cluster_config: cluster, network_config: network, proxmox_config: proxmox } = config;
  const nodes = Object.entries(memory.nodes);
  const controlplaneCount = total(distribution, "controlplane");
  const workerCount = total(distribution, "worker");
  const needsAgent = cluster.ccm.enabled || network.dhcp;
  const privileges = [...PRIVILEGES, ...(needsAgent ? AGENT : []), ...(cluster.ccm.enabled ? ACCOUNTS : [])];
  const factory = cluster.factory_url.replace(/^https?:\/\//, "");
  return {
    source,
    isExample,
    cluster: cluster.name,
    size: `${counted(controlplaneCount, "control plane")} and ${counted(workerCount, "worker")}`,
    hasManyControlplanes: controlplaneCount > 1,
    hasNoWorkers: workerCount === 0,
    hasCcm: cluster.ccm.enabled,
    hasVip: cluster.vip_enabled,
    isDhcp: network.dhcp,
    endpoint: cluster.vip_enabled ? `https://${model.vipIp}:6443` : (model.endpointOverride ?? ""),
    // The privilege to ask the guest agent has its name since then.
    proxmoxVersion: needsAgent ? "9.0" : "8.4",
    owner: `talos+${cluster.name}`,
    bootstrapNode: memory.bootstrap_node,
    installerImage: `${factory}/${cluster.platform}-installer/${model.schematicId}:${cluster.talos_version}`,
    templateNode: model.templateNode,
    imageNode: model.imageNode,
    isoDatastore: proxmox.iso_datastore,
    hostList: [...new Set([...Object.keys(distribution), model.templateNode, model.imageNode])]
      .sort()
      .join(", "),
    privileges: privileges.sort().join(" "),
    controlplaneTemplateId: config.template_config.controlplane_template_id,
    workerTemplateId: config.template_config.worker_template_id,
    ccmRole: proxmox.ccm_role,
    ccmUser: proxmox.ccm_user,
    ccmVersion: cluster.ccm.version,
    controlplanes: nodes.filter(([, { role }]) => role === "controlplane").map(([name]) => ({ name })),
    nodes: nodes.map(([name, node]) => ({
      name,
      role: node.role,
      address: node.ip === "" ? "DHCP" : node.ip,
      mac: node.mac_address,
      hostNode: node.host_node,
      vmId: node.vm_id,
    })),
    manifests: manifestsOf(cluster),
  };
}

/** Where Talos fetches manifests from, the same as machine-config.tf has them, and what is known of these places. */
function manifestsOf({ ccm, flux, prometheus_operator_crds: crds }: Model["config"]["cluster_config"]) {
  const asset = (version: string) =>
    `built and published by the release workflow of that project, which was read at ${version}; the file itself was not fetched`;
  return [
    {
      isEnabled: ccm.enabled,
      url: `https://raw.githubusercontent.com/sergelogvinov/proxmox-cloud-controller-manager/${ccm.version}/docs/deploy/cloud-controller-manager.yml`,
      proof: "a file of that repository, read at v0.13.1",
    },
    {
      isEnabled: crds.enabled,
      url: `https://github.com/prometheus-operator/prometheus-operator/releases/download/${crds.version}/stripped-down-crds.yaml`,
      proof: asset("v0.90.1"),
    },
    {
      isEnabled: flux.enabled,
      url: `https://github.com/fluxcd/flux2/releases/download/${flux.version}/install.yaml`,
      proof: asset("v2.7.5"),
    },
  ].filter(({ isEnabled }) => isEnabled);
}

function counted(count: number, what: string): string {
  return `${count === 0 ? "no" : count} ${what}${count === 1 ? "" : "s"}`;
}
