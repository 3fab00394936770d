import { test } from "uvu";
import * as assert from "uvu/assert";
import { editDistance, suggest } from "../../src/config/suggest.ts";

const KEYS = [
  "machine_type",
  "disk_size",
  "cpu",
  "cpu_type",
  "dns",
  "ip",
  "vlan_id",
  "vm_id",
  "datastore",
  "mac_address",
  "username",
];

const TABLE: readonly [string, string | undefined][] = [
  ["machine_typ", "machine_type"],
  ["machineType", "machine_type"],
  ["MACHINE-TYPE", "machine_type"],
  ["mahcine_type", "machine_type"],
  ["disksize", "disk_size"],
  ["cpus", "cpu"],
  ["cputype", "cpu_type"],
  ["vmid", "vm_id"],
  ["data_store", "datastore"],
  ["disk", "disk_size"],
  ["mac", "mac_address"],
  ["mach", "machine_type"],
  ["user", "username"],
  ["vm", "vm_id"],
  ["da", undefined],
  ["flavour", undefined],
  ["x", undefined],
  ["", undefined],
];

for (const [word, want] of TABLE) {
  test(`${word || "(nothing)"} → ${want}`, () => assert.is(suggest(word, KEYS), want));
}

test("insertions, deletions, substitutions and swapped neighbours count one each", () => {
  const given = [
    "worker|worker",
    "wroker|worker",
    "worke|worker",
    "workerr|worker",
    "warker|worker",
    "|abc",
    "ca|abc",
  ];
  const distances = given.map((pair) => editDistance(...(pair.split("|") as [string, string])));
  assert.equal(distances, [0, 1, 1, 1, 1, 3, 3]);
});

test("a very long word is no trouble", () => assert.is(suggest("x".repeat(1_000_000), KEYS), undefined));

test.run();
