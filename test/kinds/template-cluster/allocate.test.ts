import { test } from "uvu";
import * as assert from "uvu/assert";
import { secondsOf } from "../../processor-time.ts";
import { allocate, type Wish } from "../../../src/kinds/template-cluster/allocate.ts";
import type { Distribution } from "../../../src/kinds/template-cluster/distribution.ts";
import type { Memory } from "../../../src/kinds/template-cluster/memory.ts";
import { parseSubnet } from "../../../src/kinds/template-cluster/subnet.ts";

/** Proxmox node → control planes and workers. */
type Hosts = Readonly<Record<string, readonly [number, number]>>;

function wishFor(hosts: Hosts, more: Partial<Wish> = {}): Wish {
  const shares = Object.entries(hosts).map(([host, [controlplane, worker]]) => [
    host,
    { controlplane, worker },
  ]);
  return {
    name: "lab",
    distribution: Object.fromEntries(shares) as Distribution,
    subnet: parseSubnet("10.1.2.0/24"),
    starts: { controlplane: 10, worker: 20 },
    ranges: { controlplane: { min: 2000, max: 2999 }, worker: { min: 3000, max: 3999 } },
    allowDestroy: new Set(),
    ...more,
  };
}

/** What the lock would hold after a run; only what the allocation looks at. */
function remembered(hosts: Hosts, last?: Memory, more: Partial<Wish> = {}): Memory {
  const { nodes } = allocate(wishFor(hosts, more), last);
  return { nodes, bootstrap_node: last?.bootstrap_node ?? "lab-controlplane-1" } as unknown as Memory;
}

function brief({ nodes }: Pick<Memory, "nodes">): Record<string, string> {
  return Object.fromEntries(
    Object.entries(nodes).map(([name, { host_node, ip, vm_id }]) => [name, `${host_node} ${ip} ${vm_id}`]),
  );
}

test("ids count from the start of their range, addresses from their host number, hosts by name", () => {
  assert.equal(brief(remembered({ pve2: [1, 1], pve1: [2, 1] })), {
    "lab-controlplane-1": "pve1 10.1.2.10 2000",
    "lab-controlplane-2": "pve1 10.1.2.11 2001",
    "lab-controlplane-3": "pve2 10.1.2.12 2002",
    "lab-worker-1": "pve1 10.1.2.20 3000",
    "lab-worker-2": "pve2 10.1.2.21 3001",
  });
});

test("a Proxmox node that sorts first moves nobody", () => {
  const before = remembered({ pve2: [1, 2] });
  const after = remembered({ pve1: [0, 1], pve2: [1, 2] }, before);
  assert.equal(brief(after), { ...brief(before), "lab-worker-3": "pve1 10.1.2.22 3002" });
});

test("a worker goes and comes back, and the others stay", () => {
  const before = remembered({ pve1: [1, 3] });
  const less = remembered({ pve1: [1, 2] }, before);
  assert.equal(Object.keys(less.nodes), ["lab-controlplane-1", "lab-worker-1", "lab-worker-2"]);
  assert.equal(brief(remembered({ pve1: [1, 3] }, less)), brief(before));
});

test("the one that is named goes, and its place is filled again", () => {
  const before = remembered({ pve1: [1, 3] });
  const less = remembered({ pve1: [1, 2] }, before, { allowDestroy: new Set(["lab-worker-1"]) });
  assert.equal(Object.keys(less.nodes), ["lab-controlplane-1", "lab-worker-2", "lab-worker-3"]);
  assert.equal(brief(remembered({ pve1: [1, 3] }, less)), brief(before));
});

test("what moves to another host in one run takes nothing over from what goes", () => {
  const before = remembered({ pve1: [1, 2], pve2: [0, 0] });
  const after = remembered({ pve1: [1, 1], pve2: [0, 1] }, before);
  assert.equal(brief(after), {
    "lab-controlplane-1": "pve1 10.1.2.10 2000",
    "lab-worker-1": "pve1 10.1.2.20 3000",
    "lab-worker-3": "pve2 10.1.2.22 3002",
  });
});

test("the control plane that was bootstrapped goes last", () => {
  const before = { ...remembered({ pve1: [3, 0] }), bootstrap_node: "lab-controlplane-3" };
  assert.equal(Object.keys(remembered({ pve1: [1, 0] }, before).nodes), ["lab-controlplane-3"]);
  const named = remembered({ pve1: [1, 0] }, before, {
    allowDestroy: new Set(["lab-controlplane-2", "lab-controlplane-3"]),
  });
  assert.equal(Object.keys(named.nodes), ["lab-controlplane-1"]);
});

test("other ranges and starts are for new machines only", () => {
  const before = remembered({ pve1: [1, 1] });
  const after = remembered({ pve1: [1, 2] }, before, {
    starts: { controlplane: 100, worker: 200 },
    ranges: { controlplane: { min: 5000, max: 5009 }, worker: { min: 6000, max: 6009 } },
  });
  assert.equal(brief(after), { ...brief(before), "lab-worker-2": "pve1 10.1.2.200 6000" });
});

test("control planes and workers share the subnet, never an address", () => {
  const { nodes } = allocate(wishFor({ pve1: [15, 15] }), undefined);
  assert.is(new Set(Object.values(nodes).map(({ ip }) => ip)).size, 30);
});

test("where a range or the subnet ends, nothing is given", () => {
  const wish = wishFor(
    { pve1: [1, 3] },
    {
      subnet: parseSubnet("10.1.2.0/27"),
      starts: { controlplane: 10, worker: 29 },
      ranges: { controlplane: { min: 2000, max: 2000 }, worker: { min: 3000, max: 3000 } },
    },
  );
  const { nodes } = allocate(wish, undefined);
  assert.equal([nodes["lab-worker-1"]?.ip, nodes["lab-worker-1"]?.vm_id], ["10.1.2.29", 3000]);
  assert.equal([nodes["lab-worker-3"]?.ip, nodes["lab-worker-3"]?.vm_id], [undefined, undefined]);
});

test("MAC addresses are those of Proxmox, differ, and come back with the name", () => {
  const { nodes } = allocate(wishFor({ pve1: [3, 2000] }), undefined);
  const macs = Object.values(nodes).map(({ mac_address }) => mac_address);
  assert.ok(macs.every((mac) => /^BC:24:11(:[0-9A-F]{2}){3}$/.test(mac)));
  assert.is(new Set(macs).size, macs.length);
  const again = allocate(wishFor({ pve7: [3, 2] }), undefined);
  assert.is(again.nodes["lab-worker-2"]?.mac_address, nodes["lab-worker-2"]?.mac_address);
});

test("10,000 machines take no time", () => {
  const subnet = parseSubnet("10.0.0.0/8");
  const ranges = { controlplane: { min: 2000, max: 2999 }, worker: { min: 10_000, max: 99_999 } };
  const seconds = secondsOf(() => {
    const first = remembered({ pve1: [3, 5000], pve2: [0, 5000] }, undefined, { subnet, ranges });
    remembered({ pve0: [0, 1], pve1: [3, 5000], pve2: [0, 5000] }, first, { subnet, ranges });
  });
  assert.ok(seconds < 2, `${seconds} s`);
});

test.run();
