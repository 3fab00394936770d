import { test } from "uvu";
import * as assert from "uvu/assert";
import { caseOf } from "../golden/cases.ts";
import { named } from "../simulator/proxmox/call-name.ts";
import type { Fault } from "../simulator/proxmox/faults.ts";
import { proveDestruction } from "./destruction.ts";
import { csiVolume, csiVolumes } from "./expected-proxmox.ts";
import * as proofs from "./proofs.ts";
import { stateOf, type ProxmoxState } from "./proxmox-state.ts";
import { World } from "./world.ts";

/** Every call that changes something, in the first apply of a control plane and a worker with one volume of each type. */
export const calls = [
  "POST /access/roles roleid=qa-2-CSI",
  "POST /access/users userid=qa-2-kubernetes-csi@pve",
  "POST /access/users/qa-2-kubernetes-csi@pve/token/csi",
  "POST /nodes/pve1/qemu vmid=141",
  "POST /nodes/pve1/qemu vmid=1410",
  "POST /nodes/pve1/qemu vmid=142",
  "POST /nodes/pve1/qemu vmid=1420",
  "POST /nodes/pve1/qemu vmid=1421",
  "POST /nodes/pve1/qemu/141/status/start",
  "POST /nodes/pve1/qemu/142/status/start",
  "POST /nodes/pve1/storage/local-zfs/content/ filename=vm-9999-qa-2-postgres",
  "POST /nodes/pve1/storage/local/download-url",
  "PUT /access/acl",
  "PUT /nodes/pve1/qemu/141/resize disk=scsi0 size=5G",
  "PUT /nodes/pve1/qemu/142/config virtio1",
  "PUT /nodes/pve1/qemu/142/resize disk=scsi0 size=5G",
];

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

/** Registers a test for each of these calls: it is answered with an error, and the next apply mends it. */
export function proveErrors(prefix: string, chosen: readonly string[]): void {
  let trial: Trial;

  test("a first apply makes these calls and no others", async () => {
    trial = await Trial.start(prefix);
    await trial.world.apply();
    const made = trial.world.proxmox.writes().map(named);
    const plain = made.map((call) => call.replace(/(download-url) .*/, "$1"));
    assert.equal(plain.sort(), calls);
    await trial.expectConverged();
    await trial.reset();
  });

  for (const call of chosen)
    test(`converges after an error: ${call}`, async () => {
      const { exitCode } = await trial.applyWith("error", call);
      if (exitCode !== 0) await trial.world.apply();
      await trial.expectConverged();
      await trial.reset();
    });

  test.after(() => trial.world.stop());
}

/** What a call looks like on the wire. */
function pattern(call: string): RegExp {
  const [method, path = "", word = ""] = call.split(" ");
  const vmid = /^vmid=\d+$/.test(word) ? `.*\\b${word}\\b` : "";
  const slot = path.endsWith("/config") ? `.*${word}` : "";
  return new RegExp(`^${method} ${path} ${vmid}${slot}`);
}
