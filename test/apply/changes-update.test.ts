import { test } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { caseOf } from "../golden/cases.ts";
import { schematicId } from "../tofu/config.ts";
import { follow } from "./follow.ts";
import { Observed } from "./observed.ts";
import { ownVolumes, rebuilding } from "./requests.ts";
import { World } from "./world.ts";

/** Talos is upgraded as the README says: one machine, then the others, and then it is as if it had always been so. */
const world = await World.start(caseOf("every-volume-type"), "127.92");
const machines = {
  controller1: { host: "pve1", id: 141, ip: "127.92.2.41", slots: [1, 2] },
  worker1: { host: "pve1", id: 142, ip: "127.92.2.42", slots: [1, 2, 3] },
  worker2: { host: "pve2", id: 143, ip: "127.92.2.43", slots: [1, 2, 3] },
};
const { controller1, worker1, worker2 } = machines;
const schematic = world.read("assets/talos/schematic.yaml");
const next = schematic.replace(/^( *- ).*agent$/m, "$&\n$1siderolabs/iscsi-tools");

/** What a machine takes to be rebuilt. */
const steps = ["kubectl drain", "tofu apply -var wait_for_health=false", "kubectl uncordon", "tofu apply"];

test.before(async () => {
  await world.change(({ image }) => (image.version = "v1.12.4"), "--accept", "image");
  await world.apply();
  await world.expectEmptyPlan();
});

test.before.each(() => {
  for (const { id, host } of [worker1, worker2]) {
    const claim = `local-zfs:vm-9999-pvc-${host}`;
    const isAttached = [...world.proxmox.vm(id)!.config.values()].some((value) => value.startsWith(claim));
    if (!isAttached) world.proxmox.attachCsiVolume(id, claim);
  }
});

test.after(() => world.stop());

test("another image under all machines at once is refused", async () => {
  const before = await Observed.now(world);
  try {
    await world.change(({ image }) => (image.version = "v1.13.0"));
    assert.unreachable("the program took it");
  } catch (error) {
    assert.match((error as Error).message, /rebuilds them all at the same time/);
  }
  await before.expect({});
});

test("the image of an update is downloaded first, and nothing else changes", async () => {
  const before = await Observed.now(world);
  await world.change(({ image }) => (image.update_version = "v1.13.0"));
  await world.apply();
  await before.expect({ writes: downloads(schematic, "v1.13.0") });
});

test("an update of one machine replaces its main VM, not its data VM, and nothing else", async () => {
  const before = await Observed.now(world);
  const notes = await world.change(({ nodes }) => (nodes.worker1.update = true));
  assert.match(notes.join("\n"), /^worker1 is rebuilt; \/var and its volumes stay/);
  await follow(world, notes, steps);
  await before.expect(rebuilt(worker1));
  assert.equal(versions(), { controller1: "v1.12.4", worker1: "v1.13.0", worker2: "v1.12.4" });
});

test("a machine has its volumes at the same slots after an update", () => {
  const disks = world.proxmox.disksOf(142).map(({ slot, volid, serial }) => [slot, volid, serial]);
  assert.equal(
    disks.filter(([slot]) => slot !== "scsi2"),
    [
      ["ide2", "local-zfs:vm-142-cloudinit", ""],
      ["scsi0", "local-zfs:vm-142-disk-0", ""],
      ["scsi1", "local-zfs:vm-1420-disk-0", ""],
      ["virtio1", "local-zfs:vm-1421-disk-0", "a-name-long-3c1de6dc"],
      ["virtio2", "local-zfs:vm-1422-disk-0", "logs"],
      ["virtio3", "local-lvm:vm-1423-disk-0", "longhorn"],
    ],
  );
});

test("the README has the same lines", () => {
  const lines = world.readme.block("Upgrading Talos", "tofu apply");
  assert.equal(
    lines.map((line, index) => line.startsWith(steps[index]!)),
    steps.map(() => true),
  );
});

test("an update is taken back by the lines that the program prints, with no image to wait for", async () => {
  const before = await Observed.now(world);
  const notes = await world.change(({ nodes }) => delete nodes.worker1.update, "--accept", "image");
  await follow(world, notes, steps);
  await before.expect(rebuilt(worker1));
  assert.is(versions().worker1, "v1.12.4");
});

