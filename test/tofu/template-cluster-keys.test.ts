/** Every key of the schema reaches something that a provider gets to see: another value makes another plan. */
import { cpSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { parse, stringify } from "yaml";
import { caseOf } from "../golden/cases.ts";
import { generate } from "../golden/generate.ts";
import { propertiesOf, readSchema } from "../golden/schema-properties.ts";
import { temporaryFolder } from "../golden/temporary-folder.ts";
import { planJson, type PlanJson } from "./planning.ts";
import { startProxmoxStub } from "./proxmox-stub.ts";
import { each } from "./run.ts";
import { put, workspaceIn, type Workspace } from "./workspace.ts";

/** Values by their place. */
type Changes = Readonly<Record<string, unknown>>;

/** Another value for each key, with what has to change along with it. */
const OTHERS: Readonly<Record<string, Changes>> = {
  "cluster_config.arch": { "cluster_config.arch": "amd64" },
  "cluster_config.ccm.enabled": { "cluster_config.ccm.enabled": false },
  "cluster_config.ccm.version": { "cluster_config.ccm.version": "v0.13.1" },
  "cluster_config.config_patches.all": {
    "cluster_config.config_patches.all": ["machine: { sysctls: { a: b } }"],
  },
  "cluster_config.config_patches.controlplane": { "cluster_config.config_patches.controlplane": [] },
  "cluster_config.config_patches.worker": { "cluster_config.config_patches.worker": [] },
  "cluster_config.endpoint_override": {
    "cluster_config.endpoint_override": "https://k8s.example.org",
    "cluster_config.vip_enabled": false,
    "cluster_config.vip_ip": undefined,
  },
  "cluster_config.extensions": { "cluster_config.extensions": ["siderolabs/qemu-guest-agent"] },
  "cluster_config.factory_url": { "cluster_config.factory_url": "https://factory.example.org" },
  "cluster_config.flux.enabled": { "cluster_config.flux.enabled": true },
  "cluster_config.flux.version": { "cluster_config.flux": { enabled: true, version: "v2.7.5" } },
  "cluster_config.kubernetes_version": { "cluster_config.kubernetes_version": "v1.34.0" },
  "cluster_config.name": { "cluster_config.name": "other" },
  "cluster_config.platform": { "cluster_config.platform": "metal" },
  "cluster_config.prometheus_operator_crds.enabled": {
    "cluster_config.prometheus_operator_crds.enabled": false,
  },
  "cluster_config.prometheus_operator_crds.version": {
    "cluster_config.prometheus_operator_crds.version": "v0.90.1",
  },
  "cluster_config.talos_version": { "cluster_config.talos_version": "v1.12.4" },
  "cluster_config.vip_enabled": {
    "cluster_config.endpoint_override": "https://10.1.0.9:6443",
    "cluster_config.vip_enabled": false,
    "cluster_config.vip_ip": undefined,
  },
  "cluster_config.vip_ip": { "cluster_config.vip_ip": "10.1.0.8" },
  "network_config.bridge": { "network_config.bridge": "vmbr2" },
  "network_config.cidr": { "network_config.cidr": "10.1.0.0/21" },
  "network_config.dhcp": {
    "network_config.dhcp": true,
    "network_config.cidr": undefined,
    "network_config.gateway": undefined,
    "node_config.controlplane_ip_start": undefined,
    "node_config.worker_ip_start": undefined,
  },
  "network_config.dns_servers": { "network_config.dns_servers": ["9.9.9.9"] },
  "network_config.gateway": { "network_config.gateway": "10.1.3.253" },
  "network_config.interface": { "network_config.interface": undefined },
  "network_config.vlan_id": { "network_config.vlan_id": 0 },
  "node_config.controlplane_count": {
    "node_config.controlplane_count": 1,
    "node_distribution.pve1.controlplane_count": 0,
  },
  "node_config.controlplane_ip_start": { "node_config.controlplane_ip_start": 101 },
  "node_config.worker_count": { "node_config.worker_count": 2, "node_distribution.pve2.worker_count": 2 },
  "node_config.worker_ip_start": { "node_config.worker_ip_start": 301 },
  "node_distribution.*.controlplane_count": {
    "node_distribution.pve1.controlplane_count": 1,
    "node_distribution.pve2.controlplane_count": 2,
  },
  "node_distribution.*.worker_count": {
    "node_distribution.pve1.worker_count": 1,
    "node_distribution.pve2.worker_count": 2,
  },
  "proxmox_config.ccm_role": { "proxmox_config.ccm_role": "Other" },
  "proxmox_config.ccm_user": { "proxmox_config.ccm_user": "other@pve" },
  "proxmox_config.cloud_init_datastore": { "proxmox_config.cloud_init_datastore": "other" },
  "proxmox_config.image_download_node": { "proxmox_config.image_download_node": "pve1" },
  "proxmox_config.iso_datastore": { "proxmox_config.iso_datastore": "other" },
  "proxmox_config.template_datastore": { "proxmox_config.template_datastore": "other" },
  "proxmox_config.vm_datastore": { "proxmox_config.vm_datastore": "other" },
  "resource_config.controlplane.cpu_cores": { "resource_config.controlplane.cpu_cores": 3 },
  "resource_config.controlplane.disk_size": { "resource_config.controlplane.disk_size": 31 },
  "resource_config.controlplane.memory": { "resource_config.controlplane.memory": 6145 },
  "resource_config.cpu_type": { "resource_config.cpu_type": "max" },
  "resource_config.worker.cpu_cores": { "resource_config.worker.cpu_cores": 7 },
  "resource_config.worker.disk_size": { "resource_config.worker.disk_size": 101 },
  "resource_config.worker.memory": { "resource_config.worker.memory": 16385 },
  "tagging_config.common_tags": { "tagging_config.common_tags": ["other"] },
  "tagging_config.extra_tags": { "tagging_config.extra_tags": [] },
  "template_config.controlplane_template_id": { "template_config.controlplane_template_id": 8997 },
  "template_config.template_node": { "template_config.template_node": "pve1" },
  "template_config.worker_template_id": { "template_config.worker_template_id": 9000 },
  "vm_id_ranges.controlplane.max": { "vm_id_ranges.controlplane": { min: 5000, max: 5009 } },
  "vm_id_ranges.controlplane.min": { "vm_id_ranges.controlplane.min": 5101 },
  "vm_id_ranges.worker.max": { "vm_id_ranges.worker": { min: 5000, max: 5009 } },
  "vm_id_ranges.worker.min": { "vm_id_ranges.worker.min": 5201 },
};

/** What has evidence elsewhere: the other tests choose by kind, reach the stub, and find these versions. */
const apart = /^(kind$|providers\.|proxmox_config\.(endpoint|insecure)$)/;

const one = caseOf("template-cluster-every-option");
const stub = await startProxmoxStub();
const first = await generated({});
await first.must("init", "-no-color", "-input=false");
const target = "-target=module.talos-bootstrap.talos_machine_secrets.this";
await first.must("apply", "-no-color", "-input=false", "-auto-approve", target);

test("there is another value for every key of the schema, and for nothing else", () => {
  const keys = propertiesOf(readSchema("template-cluster")).map(({ pattern }) => pattern.join("."));
  assert.equal(Object.keys(OTHERS).sort(), keys.filter((key) => !apart.test(key)).sort());
});

test("every key of the schema reaches an attribute that a module consumes", async () => {
  const before = await planned({});
  assert.equal(differences(before, await planned({})), []);
  const silent: string[] = [];
  await each(Object.entries(OTHERS), 2, async ([key, changes]) => {
    if (differences(before, await planned(changes)).length === 0) silent.push(key);
  });
  assert.equal(silent, []);
});

test("proxmox_config.insecure: a certificate that nobody knows is refused", async () => {
  const workspace = await variant({ "proxmox_config.insecure": false });
  const { exitCode, stderr } = await workspace.tofu("plan", "-no-color", "-input=false");
  assert.is(exitCode, 1);
  assert.match(stderr, "certificate");
});

test("providers: these versions are required", async () => {
  const { folder } = await generated({ providers: { proxmox: "0.111.9", talos: "0.11.9" } });
  const text = readFileSync(join(folder, "versions.tf"), "utf8");
  assert.match(text, /proxmox"\n +version = "0\.111\.9"/);
  assert.match(text, /talos"\n +version = "0\.11\.9"/);
});

test.after(() => stub.close());

/** The golden tree with the stub as its Proxmox and these values changed. */
async function generated(changes: Changes): Promise<Workspace> {
  const config = parse(readFileSync(one.config, "utf8")) as Record<string, unknown>;
  for (const [path, value] of Object.entries({ "proxmox_config.endpoint": stub.endpoint, ...changes })) {
    set(config, path.split("."), value);
  }
  const source = workspaceIn(temporaryFolder());
  put(source, "cluster.yaml", stringify(config));
  const workspace = workspaceIn(temporaryFolder());
  await generate(join(source.folder, "cluster.yaml"), workspace.folder);
  return workspace;
}

/** The same, initialized, and with the machine secrets of the first one: all else that differs is the change. */
async function variant(changes: Changes): Promise<Workspace> {
  const workspace = await generated(changes);
  symlinkSync(join(first.folder, ".terraform"), join(workspace.folder, ".terraform"));
  for (const file of [".terraform.lock.hcl", "terraform.tfstate"]) {
    cpSync(join(first.folder, file), join(workspace.folder, file));
  }
  return workspace;
}

async function planned(changes: Changes): Promise<PlanJson> {
  return planJson(await variant(changes));
}

/** Addresses that are planned otherwise. Outputs do not count: only what a provider gets to see. */
function differences(a: PlanJson, b: PlanJson): string[] {
  const [before, after] = [a, b].map(
    ({ resource_changes }) =>
      new Map(resource_changes.map(({ address, change }) => [address, JSON.stringify(change)])),
  ) as [Map<string, string>, Map<string, string>];
  const addresses = new Set([...before.keys(), ...after.keys()]);
  return [...addresses].filter((address) => before.get(address) !== after.get(address));
}

function set(object: Record<string, unknown>, [key = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length > 0) set((object[key] ??= {}) as Record<string, unknown>, rest, value);
  else if (value === undefined) delete object[key];
  else object[key] = value;
}

test.run();
