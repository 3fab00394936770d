import * as assert from "uvu/assert";
import { caseOf } from "../golden/cases.ts";
import { pattern } from "../simulator/proxmox/call-name.ts";
import type { Fault } from "../simulator/proxmox/faults.ts";
import { proveDestruction } from "./destruction.ts";
import { csiVolume, csiVolumes } from "./expected-proxmox.ts";
import * as proofs from "./proofs.ts";
import { stateOf, type ProxmoxState } from "./proxmox-state.ts";
import { World } from "./world.ts";

/** A world that is applied to, looked at and emptied again, as often as one likes. */
export class Trial {
  readonly world: World;
  readonly #before: ProxmoxState;
  readonly #foreign: Readonly<Record<string, string>>;

  private constructor(world: World) {
    this.world = world;
    this.#before = stateOf(world.proxmox, world.config);
    this.#foreign = world.markers();
  }

  static async start(prefix: string): Promise<Trial> {
    const world = await World.start(caseOf("env-set"), prefix);
    await world.change(({ volumes }) => (volumes.logs = { type: "disk", size: 3 }));
    return new Trial(world);
  }

  /** Applies with one call failing; what is still to do is left to the caller. */
  async applyWith(fault: Fault, call: string): Promise<{ readonly exitCode: number | null }> {
    this.world.proxmox.failCall(1, { fault, matching: pattern(call) });
    const ending = await this.world.tryTofu("apply");
    assert.not(this.world.proxmox.hasPendingFault, `${call} was not made`);
    return ending;
  }

  /** All is as after an apply that nothing came between, and what is of others is untouched. */
  async expectConverged(): Promise<void> {
    const { world } = this;
    proofs.proveProxmox(world, this.#before);
    await proofs.proveKubernetes(world);
    proofs.proveSelectors(world);
    await world.expectEmptyPlan();
    for (const [volume, marker] of Object.entries(this.#foreign))
      assert.is(world.markers()[volume], marker, volume);
    world.assertNoRefusals();
  }

  /** Back to the beginning, by the lines of the README; the volumes that it keeps are freed as well. */
  async reset(): Promise<void> {
    const { cluster } = this.world.proxmox;
    await proveDestruction(this.world, this.#before);
    const { config } = this.world;
    const kept = csiVolumes(config).map(([name, volume]) => csiVolume(config, name, volume)[0]);
    for (const volume of cluster.volumes)
      if (kept.includes(`${volume.storage}:${volume.name}@${volume.node ?? ""}`))
        cluster.volumes.delete(volume);
  }
}
