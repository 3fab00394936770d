import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { derived } from "../src/build/derived.ts";
import { schemaFiles } from "../src/build/schemas.ts";
import { renderTemplates } from "../src/build/templates.ts";
import { renderValidator } from "../src/build/validators.ts";

test("types and README tables are what the schemas say", async () => {
  for (const { path, text } of await derived()) {
    assert.is(readFileSync(path, "utf8"), text, `${path} is stale: npm run generate`);
  }
});

test("the validators and templates of the build are those of the sources", () => {
  for (const { kind, path } of schemaFiles()) {
    const built = readFileSync(`src/generated/${kind}.validator.ts`, "utf8");
    assert.ok(
      built === renderValidator(JSON.parse(readFileSync(path, "utf8"))),
      `${kind} is stale: npm run build`,
    );
  }
  const built = readFileSync("src/generated/templates.ts", "utf8");
  assert.ok(built === renderTemplates("templates"), "templates are stale: npm run build");
});

interface Schema {
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

test("every key is described, in other words than its own, and has a default or an example", () => {
  for (const { path } of schemaFiles()) {
    const root = JSON.parse(readFileSync(path, "utf8")) as Schema;
    const objects: [string, Schema][] = [["", root], ...Object.entries(root.definitions ?? {})];
    for (const [name, object] of objects) {
      for (const [key, property] of Object.entries(object.properties ?? {})) {
        const place = `${path} ${name}.${key}`;
        const target =
          property.$ref === undefined ? property : root.definitions?.[property.$ref.split("/")[2] ?? ""];
        assert.ok((target?.description ?? "").length > 12, `${place} has no description`);
        const isEcho = target?.description?.toLowerCase() === key.replaceAll("_", " ");
        assert.not.ok(isEcho, `${place} only repeats its key`);
        const hasValue = target !== undefined && ("default" in target || (target.examples ?? []).length > 0);
        assert.ok(hasValue || target?.properties !== undefined, `${place} has neither default nor example`);
      }
    }
  }
});

test.run();
