/** Names that no rule has seen do not change what the tree is made of. */
import { parse } from "@cdktf/hcl2json";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { generate } from "../../../src/kinds/talos-vm/generate.ts";
import { quiet } from "../../invalid/pipeline.ts";
import { hostileTexts } from "../../tofu/hostile.ts";

const VM = { node: "pve1", template: "talos-v1.12.4-base" };

function treeOf(name: string): Map<string, string> {
  const vms = Object.assign(Object.create(null), Object.fromEntries([[name, VM]])) as Record<
    string,
    typeof VM
  >;
  const config = { kind: "talos-vm", proxmox: { endpoint: "https://pve.example.com:8006" }, vms } as const;
  const { tree } = generate(config, { ...quiet, source: name });
  return new Map([...tree].map(([path, { text }]) => [path, text]));
}

test("`${`, `%{`, quotes, backslashes, newlines and marks in the name of a VM and of the config", async () => {
  const plain = treeOf("x");
  for (const text of hostileTexts(120)) {
    const tree = treeOf(text);
    assert.equal([...tree.keys()], [...plain.keys()]);
    for (const [path, file] of tree) {
      const what = `${path} for ${JSON.stringify(text)}`;
      assert.is(file.split("\n").length, plain.get(path)?.split("\n").length, what);
      if (path.endsWith(".tf")) assert.is(withoutHeader(file), withoutHeader(plain.get(path) ?? ""), what);
      if (!path.endsWith(".tfvars")) continue;
      const { vms } = (await parse(path, file)) as { vms: Record<string, unknown> };
      assert.is(Object.keys(vms).length, 1, what);
    }
  }
});

/** The header is a comment of two lines; the first names the config. */
function withoutHeader(text: string): string {
  return text.replace(/^# .*\n# .*\n/, "");
}

test.run();
