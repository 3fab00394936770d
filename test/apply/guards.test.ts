import { test } from "uvu";
import * as assert from "uvu/assert";
import { caseOf } from "../golden/cases.ts";
import type { Volume } from "../simulator/proxmox/cluster.ts";
import { mib } from "../simulator/proxmox/sizes.ts";
import { schematicId } from "../tofu/config.ts";
import { CsiPlugin } from "./csi-plugin.ts";
import { ownerOf } from "../tofu/expected-plan.ts";
import { telling } from "./telling.ts";
import { World, type Editable } from "./world.ts";

/** What must never be adopted, detached or lost without a word. */
const world = await World.start(caseOf("every-volume-type"), "127.84");
const { proxmox, factory, talos } = world;

const tell = telling(test, () => world);
test.after(() => world.stop());

for (const [what, vmid] of [
  ["a machine", 141],
  ["a data VM", 1420],
  ["a disk volume", 1431],
] as const) {
  tell(`a foreign VM with the id of ${what} stops the first apply before anything is written`, async () => {
    proxmox.addForeignVm({ vmid, node: "pve2", name: "other", disks: { scsi0: disk } });
    const before = proxmox.snapshot();
    const said = await stopped();
    assert.match(said, `belong to VMs without its tag ${ownerOf(world.config)}: ${vmid} (other on pve2)`);
    assert.equal(proxmox.snapshot(), before);
    remove(vmid);
  });
}

tell(
  "a foreign file with the name of the image stops the first apply before anything is written",
  async () => {
    const [file, said] = [addForeignFile("local"), await stopped()];
    assert.match(
      said,
      `local:${file.name} is on pve2 already, and the state does not say that this cluster downloaded it.`,
    );
    proxmox.cluster.volumes.delete(file);
  },
);

tell(
  "a foreign VM with the id of a machine to come stops that apply, and the cluster stays as it is",
  async () => {
    await world.apply();
    proxmox.addForeignVm({ vmid: 1440, node: "pve1", name: "other", disks: { scsi0: disk } });
    const before = proxmox.snapshot();
    const worker3 = { machine_type: "worker", host_node: "pve2", vm_id: 144, cpu: 4, ram_dedicated: 8192 };
    await world.change(({ nodes }) => (nodes.worker3 = { ...worker3, ip: "127.84.2.44" }));
    assert.match(await stopped(), "1440 (other on pve1)");
    assert.equal(proxmox.snapshot(), before);
    await world.change(({ nodes }) => delete nodes.worker3, "--allow-destroy", "worker3");
    remove(1440);
    await world.expectEmptyPlan();
  },
);

tell("a foreign file with the name of an image to come stops that apply", async () => {
  const file = addForeignFile("local", "v1.13.1");
  await world.change(({ image }) => (image.update_version = "v1.13.1"));
  assert.match(await stopped(), `local:${file.name} is on pve2 already`);
  assert.is(file.marker, "of another");
  await world.change(({ image }) => delete image.update_version);
  proxmox.cluster.volumes.delete(file);
});

tell(
  "a foreign file where the image is to go stops that apply, and without it the image goes there",
  async () => {
    proxmox.cluster.storages.set("images", { ...proxmox.cluster.storages.get("local")!, id: "images" });
    const file = addForeignFile("images");
    await world.change(({ image }) => (image.datastore = "images"));
    assert.match(await stopped(), `images:${file.name} is on pve2 already`);
    proxmox.cluster.volumes.delete(file);

    const mark = world.mark();
    await world.apply();
    assert.equal(
      world.writes(mark).filter((write) => !write.includes("/storage/")),
      [],
    );
    await world.expectEmptyPlan();
    await world.change(({ image }) => delete image.datastore);
    await world.apply();
  },
);

tell("the defaults of an older Talos come without new secrets, which would let nobody in", async () => {
  await world.change(({ cluster }) => (cluster.talos_machine_config_version = "v1.12.0"));
  const plan = await world.tofu("plan");
  assert.match(plan, /Plan: 0 to add, \d+ to change, 0 to destroy/);
  assert.not.match(plan, /talos_machine_secrets\S* (?:must|will) be/);
});

tell("a line of the README gives one machine its configuration, and no other", async () => {
  const [line = ""] = world.readme.block("Changing the cluster", "tofu apply -target");
  const mark = world.mark();
  await world.shell(line.replace("<name>", "worker1"));
  assert.equal(world.talosWrites(mark), ["ApplyConfiguration 127.84.2.42"]);
  await world.change(({ cluster }) => delete cluster.talos_machine_config_version);
  await world.apply();
});

