/**
 * The talos and restapi providers of the tests are stand-ins for the pinned versions. Whatever the tree uses has to mean
 * the same on both: nothing that they lack or ignore.
 */
import { parse } from "@cdktf/hcl2json";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { caseOf, casesOf, readTree } from "../golden/cases.ts";
import { copyOf } from "./workspace.ts";

interface Attribute {
  readonly deprecated?: boolean;
  /** What an object of these may hold; the provider drops the rest without a word. */
  readonly nested_type?: { readonly attributes: Readonly<Record<string, Attribute>> };
}

interface Block {
  readonly attributes?: Readonly<Record<string, Attribute>>;
  readonly block_types?: Readonly<Record<string, { readonly block: Block }>>;
}

type Schemas = Readonly<Record<"resource_schemas" | "data_source_schemas", Record<string, { block: Block }>>>;

/** Arguments of the language, not of a provider. */
const META = new Set([
  "count",
  "for_each",
  "depends_on",
  "lifecycle",
  "provider",
  "provisioner",
  "connection",
]);

test("every argument is in the schema of its provider, and none is deprecated", async () => {
  const one = caseOf("every-option");
  const workspace = copyOf(one);
  await workspace.must("init", "-no-color", "-input=false", "-backend=false");
  const { provider_schemas } = JSON.parse(await workspace.must("providers", "schema", "-json")) as {
    provider_schemas: Record<string, Schemas>;
  };
  const schemas = Object.values(provider_schemas);
  const faults: string[] = [];
  let count = 0;
  for (const [path, text] of readTree(one.tree)) {
    if (!path.endsWith(".tf")) continue;
    const file = (await parse(path, text)) as Record<string, Record<string, Record<string, object[]>>>;
    for (const [key, list] of [
      ["resource", "resource_schemas"],
      ["data", "data_source_schemas"],
    ] as const) {
      for (const [type, blocks] of Object.entries(file[key] ?? {})) {
        const schema = schemas.map((one) => one[list]?.[type]).find((found) => found !== undefined)?.block;
        if (schema === undefined) throw new Error(`no provider has ${type}`);
        for (const body of Object.values(blocks).flat()) {
          count++;
          faults.push(...misused(body, schema, type));
        }
      }
    }
  }
  assert.equal(faults, []);
  assert.ok(count > 15, `only ${count} blocks were found`);
});

for (const one of casesOf("talos-cluster")) {
  test(`${one.name}: nothing that a stand-in lacks or ignores`, async () => {
    for (const [path, text] of readTree(one.tree)) {
      if (!/\.(tf|tftpl|hcl)$/.test(path)) continue;
      const words =
        /skip_kubernetes_checks|on_destroy\b(?<!_on_destroy)|staged_if_needing_reboot|\w+_wo\b|exact_filters|machine_configuration_hash|resolved_apply_mode|^\s*ephemeral "|ignore_changes_to|search_data|root_ca_/m;
      assert.is(words.exec(text)?.[0], undefined, path);
    }
  });

  test(`${one.name}: every restapi_object ignores changes of the server`, async () => {
    let count = 0;
    for (const [path, text] of readTree(one.tree)) {
      if (!path.endsWith(".tf")) continue;
      const { resource } = (await parse(path, text)) as {
        resource?: Record<string, Record<string, object[]>>;
      };
      for (const body of Object.values(resource?.["restapi_object"] ?? {}).flat()) {
        count++;
        assert.is((body as { ignore_all_server_changes?: unknown }).ignore_all_server_changes, true, path);
      }
    }
    assert.is(count, 2);
  });
}

/** Arguments that the schema lacks or calls deprecated. */
function misused(body: object, schema: Block, path: string): string[] {
  return Object.entries(body).flatMap(([name, value]): string[] => {
    if (META.has(name)) return [];
    if (name === "dynamic") {
      return Object.entries(value as Record<string, { content: object[] }[]>).flatMap(([block, dynamics]) =>
        misused({ [block]: dynamics.flatMap(({ content }) => content) }, schema, path),
      );
    }
    const attribute = schema.attributes?.[name];
    if (attribute?.deprecated) return [`${path}.${name} is deprecated`];
    if (attribute?.nested_type !== undefined && typeof value === "object")
      return misused(value as object, attribute.nested_type, `${path}.${name}`);
    if (attribute !== undefined) return [];
    const block = schema.block_types?.[name]?.block;
    if (block === undefined) return [`${path}.${name} does not exist`];
    return (value as object[]).flatMap((inner) => misused(inner, block, `${path}.${name}`));
  });
}

test.run();
