import { test } from "uvu";
import * as assert from "uvu/assert";
import { allocateDisks } from "../../../src/kinds/talos-cluster/disks.ts";
import type { Memory } from "../../../src/kinds/talos-cluster/memory.ts";
import { allocateSerials } from "../../../src/kinds/talos-cluster/serials.ts";

type Config = Parameters<typeof allocateDisks>[0];

function config(nodes: Record<string, [string, number]>, volumes: Record<string, string>): Config {
  const volume = (machine_type: string) => ({ type: "disk", machine_type, vmid: 9999 });
  return {
    nodes: Object.fromEntries(
      Object.entries(nodes).map(([name, [machine_type, vm_id]]) => [name, { machine_type, vm_id }]),
    ),
    volumes: Object.fromEntries(Object.entries(volumes).map(([name, type]) => [name, volume(type)])),
  } as unknown as Config;
}

/** What the lock would hold after a run; only what the allocation looks at. */
function remembered(config: Config, last?: Memory): Memory {
  return allocateDisks(config, last) as unknown as Memory;
}

const worker = { w1: ["worker", 142] } as Record<string, [string, number]>;

test("slots count from virtio1, ids from the one behind the data VM's", () => {
  assert.equal(remembered(config(worker, { a: "worker", b: "all", c: "controlplane" })).disks, {
    "w1/a": { slot: 1, vm_id: 1421 },
    "w1/b": { slot: 2, vm_id: 1422 },
  });
});

test("a volume that sorts before the others moves none of them", () => {
  const before = remembered(config(worker, { m: "worker", n: "worker" }));
  const after = remembered(config(worker, { a: "worker", m: "worker", n: "worker" }), before);
  assert.equal(after.disks["w1/m"], before.disks["w1/m"]);
  assert.equal(after.disks["w1/n"], before.disks["w1/n"]);
  assert.equal(after.disks["w1/a"], { slot: 3, vm_id: 1423 });
});

test("a slot and an id that were given up are not taken by the next volume", () => {
  const before = remembered(config(worker, { a: "worker", b: "worker" }));
  const removed = remembered(config(worker, { b: "worker" }), before);
  assert.equal(removed.retired, { slots: { w1: [1] }, vm_ids: [1421] });
  const after = remembered(config(worker, { b: "worker", c: "worker" }), removed);
  assert.equal(after.disks["w1/c"], { slot: 3, vm_id: 1423 });
  const replaced = remembered(config(worker, { b: "worker", c: "worker" }), before);
  assert.equal(replaced.disks["w1/c"], { slot: 3, vm_id: 1423 }, "removed and added in one run");
});

test("given-up slots are taken again when nothing else is left", () => {
  const names = (count: number, first = 0) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`v${String(index + first).padStart(2, "0")}`, "worker"]),
    );
  const full = remembered(config(worker, names(15)));
  assert.equal(new Set(Object.values(full.disks).map(({ slot }) => slot)).size, 15);
  const after = remembered(config(worker, names(15, 1)), full);
  assert.is(after.disks["w1/v15"]?.slot, 1);
  assert.equal(after.retired.slots, {});
});

test("ids keep clear of machines, data VMs and the owners of CSI volumes", () => {
  const crowded = config({ w1: ["worker", 142], x: ["worker", 1421] }, { a: "worker" });
  assert.equal(remembered(crowded).disks, {
    "w1/a": { slot: 1, vm_id: 1422 },
    "x/a": { slot: 1, vm_id: 14211 },
  });
  const csi = config({ w1: ["worker", 999] }, { a: "worker" });
  for (const taken of Object.values(csi.volumes)) Object.assign(taken, { vmid: 9991 });
  assert.is(remembered(csi).disks["w1/a"]?.vm_id, 9992);
});

test("a node that sorts first moves nothing", () => {
  const before = remembered(config(worker, { a: "worker" }));
  const after = remembered(config({ a0: ["worker", 14], ...worker }, { a: "worker" }), before);
  assert.equal(after.disks["w1/a"], before.disks["w1/a"]);
});

test("a removed node retires its ids, and starts afresh when it comes back", () => {
  const two = config({ ...worker, w2: ["worker", 143] }, { a: "worker" });
  const before = remembered(two);
  const without = remembered(config(worker, { a: "worker" }), before);
  assert.equal(without.retired, { slots: {}, vm_ids: [1431] });
  const back = remembered(two, without);
  assert.equal(back.disks["w2/a"], { slot: 1, vm_id: 1432 });
});

test("serials are names as far as they fit, and stay", () => {
  const long = "a-rather-long-volume-name-1";
  const serials = allocateSerials(["longhorn", long, `${long}2`], undefined);
  assert.is(serials["longhorn"], "longhorn");
  for (const serial of Object.values(serials)) assert.ok(serial.length <= 20);
  assert.is(new Set(Object.values(serials)).size, 3);
  const memory = { volumes: { longhorn: { serial: "other" } } } as unknown as Memory;
  assert.is(allocateSerials(["longhorn"], memory)["longhorn"], "other");
});

test.run();
