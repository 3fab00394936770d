/** Changes against what the lock remembers that are fine as they are, or were allowed; and what is said about them. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Surroundings } from "../../../src/kind.ts";
import { talosVm } from "../../../src/kinds/talos-vm/index.ts";
import type { Memory } from "../../../src/kinds/talos-vm/memory.ts";
import { checkConfig, quiet } from "../../invalid/pipeline.ts";
import { bytes } from "../../loading/example.ts";

const MEMORY: Memory = {
  vms: {
    one: { node: "pve1", disk_pool: "local-lvm", disk_gb: 40, template: "9000" },
    two: { node: "pve1", disk_pool: "local-lvm", disk_gb: 40, template: "talos-v1.12.4-base" },
  },
};

const ONE = "  one: { node: pve1, template: 9000 }\n";
const TWO = "  two: { node: pve1, template: talos-v1.12.4-base }\n";

function configOf(...vms: string[]): string {
  return `kind: talos-vm\nproxmox: { endpoint: "https://pve.example.com:8006" }\nvms:\n${vms.join("")}`;
}

function remembering(flags: { allowDestroy?: string[]; accept?: string[] } = {}): Surroundings {
  const { allowDestroy = [], accept = [] } = flags;
  return { ...quiet, memory: MEMORY, allowDestroy: new Set(allowDestroy), accept: new Set(accept) };
}

test("nothing has changed, whether a VMID is written as a number or as text", () => {
  for (const one of [ONE, ONE.replace("9000", '"9000"')])
    assert.is(checkConfig(bytes(configOf(one, TWO)), remembering()).stderr, "");
});

test("a VM may get other cores or another MAC address, and others may come", () => {
  const grown = ONE.replace("9000", '9000, cores: 8, mac_address: "BC:24:11:00:00:01", onboot: false');
  const three = TWO.replace("two", "three").replace("pve1", "pve2");
  assert.is(checkConfig(bytes(configOf(grown, TWO, three)), remembering()).stderr, "");
});

test("--accept takes over what was moved or grown by hand, of that VM alone", () => {
  const moved = configOf(
    ONE.replace("pve1", "pve2"),
    TWO.replace("pve1", "pve2, disk_pool: tank, disk_gb: 80"),
  );
  assert.is(checkConfig(bytes(moved), remembering({ accept: ["one", "two"] })).stderr, "");
  const { problems } = checkConfig(bytes(moved), remembering({ accept: ["two"] }));
  assert.equal(
    problems.map(({ path }) => path.join(".")),
    ["vms.one.node"],
  );
});

test("--allow-destroy lets a VM go, and the notes say what a cluster wants to be told", () => {
  const less = bytes(configOf(ONE));
  assert.is(checkConfig(less, remembering({ allowDestroy: ["two"] })).stderr, "");
  const config = {
    kind: "talos-vm",
    proxmox: { endpoint: "x" },
    vms: { one: { node: "pve1", template: 9000 } },
  };
  const { notes, memory } = talosVm.generate(config as never, remembering({ allowDestroy: ["two"] }));
  assert.equal(memory, { vms: { one: MEMORY.vms["one"] } });
  assert.equal(notes, [
    [
      "two is destroyed by the next apply, with its disk. If it is part of a cluster, run before:",
      "  kubectl drain two --ignore-daemonsets --delete-emptydir-data",
      "  talosctl --nodes <its address> reset --graceful",
      "  kubectl delete node two",
    ].join("\n"),
  ]);
});

test("what is called like a part of every object is a VM like any other", () => {
  for (const name of ["constructor", "valueof", "tostring"]) {
    const text = configOf(ONE, TWO, `  ${name}: { node: pve1, template: 9000 }\n`);
    assert.is(checkConfig(bytes(text), remembering()).stderr, "");
  }
});

test.run();
