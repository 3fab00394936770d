import { test } from "uvu";
import * as assert from "uvu/assert";
import { named, pattern } from "../../simulator/proxmox/call-name.ts";
import { rounds } from "../../simulator/proxmox/rounds.ts";
import { applyThrough } from "../faulty-apply.ts";
import * as proofs from "./proofs.ts";
import { small } from "./small.ts";
import { World } from "./world.ts";

/**
 * Every call that changes something is answered with an error once, and so is the question how it ended, where something
 * was made that nobody knows of then. The next apply mends it, or the README says how.
 */
let world = await start();
const before = proofs.stateOf(world);
const foreign = world.markers();
test.after(() => world.stop());

await world.apply();
const calls = world.proxmox.requests
  .map(named)
  .filter((call) => !call.startsWith("GET ") || /\/tasks\/(download|qmclone|qmcreate|qmigrate)\b/.test(call));
await converged();

test("these are all the calls that change something", () => {
  const machine = (id: number, host: string, template: number) => [
    `POST /nodes/pve1/qemu/${template}/clone newid=${id}`,
    ...(host === "pve1" ? [] : [`POST /nodes/pve1/qemu/${id}/migrate`]),
    `POST /nodes/${host}/qemu/${id}/move_disk`,
    `POST /nodes/${host}/qemu/${id}/status/start`,
    `PUT /nodes/${host}/qemu/${id}/config agent …`,
    `PUT /nodes/${host}/qemu/${id}/config delete=ide2`,
    `PUT /nodes/${host}/qemu/${id}/config virtio0`,
  ];
  const template = (id: number, sizeGib: number) => [
    `POST /nodes/pve1/qemu vmid=${id}`,
    `POST /nodes/pve1/qemu/${id}/template`,
    `PUT /nodes/pve1/qemu/${id}/resize disk=virtio0 size=${sizeGib}G`,
  ];
  const expected = [
    "POST /access/roles roleid=TalosCCM",
    "POST /access/users userid=talos-ccm@pve",
    "POST /access/users/talos-ccm@pve/token/ccm",
    "PUT /access/acl",
    "POST /nodes/pve1/storage/local/download-url …",
    ...template(998, 20),
    ...template(999, 50),
    ...machine(2000, "pve1", 998),
    ...machine(3000, "pve2", 999),
  ];
  const changing = calls.filter((call) => !call.startsWith("GET "));
  assert.equal(changing.map(brief).sort(), expected.sort());
});

for (const round of rounds(calls))
  test(`converges after errors: ${round.map(({ name }) => brief(name)).join(", ")}`, async () => {
    const failing = round.map(({ name, occurrence }) => ({ occurrence, matching: pattern(name) }));
    try {
      let isReleased = false;
      await applyThrough(world, failing, {
        remedy: async (words) => {
          const isOpened = await release(words);
          isReleased ||= isOpened;
          return isOpened || removeUnknown(words);
        },
      });
      if (isReleased) {
        await world.generate();
        await world.apply();
      }
      await converged();
    } catch (error) {
      await world.stop();
      world = await start();
      throw error;
    }
  });

/** By the lines of the README: a control plane that was not finished may be made anew. */
async function release(words: string): Promise<boolean> {
  const [, name] = /controlplane\["([^"]+)"\]\s+has\s+prevent_destroy/.exec(words) ?? [];
  if (name === undefined) return false;
  const generating = "gen-talos-module --config cluster.yaml --out <this folder>";
  assert.equal(world.readme.block("An apply that failed", "tofu apply"), [
    `${generating} --allow-destroy <name>`,
    "tofu apply",
    generating,
    "tofu apply",
  ]);
  await world.generate("--allow-destroy", name);
  return true;
}

/** As the README says: what was made and is known to nobody is deleted by hand. */
function removeUnknown(words: string): boolean {
  const { vms, volumes } = world.proxmox.cluster;
  const [, id] = /unable to create VM (\d+): config file\s+already exists/.exec(words) ?? [];
  const isMachine = world.config.machines.some(({ vmId }) => vmId === Number(id));
  if (!isMachine) return false;
  assert.not(vms.get(Number(id))?.isRunning);
  vms.delete(Number(id));
  for (const volume of volumes) if (volume.owner === Number(id)) volumes.delete(volume);
  return true;
}

/** Where such a thing is made again, that is refused. */
async function start(): Promise<World> {
  const started = await World.start(small, { prefix: "127.62" });
  started.proxmox.expectRefusals(
    /unable to create VM (998|999|2000|3000)\b.*already exists|refusing to override existing file/,
  );
  return started;
}

/** All is as after an apply that nothing came between; then back to the beginning. */
async function converged(): Promise<void> {
  proofs.proveProxmox(world, before);
  await proofs.proveOutput(world);
  await world.expectEmptyPlan();
  await proofs.proveDestruction(world, before, foreign);
  await world.generate();
}

function brief(name: string): string {
  return name.replace(/(config \w+|download-url) .*/, "$1 …");
}

test.run();
