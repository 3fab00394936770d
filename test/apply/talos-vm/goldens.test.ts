import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { casesOf } from "../../golden/cases.ts";
import type { ProxmoxState } from "../proxmox-state.ts";
import { telling } from "../telling.ts";
import * as proofs from "./proofs.ts";
import { World } from "./world.ts";

/** The one of this moment: the next begins where it ends, whether well or not. */
let world: World;
const tell = telling(test, () => world);
test.after(() => world?.stop());

for (const one of casesOf("talos-vm")) {
  let before: ProxmoxState;
  let foreign: Readonly<Record<string, string>>;

  tell(`${one.name}: an apply creates what the config says, from the template that it names`, async () => {
    await world?.stop();
    world = await World.start(readFileSync(one.config, "utf8"));
    before = proofs.stateOf(world);
    foreign = world.markers();
    const lines = world.readme.block("Apply", "tofu apply");
    for (const line of lines) if (!/^tofu (init|test|plan)$/.test(line)) await world.shell(line);
    world.assertNoRefusals();
    proofs.proveProxmox(world, before);
    proofs.proveTemplates(world);
    await proofs.proveOutput(world);
  });

  tell(`${one.name}: the next plan is empty`, async () => {
    const mark = world.mark();
    await world.expectEmptyPlan();
    assert.equal(
      world.writes(mark).filter((call) => call !== "POST /access/ticket"),
      [],
    );
    world.assertNoRefusals();
  });

  tell(`${one.name}: destroying leaves templates and all that is of others`, async () => {
    await proofs.proveDestruction(world, before, foreign);
  });
}

test.run();
