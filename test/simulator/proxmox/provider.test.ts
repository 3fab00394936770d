import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { toolEnvironment, tools } from "../../tools/tools.ts";
import { named } from "./call-name.ts";
import { moduleText } from "./provider-module.ts";
import { ProxmoxSimulator } from "./simulator.ts";
import { gib, mib } from "./sizes.ts";

/** The real OpenTofu and Proxmox provider, and the stand-in for the REST provider, against the simulator. */
const { installed, reason } = tools();
if (installed === undefined) throw new Error(reason);
const { tofu } = installed;

/** What the README of a tree asks for, and the graphics card's. */
const privileges = [
  "Datastore.Allocate Datastore.AllocateSpace Datastore.AllocateTemplate Datastore.Audit Mapping.Use",
  "Permissions.Modify Pool.Audit Realm.AllocateUser SDN.Use Sys.Audit Sys.Modify User.Modify VM.Allocate VM.Audit",
  "VM.Config.CDROM VM.Config.CPU VM.Config.Cloudinit VM.Config.Disk VM.Config.HWType VM.Config.Memory",
  "VM.Config.Network VM.Config.Options VM.Migrate VM.PowerMgmt",
].flatMap((line) => line.split(" "));

const csiVolumes = {
  block: "nodes/pve1/storage/local-zfs/content/local-zfs:vm-9999-block",
  file: "nodes/pve2/storage/files/content/files:9999%2Fvm-9999-file.raw",
  shared: "nodes/pve1/storage/nas/content/nas:9999%2Fvm-9999-shared.raw",
};

const vm = "proxmox_virtual_environment_vm";

let simulator: ProxmoxSimulator;
let folder: string;

test.before.each(async () => {
  simulator = await ProxmoxSimulator.start({
    nodes: { pve1: {}, pve2: {} },
    storages: [
      { id: "local", type: "dir", content: ["iso", "vztmpl", "import"], isShared: false },
      { id: "local-zfs", type: "zfspool", content: ["images", "rootdir"], isShared: false },
      { id: "files", type: "dir", content: ["images"], isShared: false },
      { id: "nas", type: "nfs", content: ["images"], isShared: true },
    ],
    resolve: (url) => (url.includes("/known/") ? { size: 100 * mib, virtualSize: 4247 * mib } : undefined),
    pciMappings: {
      iGPU: ["pve1", "pve2"].map((node) => `id=8086:46a6,node=${node},path=0000:00:02.0`),
    },
  });
  simulator.addForeignVm({
    vmid: 500,
    node: "pve1",
    name: "foreign",
    isRunning: true,
    disks: { scsi0: { storage: "local-zfs", sizeGib: 1 } },
  });
  simulator.putMarker("local-zfs:vm-500-disk-0", "foreign");
  folder = mkdtempSync(join(tmpdir(), "simulator-provider-"));
  await prepare("known");
});

test.after.each(async () => {
  await simulator.stop();
  rmSync(folder, { recursive: true });
});

async function prepare(schematic: string): Promise<void> {
  const token = simulator.grant({ token: "talos@pve!tofu", privileges });
  const imageUrl = `https://factory.test/image/${schematic}/v1.13.0/nocloud-amd64.qcow2`;
  writeFileSync(main(), moduleText({ endpoint: simulator.endpoint, token, imageUrl }));
  await run(0, "init");
}

const main = () => join(folder, "main.tf");

/** Changes the module, which has to have this in it. */
function edit(from: string | RegExp, to: string): void {
  const text = readFileSync(main(), "utf8");
  assert.match(text, from);
  writeFileSync(main(), text.replace(from, to));
}

