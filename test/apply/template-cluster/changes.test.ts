/** The life of a cluster of clones on simulated machines: made, renewed one by one, grown, shrunk, destroyed. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Editable, Mark } from "../site.ts";
import { observe } from "../proxmox-state.ts";
import { World } from "./world.ts";

const VM = "module.proxmox-infrastructure.proxmox_virtual_environment_vm";

const world = await World.start(
  `
kind: template-cluster
proxmox_config:
  endpoint: https://pve.example.com:8006
  vm_datastore: tank
network_config:
  cidr: 127.91.2.0/24
  gateway: 127.91.2.1
cluster_config:
  name: lab
  talos_version: v1.12.4
  vip_ip: 127.91.2.9
node_distribution:
  pve2: { controlplane_count: 2, worker_count: 1 }
  pve3: { controlplane_count: 1, worker_count: 1 }
`,
  { hosts: ["pve1"], hasApi: true },
);
const { proxmox, talos } = world;
const before = observe(proxmox, []);
const foreign = world.markers();
let mark: Mark = world.mark();

test("apply makes templates and clones, and bootstraps before the others join", async () => {
  await world.apply();
  proxmox.assertNoRefusals();
  assert.equal(places(), {
    "lab-controlplane-1": [2000, "pve2", "127.91.2.10"],
    "lab-controlplane-2": [2001, "pve2", "127.91.2.11"],
    "lab-controlplane-3": [2002, "pve3", "127.91.2.12"],
    "lab-worker-1": [3000, "pve2", "127.91.2.20"],
    "lab-worker-2": [3001, "pve3", "127.91.2.21"],
  });
  for (const [id, cores, memory, size] of [
    [998, "4", "4096", "20G"],
    [999, "8", "8192", "50G"],
  ] as const) {
    const { node, isRunning, config: values } = proxmox.vm(id)!;
    assert.equal([node, isRunning, values.get("template")], ["pve2", false, "1"]);
    assert.equal([values.get("cores"), values.get("memory")], [cores, memory]);
    assert.match(values.get("virtio0") ?? "", new RegExp(`^local-lvm:.*size=${size}`));
  }
  const { config: values } = proxmox.vm(3001)!;
  assert.match(values.get("virtio0") ?? "", /^tank:.*size=50G/);
  assert.match(values.get("ide2") ?? "", /^tank:vm-3001-cloudinit/);
  assert.is(values.get("tags"), "talos;talos+lab;terraform;worker");
  const [first, second, ...others] = world.talosCalls(mark);
  assert.equal([first, second], ["ApplyConfiguration 127.91.2.10", "Bootstrap 127.91.2.10"]);
  assert.equal(
    others.sort(),
    [11, 12, 20, 21].map((host) => `ApplyConfiguration 127.91.2.${host}`),
  );
});

test("the nodes have what the cloud controller manager needs, and only control planes its secret", () => {
  assert.equal(
    proxmox.cluster.roles.get("TalosCCM"),
    new Set(["Sys.Audit", "VM.Audit", "VM.GuestAgent.Audit"]),
  );
  const token = proxmox.cluster.users.get("talos-ccm@pve")?.tokens.get("ccm");
  const [controlplane, worker] = ["127.91.2.11", "127.91.2.20"].map(configurationOf);
  assert.match(controlplane ?? "", token?.secret ?? "no token");
  assert.match(controlplane ?? "", "proxmox-cloud-controller-manager/v0.13.1/docs/deploy");
  assert.match(controlplane ?? "", "provider-id: proxmox://lab/2001");
  assert.match(worker ?? "", "provider-id: proxmox://lab/3000");
  assert.match(worker ?? "", "cloud-provider: external");
  assert.not.match(worker ?? "", "token_secret");
});

test("a second plan is empty", isInSync);

test("another Talos replaces the templates and no machine", async () => {
  const [note = ""] = await world.change(({ cluster_config }) => (cluster_config.talos_version = "v1.13.0"));
  assert.match(note, "The next apply replaces the templates and leaves all machines as they are.");
  mark = world.mark();
  await world.apply();
  assert.equal(world.madeAnew(mark), [998, 999]);
  assert.equal(
    new Set(world.talosCalls(mark).map((write) => write.split(" ")[0])),
    new Set(["ApplyConfiguration"]),
  );
  await isInSync();
});

test("other resources replace the templates, and reach running machines without a restart", async () => {
  await world.change((config) => (config["resource_config"] = { worker: { memory: 16384, disk_size: 60 } }));
  const disk = drive(3000);
  proxmox.putMarker(disk, "data");
  mark = world.mark();
  await world.apply();
  assert.equal(world.madeAnew(mark), [999]);
  assert.is(proxmox.vm(3000)?.config.get("memory"), "16384");
  assert.match(proxmox.vm(3000)?.config.get("virtio0") ?? "", "size=50G");
  assert.equal(
    proxmox.writes(mark.proxmox).filter(({ path }) => /status/.test(path)),
    [],
  );
  assert.is(proxmox.marker(disk), "data");
  await isInSync();
});

test("what another program attached to a running machine stays there", async () => {
  const volume = proxmox.addCsiVolume("pve2", "tank", 9999, "vm-9999-pvc-data", 1);
  const slot = proxmox.attachCsiVolume(3000, volume);
  await world.change((config) => (config["resource_config"] = { worker: { memory: 8192, disk_size: 70 } }));
  await world.apply();
  assert.match(proxmox.vm(3000)?.config.get(slot) ?? "", volume);
  proxmox.vm(3000)?.config.delete(slot);
  await isInSync();
});

test("another token for the controller reaches the control planes in one apply, and no worker", async () => {
  mark = world.mark();
  await world.apply("-replace=module.proxmox-ccm[0].proxmox_user_token.ccm");
  assert.equal(
    world.talosWrites(mark),
    [10, 11, 12].map((host) => `ApplyConfiguration 127.91.2.${host}`),
  );
  const token = proxmox.cluster.users.get("talos-ccm@pve")?.tokens.get("ccm");
  assert.match(configurationOf("127.91.2.12"), token?.secret ?? "no token");
  await isInSync();
});

test("one worker at a time is rebuilt from the new template", async () => {
  mark = world.mark();
  await world.apply(`-replace=${VM}.worker["lab-worker-1"]`);
  assert.equal(world.madeAnew(mark), [3000]);
  assert.equal(world.talosCalls(mark), ["ApplyConfiguration 127.91.2.20"]);
  assert.match(proxmox.vm(3000)?.config.get("virtio0") ?? "", "size=70G");
  await isInSync();
});

test("a control plane is protected", async () => {
  mark = world.mark();
  const { exitCode, stderr } = await world.tryTofu(
    "apply",
    `-replace=${VM}.controlplane["lab-controlplane-2"]`,
  );
  assert.is(exitCode, 1);
  assert.match(flat(stderr), "prevent_destroy");
  assert.equal(proxmox.writes(mark.proxmox), []);
});

test("--allow-destroy lifts the protection of one control plane, and nothing else happens", async () => {
  const [note = ""] = await world.generate("--allow-destroy", "lab-controlplane-2");
  assert.match(note, `tofu apply -replace='${VM}.released_controlplane["lab-controlplane-2"]'`);
  mark = world.mark();
  await world.apply();
  assert.equal(proxmox.writes(mark.proxmox), []);
  const { exitCode } = await world.tryTofu("plan", `-replace=${VM}.controlplane["lab-controlplane-1"]`);
  assert.is(exitCode, 1);
});

test("the lifted one is rebuilt, and joins without another bootstrap", async () => {
  world.kubernetes.removeEtcdMember("127.91.2.11");
  mark = world.mark();
  await world.apply(`-replace=${VM}.released_controlplane["lab-controlplane-2"]`);
  assert.equal(world.madeAnew(mark), [2001]);
  assert.equal(world.talosCalls(mark), ["ApplyConfiguration 127.91.2.11"]);
  await isInSync();
});

test("generating without the flag protects it again", async () => {
  assert.equal(await world.generate(), []);
  mark = world.mark();
  await world.apply();
  assert.equal(proxmox.writes(mark.proxmox), []);
  const { exitCode } = await world.tryTofu("plan", `-replace=${VM}.controlplane["lab-controlplane-2"]`);
  assert.is(exitCode, 1);
  await isInSync();
});

test("the control plane that was bootstrapped can be rebuilt as well", async () => {
  await world.generate("--allow-destroy", "lab-controlplane-1");
  world.kubernetes.removeEtcdMember("127.91.2.10");
  mark = world.mark();
  await world.apply(`-replace=${VM}.released_controlplane["lab-controlplane-1"]`);
  assert.equal(world.madeAnew(mark), [2000]);
  assert.equal(world.talosCalls(mark), ["ApplyConfiguration 127.91.2.10"]);
  await world.generate();
  await world.apply();
  await isInSync();
});

test("a Proxmox node that sorts first moves nobody", async () => {
  const former = places();
  await world.change((config) => {
    config["node_distribution"].pve1 = { worker_count: 2 };
    config["template_config"] = { template_node: "pve2" };
  });
  mark = world.mark();
  await world.apply();
  assert.equal(world.madeAnew(mark), [3002, 3003]);
  assert.equal(places(), {
    ...former,
    "lab-worker-3": [3002, "pve1", "127.91.2.22"],
    "lab-worker-4": [3003, "pve1", "127.91.2.23"],
  });
  await isInSync();
});

test("a worker goes and comes back, and the others stay", async () => {
  const former = places();
  const shrink = ({ node_distribution }: Editable) => (node_distribution.pve1 = { worker_count: 1 });
  const refusal = await world.change(shrink).catch((error: Error) => error.message);
  assert.match(String(refusal), "--allow-destroy lab-worker-4");
  const [note = ""] = await world.change(shrink, "--allow-destroy", "lab-worker-3");
  assert.match(note, "kubectl delete node lab-worker-3");
  mark = world.mark();
  await world.apply();
  assert.equal(world.madeAnew(mark), [3002]);
  await world.change(({ node_distribution }) => (node_distribution.pve1 = { worker_count: 2 }));
  mark = world.mark();
  await world.apply();
  assert.equal(world.madeAnew(mark), [3002]);
  assert.equal(places(), former);
  await isInSync();
});

test("templates move to another Proxmox node without the machines, unless another has their image there", async () => {
  await world.change(
    (config) => (config["template_config"] = { template_node: "pve3", controlplane_template_id: 8998 }),
  );
  mark = world.mark();
  const { volumes } = proxmox.cluster;
  const image = [...volumes].find(({ content }) => content === "import")!;
  const foreignImage = { ...image, node: "pve3" };
  volumes.add(foreignImage);
  const { exitCode, stderr } = await world.tryTofu("apply");
  assert.is(exitCode, 1);
  assert.match(flat(stderr), `${image.storage}:${image.name} is on pve3 already`);
  assert.equal(proxmox.writes(mark.proxmox), []);
  volumes.delete(foreignImage);
  await world.apply();
  assert.equal(world.madeAnew(mark), [998, 999, 8998]);
  await isInSync();
});

test("control planes go when they are named", async () => {
  const shrink = ({ node_distribution }: Editable) => (node_distribution.pve2.controlplane_count = 0);
  const refusal = await world.change(shrink).catch((error: Error) => error.message);
  assert.match(String(refusal), /lab-controlplane-1[^]*lab-controlplane-2/);
  await world.change(
    shrink,
    "--allow-destroy",
    "lab-controlplane-1",
    "--allow-destroy",
    "lab-controlplane-2",
  );
  for (const host of [10, 11]) world.kubernetes.removeEtcdMember(`127.91.2.${host}`);
  mark = world.mark();
  await world.apply();
  assert.equal(world.madeAnew(mark), [2000, 2001]);
  assert.not.ok(world.talosCalls(mark).some((write) => write.startsWith("Bootstrap")));
  await world.generate();
  await isInSync();
});

test("a foreign VM with a wanted id stops the plan before anything is written", async () => {
  proxmox.addForeignVm({ vmid: 3004, node: "pve1", name: "other", tags: "talos" });
  await world.change(({ node_distribution }) => (node_distribution.pve3.worker_count = 2));
  mark = world.mark();
  const { exitCode, stderr } = await world.tryTofu("plan");
  assert.is(exitCode, 1);
  assert.match(flat(stderr), "belong to VMs without its tag talos+lab: 3004 (other on pve1).");
  assert.equal(proxmox.writes(mark.proxmox), []);
  proxmox.cluster.vms.delete(3004);
  await world.change(
    ({ node_distribution }) => (node_distribution.pve3.worker_count = 1),
    "--allow-destroy",
    "lab-worker-5",
  );
});

test("destroying by the lines of the README leaves what is foreign", async () => {
  const [line = ""] = world.readme.block("Destroying the cluster", "tofu destroy");
  assert.match(line, / --allow-destroy lab-controlplane-3$/);
  assert.is((await world.tryTofu("destroy")).exitCode, 1);
  await world.destroy();
  world.assertNoRefusals();
  proxmox.cluster.volumes.forEach((volume, _, volumes) => {
    if (volume.name === "vm-9999-pvc-data") volumes.delete(volume);
  });
  assert.equal(observe(proxmox, []), before);
  assert.equal(world.markers(), foreign);
});

test.after(() => world.stop());

async function isInSync(): Promise<void> {
  await world.expectEmptyPlan();
}

/** Machines that run: name → VM id, Proxmox node and address. */
function places(): Record<string, unknown> {
  const running = [...proxmox.cluster.vms.values()].filter(
    ({ isRunning, config }) => isRunning && !config.get("name")?.startsWith("foreign-"),
  );
  const entries = running.map(({ vmid, node, config: values }): [string, unknown] => [
    values.get("name") ?? "",
    [vmid, node, /ip=([\d.]+)/.exec(values.get("ipconfig0") ?? "")?.[1]],
  ]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What a machine was given last, with everything that is text inside of it. */
function configurationOf(ip: string): string {
  return talos.configurations(ip).at(-1)?.bytes.toString() ?? "";
}

function drive(id: number): string {
  return proxmox.vm(id)?.config.get("virtio0")?.split(",")[0] ?? "";
}

/** Messages are wrapped and framed for a terminal. */
function flat(text: string): string {
  return text.replace(/[│╷╵\s]+/g, " ");
}

test.run();
