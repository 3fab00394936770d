import { test } from "uvu";
import * as assert from "uvu/assert";
import { caseOf } from "../golden/cases.ts";
import { follow } from "./follow.ts";
import { Observed } from "./observed.ts";
import { making, ownVolumes, removing } from "./requests.ts";
import { World } from "./world.ts";

/** Machines come and go beside others that run, with claims of the CSI plugin attached to both workers. */
const world = await World.start(caseOf("every-volume-type"), "127.91");

const controller = { host: "pve2", id: 151, slots: [1, 2] };
const worker = { host: "pve1", id: 142, slots: [1, 2, 3] };

test.before(async () => {
  await world.apply();
  world.proxmox.attachCsiVolume(142, "local-zfs:vm-9999-pvc-pve1");
  world.proxmox.attachCsiVolume(143, "local-zfs:vm-9999-pvc-pve2");
  await world.expectEmptyPlan();
});

test.after(() => world.stop());

test("a worker that sorts first is made, and nothing else is touched", async () => {
  const before = await Observed.now(world);
  await world.change(({ nodes }) => {
    nodes["a-worker"] = { ...nodes.worker2, vm_id: 150, ip: "127.91.2.50" };
  });
  await world.apply();
  await before.expect({
    writes: making({ host: "pve2", id: 150, slots: [1, 2, 3] }),
    talos: ["ApplyConfiguration 127.91.2.50"],
    kubernetes: ["+nodes/a-worker"],
  });
});

test("a control plane that sorts first joins the cluster that was bootstrapped on another", async () => {
  const before = await Observed.now(world);
  await world.change(({ nodes }) => {
    nodes["a-controller"] = { ...nodes.controller1, host_node: "pve2", vm_id: 151, ip: "127.91.2.51" };
  });
  await world.apply();
  await before.expect({
    writes: making(controller),
    talos: ["ApplyConfiguration 127.91.2.51"],
    kubernetes: ["+nodes/a-controller"],
  });
  assert.is((await world.tofu("output", "-raw", "cluster_endpoint")).trim(), "https://127.91.2.41:6443");
  assert.equal(
    world.kubernetes.etcdMembers().map(({ hostname }) => hostname),
    ["controller1", "a-controller"],
  );
});

test("a worker goes by the lines that the program prints", async () => {
  const before = await Observed.now(world);
  const notes = await world.change(({ nodes }) => delete nodes.worker1, "--allow-destroy", "worker1");
  await follow(world, notes, ["kubectl drain", "tofu apply", "kubectl delete", "tofu apply"]);
  await before.expect({
    writes: removing(worker),
    lost: [
      ...ownVolumes(worker),
      ...[1420, 1421, 1422].map((id) => `local-zfs:vm-${id}-disk-0 on pve1`),
      "local-lvm:vm-1423-disk-0 on pve1",
    ],
    replaced: [142],
    kubernetes: ["-nodes/worker1"],
  });
});

test("a control plane goes by the lines that the program prints", async () => {
  const before = await Observed.now(world);
  const notes = await world.change(
    ({ nodes }) => delete nodes["a-controller"],
    "--allow-destroy",
    "a-controller",
  );
  await follow(world, notes, ["kubectl drain", "talosctl", "tofu apply", "kubectl delete", "tofu apply"]);
  await before.expect({
    writes: removing(controller),
    lost: [...ownVolumes(controller), ...[1510, 1511, 1512].map((id) => `local-zfs:vm-${id}-disk-0 on pve2`)],
    kubernetes: ["-nodes/a-controller"],
  });
});

test.run();