tell("what the CSI plugin attached stays through a change of memory and a new disk volume", async () => {
  const plugin = await CsiPlugin.start(world);
  await plugin.provision("worker1", "guarded");
  await plugin.attachAll();
  const attached = csiDisks();
  assert.equal(Object.keys(attached), ["141 scsi2", "142 scsi2", "143 scsi2"]);
  const markers = world.putMarkers();

  let mark = world.mark();
  await world.change(({ nodes }) => (nodes.worker1.ram_dedicated = 9216));
  await world.apply();
  assert.equal(world.writes(mark), ["PUT /nodes/pve1/qemu/142/config"]);
  assert.equal(csiDisks(), attached);
  assert.ok(proxmox.vm(142)?.isRunning);

  mark = world.mark();
  await world.change(({ volumes }) => (volumes.added = { type: "disk", size: 3 }));
  await world.apply();
  assert.equal(world.writes(mark), [
    "POST /nodes/pve1/qemu",
    "POST /nodes/pve2/qemu",
    "PUT /nodes/pve1/qemu/142/config",
    "PUT /nodes/pve2/qemu/143/config",
  ]);
  assert.equal(csiDisks(), attached);
  assert.equal(world.markers(), markers);
  await world.expectEmptyPlan();
  world.assertNoRefusals();
});

for (const [key, value, words] of [
  ["size", "30G", 'volumes.postgres.size: is "20G" and cannot become "30G"'],
  ["node", "pve2", 'volumes.postgres.node: is "pve1" and cannot become "pve2"'],
  ["datastore", "local-lvm", 'is "local-zfs" and cannot become "local-lvm"'],
] as const) {
  tell(
    `another ${key} of a CSI volume, which the provider would lose, is refused by the program`,
    async () => {
      const edit = ({ volumes }: Editable) => (volumes.postgres[key] = value);
      const refusal = await world.change(edit).then(
        () => "nothing",
        (error: Error) => error.message,
      );
      assert.match(refusal, words);
      assert.match(refusal, "the provider would lose the change without a word");
      await world.generate();
    },
  );
}

tell(
  "the provider does lose it: a size written into the tree by hand reaches the state and not the disk",
  async () => {
    const path = "terraform.tfvars";
    const text = world.read(path);
    world.write(path, text.replace(/("?postgres"? = \{[^}]*?size\s*= )"20G"/, '$1"30G"'));
    assert.not.equal(world.read(path), text);
    const mark = world.mark();
    await world.apply("-target=module.volumes.module.proxmox-volume");
    assert.equal(world.writes(mark), [
      "PUT /nodes/pve1/storage/local-zfs/content/local-zfs:vm-9999-postgres",
    ]);
    await world.expectEmptyPlan("-target=module.volumes.module.proxmox-volume");
    const volume = [...proxmox.cluster.volumes].find(({ name }) => name === "vm-9999-postgres");
    assert.is(volume?.sizeBytes, 20 * 2 ** 30);
    world.write(path, text);
  },
);

test.run();

const disk = { storage: "local-zfs", sizeGib: 64 };

/** On pve2, with the name that the image of this version has there. */
function addForeignFile(storage: string, version = world.config.image.version): Volume {
  const id = schematicId(world.read(world.config.image.schematic_path));
  const name = `import/talos-${id}-${version}-nocloud-amd64.qcow2`;
  const kind = { content: "import", format: "qcow2", owner: undefined, sizeBytes: mib };
  const file = { storage, node: "pve2", name, ...kind, marker: "of another" };
  proxmox.cluster.volumes.add(file);
  return file;
}

function remove(vmid: number): void {
  proxmox.cluster.vms.delete(vmid);
  for (const volume of proxmox.cluster.volumes)
    if (volume.owner === vmid) proxmox.cluster.volumes.delete(volume);
}

/** What an apply says that does not begin, on one line. */
async function stopped(): Promise<string> {
  const mark = world.mark();
  const [images, calls] = [factory.requests.length, talos.requests.length];
  const { exitCode, stderr } = await world.tryTofu("apply");
  assert.is(exitCode, 1);
  assert.equal(world.writes(mark), []);
  assert.equal(world.talosWrites(mark), []);
  assert.equal(
    factory.requests.slice(images).filter(({ method }) => method === "POST"),
    [],
  );
  if (calls === 0) assert.is(talos.requests.length, 0);
  return stderr.replace(/[│╷╵\s]+/g, " ");
}

/** What is plugged in where the CSI plugin plugs. */
function csiDisks(): Readonly<Record<string, string>> {
  const disks = [141, 142, 143].flatMap((vmid) =>
    proxmox
      .disksOf(vmid)
      .flatMap(({ slot, bus, index, volid }) =>
        bus === "scsi" && index > 1 ? [[`${vmid} ${slot}`, volid] as const] : [],
      ),
  );
  return Object.fromEntries(disks);
}
