import { test } from "uvu";
import * as assert from "uvu/assert";
import { Trial } from "./faults.ts";

/** The connection is cut after something was made that is made only once: the next apply says so, as the README does. */
let trial: Trial;

test.before(async () => {
  trial = await Trial.start("127.98");
  trial.world.proxmox.expectRefusals(/POST .*already exists/);
});

test.after(() => trial.world.stop());

test("a volume that was made unnoticed is not adopted silently, but by the line of the README", async () => {
  const { world } = trial;
  const call = "POST /nodes/pve1/storage/local-zfs/content/ filename=vm-9999-qa-2-postgres";
  const { exitCode } = await trial.applyWith("lost", call);
  assert.is(exitCode, 1);
  const { exitCode: again, stderr } = await world.tryTofu("apply");
  assert.is(again, 1);
  assert.match(stderr, /dataset already exists/);
  for (const line of world.readme.block("Keeping volumes", "tofu import")) await world.shell(line);
  await trial.expectConverged();
  await trial.reset();
});

/** What is made once, and how it is deleted by hand. */
const unnoticed: Readonly<Record<string, () => void>> = {
  "POST /access/roles roleid=qa-2-CSI": () => trial.world.proxmox.cluster.roles.delete("qa-2-CSI"),
  "POST /access/users userid=qa-2-kubernetes-csi@pve": () =>
    trial.world.proxmox.cluster.users.delete("qa-2-kubernetes-csi@pve"),
  "POST /access/users/qa-2-kubernetes-csi@pve/token/csi": () =>
    trial.world.proxmox.cluster.users.get("qa-2-kubernetes-csi@pve")?.tokens.delete("csi"),
};

for (const [call, remove] of Object.entries(unnoticed))
  test(`not adopted silently, and made again when it was deleted by hand: ${call}`, async () => {
    const { world } = trial;
    const { exitCode } = await trial.applyWith("lost", call);
    assert.is(exitCode, 1);
    const again = await world.tryTofu("apply");
    assert.is(again.exitCode, 1);
    assert.match(again.stderr, /already\s+exists/i);
    remove();
    await world.apply();
    await trial.expectConverged();
    await trial.reset();
  });

test.run();
