import { parse as parseHcl } from "@cdktf/hcl2json";
import { readFileSync, writeFileSync } from "node:fs";
import { posix } from "node:path";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { parse, stringify } from "yaml";
import { caseOf, cases, layFiles, readTree, type Case } from "./cases.ts";
import { generate } from "./generate.ts";
import { propertiesOf, readSchema } from "./schema-properties.ts";
import { temporaryFolder } from "./temporary-folder.ts";

for (const one of cases) {
  test(`${one.name}: the tree is the golden one, to the byte`, async () => {
    const { tree } = await freshTree(one, one.config);
    const golden = readTree(one.tree);
    assert.equal([...tree.keys()], [...golden.keys()]);
    for (const [path, text] of tree) {
      assert.fixture(text, golden.get(path) ?? "", path);
      assert.is(text, golden.get(path), path);
    }
  });

  test(`${one.name}: generating over its own output keeps every file`, async () => {
    const { out, tree } = await freshTree(one, one.config);
    const actions = (await generate(one.config, out)).files.map(({ action }) => action);
    assert.equal(new Set(actions), new Set(["keep"]));
    assert.equal(readOwn(one, out), tree);
  });

  test(`${one.name}: the order of the input's maps means nothing`, async () => {
    const shuffled = join(temporaryFolder(), "cluster.yaml");
    writeFileSync(shuffled, stringify(reversed(parse(readFileSync(one.config, "utf8")))));
    assert.equal((await freshTree(one, shuffled)).tree, readTree(one.tree));
  });

  test(`${one.name}: hcl2json reads every file, and no block is there twice`, async () => {
    const seen = new Map<string, string>();
    for (const [path, text] of readTree(one.tree)) {
      if (!/\.(tf|tfvars|hcl)$/.test(path)) continue;
      const json = (await parseHcl(path, text)) as Record<string, unknown>;
      if (!path.endsWith(".tf")) continue;
      for (const block of blocksOf(json)) {
        const address = `${posix.dirname(path)}: ${block}`;
        assert.is(seen.get(address), undefined, `${address} in ${seen.get(address)} and ${path}`);
        seen.set(address, path);
      }
    }
    assert.ok(seen.size > 20);
  });
}

for (const [kind, ...names] of [
  ["talos-cluster", "every-option"],
  ["talos-vm", "talos-vm-every-option"],
  // A VIP and another endpoint exclude each other.
  ["template-cluster", "template-cluster-every-option", "template-cluster-endpoint-override"],
] as const) {
  test(`every key of the schema of ${kind} is set in ${names.join(" or ")}`, () => {
    const configs = names.map((name) => parse(readFileSync(caseOf(name).config, "utf8")) as unknown);
    const missing = propertiesOf(readSchema(kind))
      .map(({ pattern }) => pattern)
      .filter((pattern) => configs.every((config) => valuesAt(config, pattern).length === 0));
    assert.equal(missing, []);
  });
}

/** Generates into an empty folder that has only the user's own files. */
async function freshTree(one: Case, config: string) {
  const out = temporaryFolder();
  layFiles(one, out);
  await generate(config, out);
  return { out, tree: readOwn(one, out) };
}

/** What the program wrote: all but the user's own files. */
function readOwn(one: Case, out: string): Map<string, string> {
  const files = readTree(one.files);
  return new Map([...readTree(out)].filter(([path]) => !files.has(path)));
}

/** The same data with every map in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, reversed(item)]);
  return new Map(entries.reverse() as [string, unknown][]);
}

/** Every block of a file as its type and labels; a block that is there twice is named twice. */
function blocksOf(json: Record<string, unknown>): string[] {
  const names = (value: unknown, address: string): string[] =>
    Array.isArray(value)
      ? value.map(() => address)
      : Object.entries(value as object).flatMap(([key, inner]) => names(inner, `${address}.${key}`));
  // Any number of these may stand in a module.
  const { locals: _, ...blocks } = json;
  return Object.entries(blocks).flatMap(([type, inner]) => names(inner, type));
}

/** The values at a pattern such as nodes.*.ip. */
function valuesAt(value: unknown, pattern: readonly string[]): unknown[] {
  const [step, ...rest] = pattern;
  if (step === undefined) return value === undefined ? [] : [value];
  if (typeof value !== "object" || value === null) return [];
  const inner = step === "*" ? Object.values(value) : [(value as Record<string, unknown>)[step]];
  return inner.flatMap((item) => valuesAt(item, rest));
}

test.run();
