/** The life of cloned VMs on a simulated Proxmox: made, changed, moved, destroyed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { stringify } from "yaml";
import { generate } from "../golden/generate.ts";
import { temporaryFolder } from "../golden/temporary-folder.ts";
import { ProxmoxSimulator } from "../simulator/proxmox/simulator.ts";
import { put, workspaceIn, type Workspace } from "./workspace.ts";

type Vms = Record<string, Record<string, unknown>>;

interface Output {
  readonly vmid: number;
  readonly vm_name: string;
  readonly node: string;
  readonly ip_address: string | null;
  readonly mac_address: string;
}

const simulator = await ProxmoxSimulator.start({
  nodes: { pve1: {}, pve2: {}, pve3: {} },
  storages: [
    { id: "local-lvm", type: "lvmthin", content: ["images"], isShared: false },
    { id: "tank", type: "zfspool", content: ["images"], isShared: false },
  ],
  pciMappings: { gpu: ["id=10de:1eb8,node=pve2,path=0000:01:00.0"] },
});
addTemplate(9000, "pve1", "talos-v1.12.4-base");
addTemplate(9001, "pve2", "talos-v1.13.0-base");
addTemplate(9002, "pve3", "talos-v1.13.0-base");
const before = simulator.snapshot();

const source = workspaceIn(temporaryFolder());
const folder = temporaryFolder();

/** One by name, one by VMID from another node and with a fixed address, one with a GPU on another datastore. */
const vms: Vms = {
  one: { node: "pve1", template: "talos-v1.12.4-base" },
  two: { node: "pve1", template: 9002, mac_address: "BC:24:11:00:00:11" },
  gpu: { node: "pve2", template: "talos-v1.13.0-base", disk_pool: "tank", gpu_mapping: "gpu" },
};
let workspace: Workspace;

test("apply, with a token that may do what the README says and no more", async () => {
  await generated();
  const privileges = /pveum role add \S+ --privs "([^"]+)"/.exec(
    readFileSync(join(folder, "README.md"), "utf8"),
  );
  const token = simulator.grant({
    token: "talos@pve!tofu",
    privileges: (privileges?.[1] ?? "").split(" "),
  });
  workspace = workspaceIn(folder, { TF_VAR_proxmox_api_token: token });
  await workspace.must("init", "-no-color", "-input=false");
  await apply();
  const outputs = await readOutputs();
  assert.equal(Object.keys(outputs), ["gpu", "one", "two"]);
  for (const [name, { vmid, vm_name, node, ip_address, mac_address }] of Object.entries(outputs)) {
    const vm = simulator.vm(vmid);
    assert.equal([vm_name, node, ip_address], [name, vms[name]?.["node"], null]);
    assert.equal([vm?.node, vm?.isRunning, vm?.config.get("name")], [node, true, name]);
    assert.match(vm?.config.get("net0") ?? "", `virtio=${mac_address},bridge=vmbr0`);
    assert.is(vm?.config.get("ostype"), "l26");
    assert.match(vm?.config.get("agent") ?? "", "enabled=0");
    const drives = [...(vm?.config ?? [])].filter(([key]) => /^(ide|sata|scsi|virtio)\d+$/.test(key));
    const pool = vms[name]?.["disk_pool"] ?? "local-lvm";
    assert.equal(
      drives.map(([key, value]) => [key, /^[^:]+/.exec(value)?.[0], /size=[^,]+/.exec(value)?.[0]]),
      [["scsi0", pool, "size=40G"]],
    );
  }
  assert.is(outputs["two"]?.mac_address, "BC:24:11:00:00:11");
  const { config } = simulator.vm(outputs["gpu"]?.vmid ?? 0) ?? {};
  assert.is(config?.get("hostpci0"), "mapping=gpu,pcie=1,rombar=1,x-vga=0");
  assert.is(config?.get("machine"), "q35");
});

test("a second plan is empty", isInSync);

test("another size changes the VM and does not restart it", async () => {
  Object.assign(vms["one"] ?? {}, { cores: 4, memory_mb: 8192, onboot: false });
  await generated();
  const mark = simulator.mark();
  await apply();
  const writes = simulator.writes(mark).map(({ method, path }) => `${method} ${path}`);
  const { vmid } = (await readOutputs())["one"]!;
  assert.equal([...new Set(writes)], [`PUT /nodes/pve1/qemu/${vmid}/config`]);
  const { config, isRunning } = simulator.vm(vmid)!;
  assert.equal(
    [config.get("cores"), config.get("memory"), config.get("onboot"), isRunning],
    ["4", "8192", "0", true],
  );
  await isInSync();
});

