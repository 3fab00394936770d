import { test } from "uvu";
import * as assert from "uvu/assert";
import { caseOf } from "../golden/cases.ts";
import { ownVolumes } from "./requests.ts";
import { World } from "./world.ts";

/** A machine is rebuilt with one call failing, each in turn; what is on its disks is there in the end. */
const world = await World.start(caseOf("env-set"), "127.97");
const vm = "/nodes/pve1/qemu/142";

const calls: Readonly<Record<string, RegExp>> = {
  "unplugging a disk": new RegExp(`^PUT ${vm}/config .*"delete":"virtio1"`),
  "stopping the VM": new RegExp(`^POST ${vm}/status/stop `),
  "deleting the VM": new RegExp(`^DELETE ${vm}/`),
  "creating the VM": /^POST \/nodes\/pve1\/qemu .*\bvmid=142\b/,
  "growing its system disk": new RegExp(`^PUT ${vm}/resize `),
  "starting the VM": new RegExp(`^POST ${vm}/status/start `),
  "plugging a disk in": new RegExp(`^PUT ${vm}/config .*"virtio1":"`),
};

test.before(async () => {
  await world.change(
    ({ image, volumes }) => {
      Object.assign(image, { version: "v1.12.4", update_version: "v1.13.0" });
      volumes.logs = { type: "disk", size: 3 };
    },
    "--accept",
    "image",
  );
  await world.apply();
});

test.after(() => world.stop());

for (const [title, matching] of Object.entries(calls))
  test(`nothing is lost after an error: ${title}`, async () => {
    const markers = world.putMarkers();
    const disks = world.proxmox.disksOf(142).map(({ slot, volid, serial }) => [slot, volid, serial]);
    const isUpdated = world.config.nodes["worker1"]!.update;
    await world.change(({ nodes }) => (nodes.worker1.update = !isUpdated), "--accept", "image");
    world.proxmox.failCall(1, { matching });
    const { exitCode } = await world.tryTofu("apply");
    assert.not(world.proxmox.hasPendingFault, "the call was not made");
    if (exitCode !== 0) await world.apply();

    const lost = ownVolumes({ host: "pve1", id: 142, slots: [] });
    assert.equal(
      world.markers(),
      Object.fromEntries(Object.entries(markers).filter(([volume]) => !lost.includes(volume))),
    );
    assert.equal(
      world.proxmox.disksOf(142).map(({ slot, volid, serial }) => [slot, volid, serial]),
      disks,
    );
    const version = isUpdated ? "v1.12.4" : "v1.13.0";
    assert.is(world.talos.find("127.97.2.42")?.hardware.talosVersion, version);
    await world.expectEmptyPlan();
    world.assertNoRefusals();
  });

test.run();
