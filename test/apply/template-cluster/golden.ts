import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Case } from "../../golden/cases.ts";
import type { ProxmoxState } from "../proxmox-state.ts";
import { telling } from "../telling.ts";
import * as proofs from "./proofs.ts";
import { World, type Circumstances } from "./world.ts";

/** The one of this file: the next begins where it ends, whether well or not. */
let world: World;
const tell = telling(test, () => world);
test.after(() => world?.stop());

/** Registers the tests of one golden: applied by its README, looked at, planned again, destroyed by its README. */
export function prove(one: Case, circumstances: Circumstances, addressOf?: proofs.Addresses): void {
  let before: ProxmoxState;
  let foreign: Readonly<Record<string, string>>;

  tell(`${one.name}: an apply creates what the config says`, async () => {
    await world?.stop();
    world = await World.start(readFileSync(one.config, "utf8"), circumstances);
    before = proofs.stateOf(world);
    foreign = world.markers();
    const lines = world.readme.block("Apply", "tofu apply");
    const health = `talosctl --context ${world.config.cluster["name"]} health`;
    assert.equal([lines[0], lines.at(-1)], ["tofu init", health]);
    // The stand-in of a machine knows nothing of health; proofs.proveAccess asks something else with the same access.
    for (const line of lines) if (!["tofu init", "tofu plan", health].includes(line)) await world.shell(line);
    world.assertNoRefusals();
    proofs.proveProxmox(world, before);
    proofs.proveReadme(world);
    await proofs.proveOutput(world, addressOf);
    await proofs.proveAccess(world, addressOf);
  });

  tell(`${one.name}: each machine got what the config says, and Talos accepts it`, () => {
    proofs.proveMachines(world, addressOf);
  });

  tell(`${one.name}: the next plan is empty`, async () => {
    const mark = world.mark();
    await world.expectEmptyPlan();
    assert.equal(world.writes(mark), []);
    world.assertNoRefusals();
  });

  tell(`${one.name}: destroying leaves what is of others, and nothing else`, async () => {
    await proofs.proveDestruction(world, before, foreign, addressOf);
  });
}
