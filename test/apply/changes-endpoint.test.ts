import { test } from "uvu";
import * as assert from "uvu/assert";
import { caseOf } from "../golden/cases.ts";
import { follow } from "./follow.ts";
import { World } from "./world.ts";

/** The address of the Kubernetes API moves under a cluster that runs, which everything in the tree asks there. */
const world = await World.start(caseOf("three-control-planes-vip"), "127.74");
world.kubernetes.laterAddresses = ["127.74.2.99"];

test.before(async () => void (await world.apply()));
test.after(() => world.stop());

test("to another virtual address, by the lines that the program prints", async () => {
  const notes = await world.change(({ cluster }) => (cluster.vip = "127.74.2.99"));
  assert.match(notes.join(), "The Kubernetes API moves from 127.74.2.40 to 127.74.2.99");
  await follow(world, notes, ["tofu apply -target=module.talos", "tofu apply"]);
  await isAt("127.74.2.99");
});

test("to the control plane that was bootstrapped, without a virtual address", async () => {
  const notes = await world.change(({ cluster }) => delete cluster.vip);
  await follow(world, notes, []);
  await world.apply();
  await isAt("127.74.2.41");
});

test("to another control plane, when that one goes", async () => {
  const notes = await world.change(({ nodes }) => delete nodes.controller1, "--allow-destroy", "controller1");
  assert.match(notes.join(), "The Kubernetes API moves from 127.74.2.41 to 127.74.2.42");
  await follow(world, notes, ["kubectl drain", "talosctl", "tofu apply", "kubectl delete", "tofu apply"]);
  await isAt("127.74.2.42");
});

async function isAt(address: string): Promise<void> {
  await world.expectEmptyPlan();
  assert.match(await world.tofu("output", "-raw", "kubeconfig"), `server: https://${address}:6443`);
  world.assertNoRefusals();
}

test.run();