test("no change touches a disk, neither one that was grown by hand nor one that a CSI plugin attached", async () => {
  const { vmid } = (await readOutputs())["one"]!;
  const { config } = simulator.vm(vmid)!;
  const claim = simulator.addCsiVolume("pve1", "local-lvm", 9999, "vm-9999-pvc-1", 1);
  const slot = simulator.attachCsiVolume(vmid, claim);
  config.set("scsi0", config.get("scsi0")!.replace("size=40G", "size=64G"));
  const drives = () => ["scsi0", slot].map((key) => simulator.vm(vmid)?.config.get(key));
  const before = drives();
  Object.assign(vms["one"] ?? {}, { disk_gb: 64 });
  await generated("--accept", "one");
  await isInSync();
  Object.assign(vms["one"] ?? {}, { memory_mb: 12288 });
  await generated();
  await apply();
  assert.equal(drives(), before);
  await isInSync();
  config.delete(slot);
  for (const volume of simulator.cluster.volumes)
    if (volume.name === "vm-9999-pvc-1") simulator.cluster.volumes.delete(volume);
});

test("another template changes nothing", async () => {
  Object.assign(vms["one"] ?? {}, { template: "talos-v1.13.0-base" });
  Object.assign(vms["gpu"] ?? {}, { template: 9000 });
  await generated();
  // Two of that name, and none on the VM's own node.
  const { exitCode, stderr } = await workspace.tofu("plan", "-no-color", "-input=false");
  assert.is(exitCode, 1);
  assert.match(stderr, "2 templates are called talos-v1.13.0-base");
  Object.assign(vms["one"] ?? {}, { template: 9002 });
  await generated();
  await isInSync();
});

test("a VM that was moved by hand is where the config says, once it was accepted", async () => {
  const { vmid } = (await readOutputs())["two"]!;
  move(vmid, "pve3");
  Object.assign(vms["two"] ?? {}, { node: "pve3" });
  await generated("--accept", "two");
  const mark = simulator.mark();
  await apply();
  assert.equal(simulator.writes(mark), []);
  assert.equal((await readOutputs())["two"], { ...(await readOutputs())["two"], vmid, node: "pve3" });
  await isInSync();
});

test("a VM that was moved by hand is moved back otherwise, never made anew", async () => {
  const { vmid } = (await readOutputs())["one"]!;
  const [disk = ""] = simulator.vm(vmid)?.config.get("scsi0")?.split(",") ?? [];
  simulator.putMarker(disk, "data");
  move(vmid, "pve2");
  await apply();
  assert.equal([simulator.vm(vmid)?.node, simulator.marker(disk)], ["pve1", "data"]);
  await isInSync();
});

test("one VM less destroys that one", async () => {
  const { one, two, gpu } = await readOutputs();
  delete vms["two"];
  await generated("--allow-destroy", "two");
  await apply();
  assert.equal(
    [one, two, gpu].map((vm) => simulator.vm(vm?.vmid ?? 0) !== undefined),
    [true, false, true],
  );
  await isInSync();
});

test("a GPU by its address, as root@pam", async () => {
  vms["address"] = { node: "pve1", template: 9000, gpu_pci_bdf: "0000:02:00.0", gpu_rombar: false };
  await generated();
  workspace = workspaceIn(folder, {
    TF_VAR_proxmox_username: "root@pam",
    TF_VAR_proxmox_password: "secret",
  });
  await apply();
  const { config } = simulator.vm((await readOutputs())["address"]!.vmid)!;
  assert.equal(
    [config.get("hostpci0"), config.get("machine")],
    ["host=0000:02:00.0,pcie=1,rombar=0,x-vga=0", "q35"],
  );
  await isInSync();
});

test("destroy leaves the templates as they were", async () => {
  await workspace.must("destroy", "-no-color", "-input=false", "-auto-approve");
  const after = simulator.snapshot();
  for (const key of ["vms", "volumes"]) assert.equal(after[key], before[key], key);
  simulator.assertNoRefusals();
});

test.after(() => simulator.stop());

/** Puts the config where the program reads it, and generates. */
async function generated(...flags: string[]): Promise<void> {
  const config = { kind: "talos-vm", proxmox: { endpoint: simulator.endpoint, insecure: true }, vms };
  put(source, "cluster.yaml", stringify(config));
  await generate(join(source.folder, "cluster.yaml"), folder, ...flags);
}

async function apply(): Promise<void> {
  await workspace.must("apply", "-no-color", "-input=false", "-auto-approve");
}

async function isInSync(): Promise<void> {
  const { exitCode, stdout, stderr } = await workspace.tofu(
    "plan",
    "-no-color",
    "-input=false",
    "-detailed-exitcode",
  );
  assert.is(exitCode, 0, stdout + stderr);
}

async function readOutputs(): Promise<Record<string, Output>> {
  return JSON.parse(await workspace.must("output", "-json", "vms")) as Record<string, Output>;
}

function addTemplate(vmid: number, node: string, name: string): void {
  const disks = { scsi0: { storage: "local-lvm", sizeGib: 5 } };
  const { config } = simulator.addForeignVm({ vmid, node, name, disks });
  for (const [key, value] of Object.entries({ boot: "order=scsi0", ostype: "l26", template: "1" }))
    config.set(key, value);
}

/** As `qm migrate --with-local-disks` does it. */
function move(vmid: number, node: string): void {
  const vm = simulator.vm(vmid)!;
  const own = [...simulator.cluster.volumes].filter(
    (volume) => volume.node === vm.node && volume.name.includes(`vm-${vmid}-`),
  );
  for (const volume of own) volume.node = node;
  vm.node = node;
}

test.run();
