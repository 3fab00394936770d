import { test } from "uvu";
import * as assert from "uvu/assert";
import { rounds } from "./rounds.ts";

const shown = (names: readonly string[]) =>
  rounds(names).map((round) => round.map(({ name, occurrence }) => `${name} #${occurrence}`));

test("one call of each VM fails in a round, wherever it names the VM", () => {
  const names = [
    "POST /nodes/pve1/qemu vmid=142",
    "POST /nodes/pve1/qemu/998/clone newid=143",
    "GET /nodes/pve1/tasks/qmcreate:142/status",
    "GET /nodes/pve1/qemu/143/config",
    "GET /nodes/pve1/storage/local-zfs/content/local-zfs:vm-142-disk-0",
    "GET /nodes/pve1/qemu/143/config",
  ];
  assert.equal(shown(names), [
    ["POST /nodes/pve1/qemu vmid=142 #1", "POST /nodes/pve1/qemu/998/clone newid=143 #1"],
    ["GET /nodes/pve1/tasks/qmcreate:142/status #1", "GET /nodes/pve1/qemu/143/config #1"],
    [
      "GET /nodes/pve1/storage/local-zfs/content/local-zfs:vm-142-disk-0 #1",
      "GET /nodes/pve1/qemu/143/config #2",
    ],
  ]);
});

test("calls without a VM go by the first part of their path", () => {
  assert.equal(shown(["POST /access/users userid=x", "GET /nodes", "GET /access/users/x", "GET /version"]), [
    ["POST /access/users userid=x #1", "GET /nodes #1", "GET /version #1"],
    ["GET /access/users/x #1"],
  ]);
});

test("a call that could be anybody's fails before the others of its round begin, or alone", () => {
  const names = [
    "POST /nodes/pve1/qemu vmid=1420",
    "GET /pools",
    "POST /nodes/pve1/qemu vmid=142",
    "GET /nodes/pve1/qemu/142/config",
    "GET /pools",
  ];
  assert.equal(shown(names), [
    ["POST /nodes/pve1/qemu vmid=1420 #1", "POST /nodes/pve1/qemu vmid=142 #1"],
    ["GET /nodes/pve1/qemu/142/config #1", "GET /pools #1"],
    ["GET /pools #2"],
  ]);
});

test("such calls fail together, as many as VMs are being made", () => {
  const names = [
    "POST /nodes/pve1/qemu vmid=1410",
    "POST /nodes/pve1/qemu vmid=1420",
    "GET /pools",
    "GET /pools",
    "POST /nodes/pve1/qemu vmid=142",
    "GET /pools",
  ];
  assert.equal(shown(names).slice(1), [["GET /pools #1", "GET /pools #2"], ["GET /pools #3"]]);
});

test("every call is in one round, whatever the calls are", () => {
  const names = [
    "GET /a",
    "GET /a",
    "GET /b/1",
    "PUT /nodes/n/qemu/1/config x",
    "GET /a",
    "nonsense",
    "GET /c",
  ];
  assert.equal(
    rounds(names)
      .flat()
      .map(({ name, occurrence }) => `${name} #${occurrence}`)
      .sort(),
    [
      "GET /a #1",
      "GET /a #2",
      "GET /a #3",
      "GET /b/1 #1",
      "GET /c #1",
      "PUT /nodes/n/qemu/1/config x #1",
      "nonsense #1",
    ],
  );
  assert.equal(rounds([]), []);
});

test.run();
