import { test } from "uvu";
import * as assert from "uvu/assert";
import { caseOf } from "../golden/cases.ts";
import { Observed } from "./observed.ts";
import { World } from "./world.ts";

/** Volumes come, go and grow under a cluster that runs, with claims of the CSI plugin attached to both workers. */
const world = await World.start(caseOf("every-volume-type"), "127.90");
const [controller1, worker1, worker2] = ["127.90.2.41", "127.90.2.42", "127.90.2.43"];

test.before(async () => {
  await world.apply();
  assert.is(world.proxmox.attachCsiVolume(142, "local-zfs:vm-9999-pvc-pve1"), "scsi2");
  assert.is(world.proxmox.attachCsiVolume(143, "local-zfs:vm-9999-pvc-pve2"), "scsi2");
  await world.expectEmptyPlan();
});

test.after(() => world.stop());

test("a disk volume that sorts before the others is one POST and one PUT for each node", async () => {
  const before = await Observed.now(world);
  await world.change(({ volumes }) => (volumes["a-first"] = { type: "disk", size: 3 }));
  await world.apply();
  await before.expect({
    writes: [
      "POST /nodes/pve1/qemu vmid=1424",
      "POST /nodes/pve2/qemu vmid=1434",
      "PUT /nodes/pve1/qemu/142/config virtio4",
      "PUT /nodes/pve2/qemu/143/config virtio4",
    ],
    talos: [`ApplyConfiguration ${worker1}`, `ApplyConfiguration ${worker2}`],
  });
});

test("a disk volume that is taken out and put back before an apply stays as it is", async () => {
  const before = await Observed.now(world);
  let logs: unknown;
  const takeOut = ({ volumes }: Record<string, any>) => {
    logs = volumes["logs"];
    delete volumes["logs"];
  };
  await world.change(takeOut, "--allow-destroy", "logs");
  await world.change(({ volumes }) => (volumes["logs"] = logs));
  await before.expect({});
});

test("a disk volume that goes from the middle is unplugged before its owner is deleted", async () => {
  const before = await Observed.now(world);
  const edit = ({ volumes }: Record<string, any>) => delete volumes["logs"];
  await refuses(edit, /run with --allow-destroy logs/);
  await world.change(edit, "--allow-destroy", "logs");
  await world.apply();
  const machines = [
    ["pve1", 141, 1412],
    ["pve1", 142, 1422],
    ["pve2", 143, 1432],
  ] as const;
  for (const [host, main, owner] of machines) {
    const unplug = before.requests.indexOf(`PUT /nodes/${host}/qemu/${main}/config delete=virtio2`);
    const remove = before.requests.indexOf(`DELETE /nodes/${host}/qemu/${owner}/`);
    assert.ok(unplug >= 0 && unplug < remove, before.requests.join("\n"));
  }
  await before.expect({
    writes: machines.flatMap(([host, main, owner]) => [
      `PUT /nodes/${host}/qemu/${main}/config delete=virtio2`,
      `DELETE /nodes/${host}/qemu/${owner}/`,
    ]),
    talos: [controller1, worker1, worker2].map((ip) => `ApplyConfiguration ${ip}`),
    lost: machines.map(([host, , owner]) => `local-zfs:vm-${owner}-disk-0 on ${host}`),
  });
});

test("a disk volume that comes back is another, at the slot and with the id of the first", async () => {
  const before = await Observed.now(world);
  await world.change(
    ({ volumes }) => (volumes["logs"] = { type: "disk", size: 8, machine_type: "controlplane" }),
  );
  await world.apply();
  await before.expect({
    writes: ["POST /nodes/pve1/qemu vmid=1412", "PUT /nodes/pve1/qemu/141/config virtio2"],
    talos: [`ApplyConfiguration ${controller1}`],
  });
});

