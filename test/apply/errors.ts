import { test } from "uvu";
import * as assert from "uvu/assert";
import { named, pattern } from "../simulator/proxmox/call-name.ts";
import { rounds, type NumberedCall } from "../simulator/proxmox/rounds.ts";
import { Trial } from "./faults.ts";
import { applyThrough } from "./faulty-apply.ts";
import { firstApply } from "./first-apply.ts";
import type { World } from "./world.ts";

/** Together they answer each call of a first apply with an error, once. */
const all = rounds(firstApply);

/** Registers the tests of every other round, so that two files can share them. */
export function proveErrors(prefix: string, half: 0 | 1): void {
  let trial: Trial | undefined;

  /** In a world that nothing has been applied to, left so for the next unless this fails. */
  const tell = (title: string, work: (trial: Trial) => Promise<void>): void =>
    test(title, async () => {
      const current = (trial ??= await Trial.start(prefix));
      trial = undefined;
      try {
        await work(current);
        await current.expectConverged();
        await current.reset();
        trial = current;
      } finally {
        if (trial === undefined) await current.world.stop();
      }
    });

  if (half === 0)
    tell("a first apply makes these calls and no others, and each is in one round", async ({ world }) => {
      await world.apply();
      const made = world.proxmox.requests.map(named).map((call) => call.replace(/(download-url) .*/, "$1"));
      assert.equal(made.sort(), [...firstApply].sort());
      const failing = all.flat().map(({ name }) => name);
      assert.equal(failing.sort(), made);
    });

  for (const calls of all.filter((_, index) => index % 2 === half))
    tell(`converges after errors: ${calls.map(shown).join(", ")}`, (current) => mend(current, calls));

  test.after(() => trial?.world.stop());
}

const shown = ({ name, occurrence }: NumberedCall): string => `${name} #${occurrence}`;

/** Applies with these calls failing; what machines have written by then has to last. */
async function mend({ world }: Trial, calls: readonly NumberedCall[]): Promise<void> {
  expectRefusals(world, calls);
  const kept = new Map<string, string>();
  const failing = calls.map(({ name, occurrence }) => ({ occurrence, matching: pattern(name) }));
  await applyThrough(world, failing, { look: () => markData(world, kept) });
  for (const [volid, marker] of kept) assert.is(world.proxmox.marker(volid), marker, volid);
}

/** Where the end of a task was not seen, the provider asks for the same again. */
function expectRefusals({ proxmox }: World, calls: readonly NumberedCall[]): void {
  for (const { name } of calls) {
    const [, vm] = /\/tasks\/qmcreate:(\d+)\/status$/.exec(name) ?? [];
    if (vm !== undefined) proxmox.expectRefusals(new RegExp(`unable to create VM ${vm} - .* already exists`));
    if (name.endsWith("/tasks/download/status")) proxmox.expectRefusals(/refusing to override existing file/);
  }
}

/** A machine that runs may have written to the disks that it has from other VMs: they outlive it, whatever becomes of it. */
function markData({ config, proxmox }: World, kept: Map<string, string>): void {
  for (const { vm_id } of Object.values(config.nodes)) {
    if (!proxmox.vm(vm_id)?.isRunning) continue;
    for (const { volid } of proxmox.disksOf(vm_id)) {
      if (volid.includes(`:vm-${vm_id}-`)) continue;
      kept.set(volid, `data of VM ${vm_id}`);
      proxmox.putMarker(volid, `data of VM ${vm_id}`);
    }
  }
}