/** Not `spawnSync`: the simulator answers from this very process. */
async function run(expected: number, ...words: readonly string[]): Promise<string> {
  const child = spawn(tofu, [...words, ...(words[0] === "state" ? [] : ["-no-color"])], {
    cwd: folder,
    env: toolEnvironment(),
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise((resolve) => child.on("close", resolve));
  assert.is(code, expected, `tofu ${words.join(" ")}:\n${output}`);
  return output;
}

const writes = (mark: number): readonly string[] =>
  simulator
    .writes(mark)
    .map(({ method, path }) => `${method} ${path}`)
    .sort();

test("a module is applied, planned again to nothing, changed and destroyed", async () => {
  const before = simulator.snapshot();
  await run(0, "apply", "-auto-approve");
  await run(0, "plan", "-detailed-exitcode");
  simulator.assertNoRefusals();

  assert.equal(
    simulator.disksOf(201).map(({ slot, volid, sizeBytes, serial }) => [slot, volid, sizeBytes, serial]),
    [
      ["ide2", "local-zfs:vm-201-cloudinit", 4 * mib, ""],
      ["scsi0", "local-zfs:vm-201-disk-0", 5 * gib, ""],
      ["scsi1", "local-zfs:vm-2010-disk-0", 20 * gib, ""],
      ["virtio3", "files:3001/vm-3001-disk-0.raw", 10 * gib, "talos-controller"],
    ],
  );
  assert.ok(simulator.vm(201)?.isRunning);
  assert.not(simulator.vm(2010)?.isRunning);

  const claim = simulator.addCsiVolume("pve1", "local-zfs", 9999, "vm-9999-pvc-1", 1);
  assert.is(simulator.attachCsiVolume(201, claim), "scsi2");
  for (const volid of [claim, "local-zfs:vm-2010-disk-0", "local-zfs:vm-9999-block"])
    simulator.putMarker(volid, volid);
  await run(0, "plan", "-detailed-exitcode");

  const change = simulator.mark();
  const nodes =
    '{controller={host_node="pve1",vm_id=201,volume_vm_id=3001,ram=3072},worker={host_node="pve2",vm_id=202,volume_vm_id=3002,ram=4096}}';
  await run(0, "apply", "-auto-approve", `-var=nodes=${nodes}`);
  assert.equal(writes(change), ["PUT /nodes/pve1/qemu/201/config"]);
  assert.is(simulator.vm(201)?.config.get("scsi2")?.split(",")[0], claim);

  const destruction = simulator.mark();
  await run(0, "destroy", "-auto-approve");
  assert.ok(writes(destruction).includes(`DELETE /${csiVolumes.file}`));
  simulator.assertNoRefusals();
  assert.equal(simulator.markers(), { [claim]: claim, "local-zfs:vm-500-disk-0": "foreign" });
  simulator.cluster.volumes.forEach((volume) => {
    if (volume.name === "vm-9999-pvc-1") simulator.cluster.volumes.delete(volume);
  });
  assert.equal(simulator.snapshot(), before);
});

test("an option of a disk that the server leaves out at its default is no change", async () => {
  await run(0, "apply", "-auto-approve", ...["data", "volume"].map((name) => `-target=${vm}.${name}_vm`));
  for (const [vmid, slot] of [
    [2010, "scsi0"],
    [3001, "virtio0"],
  ] as const) {
    const config = simulator.vm(vmid)!.config;
    const left = config.get(slot)!.replace(/,(?:aio=io_uring|backup=1|replicate=1)(?=,|$)/g, "");
    assert.not.equal(left, config.get(slot));
    config.set(slot, left);
  }
  await run(0, "plan", "-detailed-exitcode", `-target=${vm}.data_vm`, `-target=${vm}.volume_vm`);
});

test("why changes of disks are ignored: one is all of them, without those of others", async () => {
  const target = `-target=${vm}.this["controller"]`;
  edit("ignore_changes = [disk]", "ignore_changes = []");
  await run(0, "apply", "-auto-approve", target);
  simulator.attachCsiVolume(201, simulator.addCsiVolume("pve1", "local-zfs", 9999, "vm-9999-pvc-1", 1));
  await run(0, "plan", "-detailed-exitcode", target);

  const mark = simulator.mark();
  edit(/(import_from.*?discard +=) "on"/s, '$1 "ignore"');
  await run(0, "apply", "-auto-approve", target);
  assert.equal(simulator.writes(mark).map(named), [
    "PUT /nodes/pve1/qemu/201/config delete=scsi2 name scsi0 scsi1",
  ]);

  edit(/size( +)= 20/g, "size$1= 21");
  assert.match(await run(1, "apply", "-auto-approve", target), "it is not owned by this VM");
});

test("volumes are let go of and come back by import, in block and in file datastores", async () => {
  const targets = Object.keys(csiVolumes).map((name) => `-target=restapi_object.volume["${name}"]`);
  await run(0, "apply", "-auto-approve", ...targets);
  simulator.putMarker("local-zfs:vm-9999-block", "block");
  simulator.putMarker("files:9999/vm-9999-file.raw", "file");
  simulator.putMarker("nas:9999/vm-9999-shared.raw", "shared");
  const markers = simulator.markers();

  for (const name of Object.keys(csiVolumes)) await run(0, "state", "rm", `restapi_object.volume["${name}"]`);
  for (const [name, path] of Object.entries(csiVolumes))
    await run(0, "import", `restapi_object.volume["${name}"]`, `/api2/json/${path}`);
  const mark = simulator.mark();
  await run(0, "apply", "-auto-approve", ...targets);
  assert.equal(
    writes(mark),
    Object.values(csiVolumes)
      .map((path) => `PUT /${path}`)
      .sort(),
  );
  await run(0, "plan", "-detailed-exitcode", ...targets);
  assert.equal(simulator.markers(), markers);
  simulator.assertNoRefusals();
});

test("an image that was not registered fails the apply", async () => {
  await prepare("unknown");
  const output = await run(1, "apply", "-auto-approve", '-target=proxmox_download_file.image["pve1"]');
  assert.match(output, "404 Not Found");
  assert.throws(() => simulator.assertNoRefusals(), /query-url-metadata.*404 Not Found/);
});

test("an id that another VM has stops the plan before anything is written", async () => {
  simulator.addForeignVm({ vmid: 202, node: "pve1", name: "other" });
  const mark = simulator.mark();
  assert.match(await run(1, "plan"), "VM ids belong to other VMs.");
  assert.equal(writes(mark), []);
});

test.run();