test("a disk volume grows where it is, and the machine sees it after its next start", async () => {
  const before = await Observed.now(world);
  const edit = (size: string) => (config: Record<string, any>) => (config["volumes"].longhorn.size = size);
  await refuses(edit("40G"), /volumes\.longhorn\.size.*a disk cannot shrink/s);
  await world.change(edit("60G"));
  await world.apply();
  const grown = (host: string, main: number, owner: number) => [
    `PUT /nodes/${host}/qemu/${owner}/config name virtio0`,
    `PUT /nodes/${host}/qemu/${owner}/resize disk=virtio0 size=60G`,
    `PUT /nodes/${host}/qemu/${owner}/config virtio0`,
    `PUT /nodes/${host}/qemu/${main}/config virtio3`,
  ];
  await before.expect({ writes: [...grown("pve1", 142, 1423), ...grown("pve2", 143, 1433)] });
  const seen = world.proxmox.disksOf(142).find(({ slot }) => slot === "virtio3");
  assert.is(seen?.sizeBytes, 50 * 2 ** 30);
  assert.is(seen?.serial, "longhorn");
  const owned = [...world.proxmox.cluster.volumes].find(({ name }) => name === "vm-1423-disk-0");
  assert.is(owned?.sizeBytes, 60 * 2 ** 30);
});

test("/var grows on its data VM alone", async () => {
  const before = await Observed.now(world);
  await world.change(({ nodes }) => (nodes.worker2.disk_size = 25));
  await world.apply();
  await before.expect({
    writes: [
      "PUT /nodes/pve2/qemu/1430/config name scsi0",
      "PUT /nodes/pve2/qemu/1430/resize disk=scsi0 size=25G",
      "PUT /nodes/pve2/qemu/1430/config scsi0",
    ],
  });
});

test("a proxmox-csi volume is one POST and a PersistentVolume", async () => {
  const before = await Observed.now(world);
  await world.change(({ volumes }) => (volumes["mail"] = { node: "pve2", size: "2G" }));
  await world.apply();
  await before.expect({
    writes: ["POST /nodes/pve2/storage/local-zfs/content/ filename=vm-9999-mail"],
    kubernetes: ["+persistentvolumes/mail"],
  });
});

test("what the provider would lose of a proxmox-csi volume without a word is refused", async () => {
  const before = await Observed.now(world);
  for (const change of [{ size: "3G" }, { node: "pve1" }, { datastore: "local-lvm" }])
    await refuses(
      ({ volumes }) => Object.assign(volumes["mail"], change),
      /volumes\.mail.*the provider would lose the change without a word/s,
    );
  await before.expect({});
});

test("a proxmox-csi volume that goes leaves its disk, by the line that the program prints", async () => {
  const before = await Observed.now(world);
  const notes = await world.change(({ volumes }) => delete volumes["mail"], "--allow-destroy", "mail");
  const { exitCode, stderr } = await world.tryTofu("plan");
  assert.is(exitCode, 1);
  assert.match(stderr, /has prevent_destroy set/);
  const lines = notes.flatMap((note) => note.split("\n")).filter((line) => line.startsWith("  tofu "));
  assert.is(lines.length, 1);
  await world.shell(lines[0]!);
  await world.apply();
  await before.expect({ kubernetes: ["-persistentvolumes/mail"] });
  assert.is(world.proxmox.marker("local-zfs:vm-9999-mail", "pve2"), "data of local-zfs:vm-9999-mail");
});

test("CPU, memory and VLAN change a VM that goes on running", async () => {
  const before = await Observed.now(world);
  const config = () => world.proxmox.vm(142)!.config;
  const mac = /macaddr=([^,]+)|virtio=([^,]+)/.exec(config().get("net0")!)?.[0];
  await world.change(({ nodes }) => {
    Object.assign(nodes.worker1, { cpu: 6, ram_dedicated: 9216, vlan_id: 12 });
    nodes.controller1.cpu = 4;
  });
  const output = await world.apply();
  assert.match(output, /reboot/i);
  const cpu = "cores cpu delete=vcpus,cpulimit";
  await before.expect({
    writes: [
      `PUT /nodes/pve1/qemu/141/config ${cpu} name numa sockets`,
      `PUT /nodes/pve1/qemu/142/config balloon ${cpu} memory name net0 numa sockets`,
    ],
  });
  assert.equal([config().get("cores"), config().get("memory")], ["6", "9216"]);
  assert.match(config().get("net0")!, /tag=12/);
  assert.ok(config().get("net0")!.includes(mac!), "the address of the network card stays");
  assert.ok(world.proxmox.vm(142)?.isRunning);
});

/** The program says no, in these words, and writes nothing. */
async function refuses(edit: (config: Record<string, any>) => void, words: RegExp): Promise<void> {
  const lock = world.read("gen-talos-module.lock.json");
  try {
    await world.change(edit);
  } catch (error) {
    assert.match((error as Error).message, words);
    assert.is(world.read("gen-talos-module.lock.json"), lock);
    return;
  }
  assert.unreachable("the program took it");
}

test.run();
