import { test } from "uvu";
import * as assert from "uvu/assert";
import { caseOf } from "../golden/cases.ts";
import { proveKubernetes } from "./proofs.ts";
import { telling } from "./telling.ts";
import { World } from "./world.ts";

/** A Kubernetes API that comes late, and one that is away. */
const world = await World.start(caseOf("env-set"), "127.85");
const heading = "Health, and a cluster that is down";

const tell = telling(test, () => world);
test.after(() => world.stop());

tell("an API that is late by eight seconds after the bootstrap is waited for", async () => {
  world.kubernetes.startDelaySeconds = 8;
  const start = Date.now();
  await world.apply();
  assert.ok(Date.now() - start > 8000);
  await proveKubernetes(world);
  await world.expectEmptyPlan();
});

tell("with the cluster down the line of the README plans, and shows what a change would do", async () => {
  await world.kubernetes.takeDown();
  const [line = ""] = world.readme.block(heading, "tofu plan");
  assert.match(await world.shell(line), "No changes.");
  await world.change(({ nodes }) => (nodes.worker1.ram_dedicated = 9216));
  const plan = await world.shell(line);
  assert.match(plan, 'module.talos.proxmox_virtual_environment_vm.this["worker1"] will be updated in-place');
  assert.match(plan, "Plan: 0 to add, 1 to change, 0 to destroy.");
});

tell("with the cluster down a machine can be changed with the same options", async () => {
  const mark = world.mark();
  const [line = ""] = world.readme.block(heading, "tofu plan");
  await world.shell(line.replace("tofu plan", "tofu apply"));
  assert.equal(world.writes(mark), ["PUT /nodes/pve1/qemu/142/config"]);
});

tell("with the cluster down a plan that looks at what is in Kubernetes fails at once", async () => {
  const { exitCode, stderr } = await world.tryTofu("plan", "-var", "wait_for_health=false");
  assert.is(exitCode, 1);
  assert.match(stderr, "connect: connection refused");
});

tell("when the cluster is back the plan is empty, and nothing was lost", async () => {
  await world.kubernetes.bringUp();
  await world.expectEmptyPlan();
  await proveKubernetes(world);
  world.assertNoRefusals();
});

test.run();
