import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Case } from "../golden/cases.ts";
import { CsiPlugin } from "./csi-plugin.ts";
import { proveDestruction } from "./destruction.ts";
import * as proofs from "./proofs.ts";
import { stateOf, type ProxmoxState } from "./proxmox-state.ts";
import { telling } from "./telling.ts";
import { World } from "./world.ts";

/** How far the README of one golden is followed, beyond what is done for all. */
export interface Thoroughness {
  /** All lines that lead to the first apply, those that change nothing too. */
  readonly rehearsal?: boolean;
  /** The volumes that were let go of are imported into a new cluster. */
  readonly return?: boolean;
}

/** The one of this file: the next begins where it ends, whether well or not. */
let world: World;
const tell = telling(test, () => world);
test.after(() => world?.stop());

/** Registers the tests of one golden: applied, looked at, planned again, destroyed as its README says. */
export function prove(one: Case, prefix: string, thoroughness: Thoroughness = {}): void {
  let before: ProxmoxState;

  tell(`${one.name}: an apply creates what the config says`, async () => {
    await world?.stop();
    world = await World.start(one, prefix);
    before = stateOf(world.proxmox, world.config);
    const lines = world.readme.block("Apply", "tofu apply");
    for (const line of lines)
      if (thoroughness.rehearsal || !/^tofu (init|test|plan)$/.test(line)) await world.shell(line);
    world.assertNoRefusals();
    proofs.proveProxmox(world, before);
    await proofs.proveKubernetes(world);
    proofs.proveAccess(world);
  });

  tell(`${one.name}: machines got what the config says, and each volume finds its disk`, () => {
    proofs.proveMachineConfigurations(world);
    proofs.proveSelectors(world);
  });

  tell(`${one.name}: the next plan is empty, whatever the CSI plugin has attached`, async () => {
    const plugin = await CsiPlugin.start(world);
    const [machine = ""] = Object.keys(world.config.nodes);
    await plugin.provision(machine, "1");
    await plugin.attachAll();
    await plugin.expectNoPower(machine);
    const mark = world.mark();
    await world.expectEmptyPlan();
    assert.equal(world.writes(mark), []);
    world.assertNoRefusals();
  });

  tell(`${one.name}: destroying leaves what the README says, and all that is of others`, async () => {
    await proveDestruction(world, before);
  });

  if (!thoroughness.return) return;
  tell(`${one.name}: volumes that were let go of come back by import, with what is in them`, async () => {
    const former = world.markers();
    for (const line of world.readme.block("Keeping volumes", "tofu import")) await world.shell(line);
    await world.expectEmptyPlan();
    world.assertNoRefusals();
    const names = Object.keys(former);
    assert.equal(
      Object.fromEntries(Object.entries(world.markers()).filter(([id]) => names.includes(id))),
      former,
    );
    await proofs.proveKubernetes(world);
  });
}
