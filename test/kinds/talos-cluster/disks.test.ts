import { test } from "uvu";
import * as assert from "uvu/assert";
import { allocateDisks } from "../../../src/kinds/talos-cluster/disks.ts";
import type { Memory } from "../../../src/kinds/talos-cluster/memory.ts";
import { allocateSerials } from "../../../src/kinds/talos-cluster/serials.ts";

type Config = Parameters<typeof allocateDisks>[0];

function config(nodes: Record<string, [string, number]>, volumes: Record<string, string>): Config {
  const disk = { type: "disk", datastore: "local-zfs", size: 10, vmid: 9999 };
  const volume = (machine_type: string) => ({ ...disk, machine_type });
  return {
    nodes: Object.fromEntries(
      Object.entries(nodes).map(([name, [machine_type, vm_id]]) => [
        name,
        { machine_type, vm_id, host_node: "pve1" },
      ]),
    ),
    volumes: Object.fromEntries(Object.entries(volumes).map(([name, type]) => [name, volume(type)])),
  } as unknown as Config;
}

/** What the lock would hold after a run; only what the allocation looks at. */
function remembered(config: Config, last?: Memory): Memory {
  const volumes = Object.entries(config.volumes).map(([name, { datastore }]) => [
    name,
    { datastore, size_mib: 10240 },
  ]);
  const { nodes } = config;
  return {
    ...allocateDisks(config, last),
    nodes,
    volumes: Object.fromEntries(volumes),
  } as unknown as Memory;
}

/** A disk that is gone. */
const retired = (disk: object | undefined): object => ({
  ...disk,
  host_node: "pve1",
  datastore: "local-zfs",
  size_mib: 10240,
});

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
  assert.equal(removed.retired, { disks: { "w1/a": retired({ slot: 1, vm_id: 1421 }) } });
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
  assert.equal(after.retired, { disks: {} });
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

test("what was taken out comes back to where it was, for its disk may still be there", () => {
  const volumes = { a: "worker", b: "worker" };
  const two = config({ ...worker, w2: ["worker", 143] }, volumes);
  const before = remembered(two);
  const { disks } = before;
  const withoutNode = remembered(config(worker, volumes), before);
  assert.equal(withoutNode.retired, {
    disks: { "w2/a": retired(disks["w2/a"]), "w2/b": retired(disks["w2/b"]) },
  });
  const back = remembered(two, withoutNode);
  assert.equal([back.disks, back.retired], [disks, { disks: {} }]);
  const onlyB = remembered(config(worker, { b: "worker" }), before);
  const another = remembered(config(worker, { 0: "worker", b: "worker" }), onlyB);
  assert.equal(another.disks["w1/0"], { slot: 3, vm_id: 1423 });
  assert.equal(remembered(config(worker, { 0: "worker", ...volumes }), another).disks["w1/a"], disks["w1/a"]);
});

test("what comes back goes elsewhere when the disk that may be there could not stay", () => {
  const without = remembered(config(worker, {}), remembered(config(worker, { a: "worker" })));
  const other = { slot: 2, vm_id: 1422 };
  for (const [part, change] of [
    ["volumes", { size: 5 }],
    ["volumes", { datastore: "tank" }],
    ["nodes", { host_node: "pve2" }],
  ] as const) {
    const changed = config(worker, { a: "worker" });
    for (const entry of Object.values(changed[part])) Object.assign(entry, change);
    assert.equal(remembered(changed, without).disks["w1/a"], other, JSON.stringify(change));
  }
  const grown = config(worker, { a: "worker" });
  for (const volume of Object.values(grown.volumes)) Object.assign(volume, { size: 20 });
  assert.equal(remembered(grown, without).disks["w1/a"], { slot: 1, vm_id: 1421 });
});

test("what comes back goes elsewhere when its id belongs to another by now", () => {
  const before = remembered(config(worker, { a: "worker" }));
  const without = remembered(config(worker, {}), before);
  const taken = config({ ...worker, other: ["controlplane", 1421] }, { a: "worker" });
  assert.equal(remembered(taken, without).disks["w1/a"], { slot: 2, vm_id: 1422 });
});

test("serials are names as far as they fit, and stay", () => {
  const long = "a-rather-long-volume-name-1";
  const serials = allocateSerials(["longhorn", long, `${long}2`], undefined);
  assert.is(serials["longhorn"], "longhorn");
  for (const serial of Object.values(serials)) assert.ok(serial.length <= 20);
  assert.is(new Set(Object.values(serials)).size, 3);
  const imitation = serials[long]!;
  const known = { volumes: { [long]: { serial: imitation } } } as unknown as Memory;
  const both = allocateSerials([imitation, long], known);
  assert.is(both[long], imitation);
  assert.is.not(both[imitation], imitation);
  assert.equal(allocateSerials([long, imitation], undefined), both, "whichever comes first");
  const memory = { volumes: { longhorn: { serial: "other" } } } as unknown as Memory;
  assert.is(allocateSerials(["longhorn"], memory)["longhorn"], "other");
});

test.run();
