/** Changes against what the lock remembers that are fine as they are, or were allowed. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Memory, RememberedNode, RememberedVolume } from "../../src/kinds/talos-cluster/memory.ts";
import { checkConfig, quiet } from "../invalid/pipeline.ts";
import { bytes, VALID } from "./example.ts";

const node = (vm_id: number, ip: string, more: Partial<RememberedNode> = {}): RememberedNode => ({
  vm_id,
  ip,
  host_node: "pve1",
  datastore: "local-zfs",
  disk_size: 20,
  machine_type: "worker",
  image: "ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515-v1.13.0-nocloud-amd64",
  ...more,
});

const volume = (more: Partial<RememberedVolume>): RememberedVolume => ({
  type: "disk",
  size_mib: 51_200,
  datastore: "local-zfs",
  node: "",
  shared: false,
  format: "",
  disk: "",
  serial: "",
  ...more,
});

const CSI = volume({
  type: "proxmox-csi",
  size_mib: 10_240,
  node: "pve1",
  format: "raw",
  disk: "vm-9999-db",
});

const MEMORY: Memory = {
  cluster: {
    name: "dev-talos",
    env: "",
    proxmox_cluster: "homelab",
    talos_machine_config_version: "v1.13.0",
  },
  bootstrap_node: "controller1",
  nodes: {
    controller1: node(141, "10.1.2.3", { machine_type: "controlplane" }),
    worker1: node(142, "10.1.2.4"),
  },
  volumes: { longhorn: volume({}), db: CSI },
  disks: { "worker1/longhorn": { slot: 1, vm_id: 1421 } },
  retired: {},
};

const VOLUMES = "volumes:\n  longhorn: { type: disk, size: 50G }\n  db: { node: pve1, size: 10G }\n";

function stderrOf(
  text: string,
  memory: Memory = MEMORY,
  flags: { allowDestroy?: string[]; accept?: string[] } = {},
) {
  const { allowDestroy = [], accept = [] } = flags;
  const surroundings = { ...quiet, memory, allowDestroy: new Set(allowDestroy), accept: new Set(accept) };
  return checkConfig(bytes(text), surroundings).stderr;
}

test("nothing changed", () => assert.is(stderrOf(VALID + VOLUMES), ""));

test("disks may grow", () => {
  const text = (VALID + VOLUMES)
    .replace("size: 50G", "size: 60G")
    .replace("vm_id: 142", "vm_id: 142\n    disk_size: 30");
  assert.is(stderrOf(text), "");
});

test("nodes and volumes may come", () => {
  const worker2 =
    "  worker2: { cpu: 2, host_node: pve2, ip: 10.1.2.5, machine_type: worker, ram_dedicated: 4096, vm_id: 143 }\n";
  const text =
    VALID.replace("proxmox:\n", `${worker2}proxmox:\n`) + VOLUMES + "  more: { type: disk, size: 1G }\n";
  assert.is(stderrOf(text), "");
});

test("what is allowed to go may go", () => {
  const nodes = { ...MEMORY.nodes, gone: node(150, "10.1.2.9") };
  const disks = { ...MEMORY.disks, "gone/longhorn": { slot: 1, vm_id: 1501 } };
  assert.is(stderrOf(VALID + VOLUMES, { ...MEMORY, nodes, disks }, { allowDestroy: ["gone"] }), "");
  assert.is(stderrOf(VALID, MEMORY, { allowDestroy: ["db", "longhorn"] }), "");
});

test("what was done by hand is accepted", () => {
  const nodes = {
    ...MEMORY.nodes,
    worker1: node(142, "10.1.2.9", { host_node: "pve2", datastore: "nfs", disk_size: 10 }),
  };
  const volumes = {
    db: { ...CSI, size_mib: 5, node: "pve2", shared: true, datastore: "nfs", format: "qcow2", disk: "x" },
    longhorn: volume({ size_mib: 10_240, datastore: "nfs" }),
  };
  const accept = ["worker1", "db", "longhorn"];
  assert.is(stderrOf(VALID + VOLUMES, { ...MEMORY, nodes, volumes }, { accept }), "");
});

test("another region and a datastore that became shared are accepted where the user says so", () => {
  const memory = {
    ...MEMORY,
    cluster: { ...MEMORY.cluster, proxmox_cluster: "lab" },
    volumes: { ...MEMORY.volumes, db: { ...CSI, shared: true } },
  };
  assert.is(stderrOf(VALID + VOLUMES, memory, { accept: ["proxmox_cluster", "db"] }), "");
  assert.match(stderrOf(VALID + VOLUMES, memory, { accept: ["db"] }), 'is "lab" and cannot become "homelab"');
  assert.match(stderrOf(VALID + VOLUMES, memory, { accept: ["proxmox_cluster"] }), "cannot become local");
});

test("a lock that does not know regions and shared datastores yet is taken as it is", () => {
  const { proxmox_cluster: _, ...cluster } = MEMORY.cluster;
  const { shared: __, ...db } = CSI;
  const memory = { ...MEMORY, cluster, volumes: { ...MEMORY.volumes, db } };
  assert.is(stderrOf(VALID + VOLUMES, memory), "");
  const shared = `${VALID}datastores: { local-zfs: { shared: true } }\n${VOLUMES}`;
  assert.not.match(stderrOf(shared, memory), "cannot become");
});

test("a typo in a name's values does not count as its removal", () => {
  const text = (VALID + VOLUMES).replace("size: 50G", "size: fifty").replace("cpu: 4", "cpu: four");
  assert.not.match(stderrOf(text), "destroy");
});

test("a lock cannot bring inherited names", () => {
  const text = VALID.replace("  worker1:", "  constructor:");
  const memory = {
    ...MEMORY,
    nodes: { controller1: node(141, "10.1.2.3", { machine_type: "controlplane" }) },
  };
  assert.is(stderrOf(text, { ...memory, volumes: {}, disks: {} }), "");
});

test.run();
