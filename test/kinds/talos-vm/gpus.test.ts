/** GPUs that VMs may have beside each other. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { checkConfig } from "../../invalid/pipeline.ts";
import { bytes } from "../../loading/example.ts";

type Gpu = readonly [node: string, address: string];

function rulesOf(gpus: readonly Gpu[]): string[] {
  const vms = gpus.map(
    ([node, address], index) =>
      `  gpu-${index}: { node: ${node}, template: 9000, gpu_pci_bdf: "${address}" }\n`,
  );
  const text = `kind: talos-vm\nproxmox: { endpoint: "https://pve.example.com:8006" }\nvms:\n${vms.join("")}`;
  return checkConfig(bytes(text)).problems.map(({ rule }) => rule);
}

const APART: readonly (readonly Gpu[])[] = [
  [
    ["pve1", "0000:01:00.0"],
    ["pve2", "0000:01:00.0"],
  ],
  [
    ["pve1", "0000:01:00.0"],
    ["pve1", "0000:01:00.1"],
  ],
  [
    ["pve1", "0000:01:00"],
    ["pve1", "0000:01:01"],
  ],
  [
    ["pve1", "01:00.0"],
    ["pve1", "0001:01:00.0"],
  ],
];

const SAME: readonly (readonly Gpu[])[] = [
  [
    ["pve1", "01:00.0"],
    ["pve1", "0000:01:00.0"],
  ],
  [
    ["pve1", "0000:0A:00"],
    ["pve1", "0a:00.3"],
  ],
];

test("different devices of a node, or devices of different nodes", () => {
  for (const gpus of APART) assert.equal(rulesOf(gpus), ["gpu-needs-root"], JSON.stringify(gpus));
});

test("one device under two spellings", () => {
  for (const gpus of SAME)
    assert.equal(rulesOf(gpus), ["gpu-needs-root", "unique-gpu"], JSON.stringify(gpus));
});

test.run();
