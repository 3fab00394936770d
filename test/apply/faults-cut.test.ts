import { test } from "uvu";
import { Trial } from "./faults.ts";

/**
 * The connection is cut before a call is done or, worse, after. A sample, one call of each sort: the provider cannot know
 * what became of it, and a VM or a file that was made is found by the next apply.
 */
let trial: Trial;

test.before(async () => {
  trial = await Trial.start("127.96");
  trial.world.proxmox.expectRefusals(
    /POST \/nodes\/pve1\/(?:qemu .*already exists|.*refusing to override existing file)/,
  );
});

test.after(() => trial.world.stop());

const cuts = [
  ["drop", "POST /nodes/pve1/qemu vmid=1421"],
  ["lost", "POST /nodes/pve1/qemu vmid=141"],
  ["lost", "POST /nodes/pve1/qemu vmid=1420"],
  ["lost", "PUT /nodes/pve1/qemu/142/resize disk=scsi0 size=5G"],
  ["lost", "POST /nodes/pve1/qemu/142/status/start"],
  ["lost", "PUT /nodes/pve1/qemu/142/config virtio1"],
  ["lost", "PUT /access/acl"],
  ["lost", "POST /nodes/pve1/storage/local/download-url"],
] as const;

for (const [fault, call] of cuts)
  test(`converges after a connection cut, call ${fault === "lost" ? "done" : "not done"}: ${call}`, async () => {
    const { exitCode } = await trial.applyWith(fault, call);
    if (exitCode !== 0) await trial.world.apply();
    await trial.expectConverged();
    await trial.reset();
  });

test.run();