test("an update of all ends without the former image", async () => {
  const before = await Observed.now(world);
  await world.change(({ nodes }) => Object.values(nodes as object).forEach((node) => (node.update = true)));
  await world.apply();
  await before.expect(
    all(rebuilt(controller1), rebuilt(worker1), rebuilt(worker2), {
      writes: ["pve1", "pve2"].map((host) => deletion(host, "v1.12.4")),
    }),
  );
  assert.equal(versions(), { controller1: "v1.13.0", worker1: "v1.13.0", worker2: "v1.13.0" });
});

test("an update that is taken back when its image is gone fetches that first", async () => {
  const before = await Observed.now(world);
  const notes = await world.change(({ nodes }) => delete nodes.worker2.update, "--accept", "image");
  assert.match(notes.join("\n"), "Run:\n  tofu apply -target=module.talos.proxmox_download_file.this\n");
  await world.change(({ nodes }) => (nodes.worker2.update = true));
  await before.expect({});
});

test("an update is finished when its values are moved: the plan is empty", async () => {
  const before = await Observed.now(world);
  const notes = await world.change(({ image, nodes }) => {
    image.version = image.update_version;
    delete image.update_version;
    for (const node of Object.values(nodes as Record<string, { update?: boolean }>)) delete node.update;
  });
  assert.equal(notes, []);
  await before.expect({});
});

test("other extensions come the same way, with their schematic registered first", async () => {
  world.write("assets/talos/next.yaml", next);
  const before = await Observed.now(world);
  await world.change(({ image }) => (image.update_schematic_path = "assets/talos/next.yaml"));
  await world.apply();
  await before.expect({ writes: downloads(next, "v1.13.0"), factory: ["POST /schematics"] });

  const ready = await Observed.now(world);
  await world.change(({ nodes }) => (nodes.worker2.update = true));
  await world.apply();
  await ready.expect(rebuilt(worker2));
  assert.ok(imageOf(worker2).includes(schematicId(next)), imageOf(worker2));
  assert.not(imageOf(worker1).includes(schematicId(next)));
});

test("other extensions are finished on all: the plan is empty", async () => {
  const before = await Observed.now(world);
  await world.change(({ nodes }) => Object.values(nodes as object).forEach((node) => (node.update = true)));
  await world.apply();
  await before.expect(
    all(rebuilt(controller1), rebuilt(worker1), {
      writes: ["pve1", "pve2"].map((host) => deletion(host, "v1.13.0")),
    }),
  );
  const after = await Observed.now(world);
  await world.change(({ image, nodes }) => {
    image.schematic_path = image.update_schematic_path;
    delete image.update_schematic_path;
    for (const node of Object.values(nodes as Record<string, { update?: boolean }>)) delete node.update;
  });
  await after.expect({});
});

/** On both hosts, from the image with this schematic and version. */
function downloads(schematic: string, version: string): readonly string[] {
  return ["pve1", "pve2"].map(
    (host) => `POST /nodes/${host}/storage/local/download-url filename=${file(schematic, version)}`,
  );
}

/** An image goes from all hosts with the last machine that runs it. */
function deletion(host: string, version: string): string {
  return `DELETE /nodes/${host}/storage/local/content/local:import%2F${file(schematic, version)}`;
}

function file(schematic: string, version: string): string {
  return `talos-${schematicId(schematic)}-${version}-nocloud-amd64.qcow2`;
}

/** All that replacing one main VM takes. */
function rebuilt(machine: (typeof machines)["worker1"]) {
  return {
    writes: rebuilding(machine),
    talos: [`ApplyConfiguration ${machine.ip}`],
    lost: ownVolumes(machine),
    replaced: [machine.id],
  };
}

function all(...effects: readonly Partial<ReturnType<typeof rebuilt>>[]) {
  return {
    writes: effects.flatMap(({ writes }) => writes ?? []),
    talos: effects.flatMap(({ talos }) => talos ?? []),
    lost: effects.flatMap(({ lost }) => lost ?? []),
    replaced: effects.flatMap(({ replaced }) => replaced ?? []),
  };
}

/** Of the images that the machines boot from. */
function versions(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(machines).map(([name, { ip }]) => [name, world.talos.find(ip)!.hardware.talosVersion]),
  );
}

/** The installer image in the configuration that a machine has. */
function imageOf({ ip }: { readonly ip: string }): string {
  const { bytes } = world.talos.configurations(ip).at(-1)!;
  const [first = ""] = bytes.toString().split(/^---$/m);
  return (parse(first) as { machine: { install: { image: string } } }).machine.install.image;
}

test.run();
