import Ajv from "ajv";
import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { editorSchema } from "../src/config/editor-schema.ts";
import type { Kind } from "../src/kind.ts";
import { kinds } from "../src/kinds.ts";
import { cases } from "./golden/cases.ts";

const all = kinds as readonly [Kind, ...Kind[]];
const ajv = new Ajv.Ajv({ allErrors: true, strictTypes: false });
ajv.addKeyword("patternErrorMessage");
const validate = ajv.compile(editorSchema(all));

test("it accepts the config of every golden, and every example and starter", () => {
  const texts = cases.map(({ config }) => readFileSync(config, "utf8"));
  for (const text of [...texts, ...kinds.flatMap(({ example, starter }) => [example, starter])]) {
    assert.ok(validate(parse(text)), `${JSON.stringify(validate.errors)}\n${text}`);
  }
});

test("the kind decides which keys there are; without one the first is meant", () => {
  for (const { name, example } of kinds) {
    const config = parse(example) as object;
    for (const { name: other } of kinds) {
      assert.is(validate({ ...config, kind: other }), other === name, `${name} as ${other}`);
    }
    const { kind: _, ...unnamed } = config as { kind?: string };
    assert.is(validate(unnamed), name === kinds[0]?.name);
    assert.not.ok(validate({ ...config, kind: name, unknown: 1 }));
  }
});

test("an unknown kind is the one thing that is wrong", () => {
  assert.not.ok(validate({ kind: "other", unknown: 1 }));
  assert.equal(
    validate.errors?.map(({ instancePath, keyword }) => [instancePath, keyword]),
    [["/kind", "enum"]],
  );
});

test("it refers to nothing but its own definitions", () => {
  const text = JSON.stringify(editorSchema(all));
  const schema = JSON.parse(text) as { definitions: object };
  for (const [, name = ""] of text.matchAll(/"\$ref":"([^"]*)"/g)) {
    assert.ok(Object.hasOwn(schema.definitions, name.replace("#/definitions/", "")), name);
  }
  assert.not.match(text, '"$id"');
});

test.run();
