/** Every invalid config says exactly what its `.stderr` has. `RECORD=1` rewrites those, and fails for it. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ruleIds as clusterRuleIds } from "../../src/kinds/talos-cluster/rules/index.ts";
import { ruleIds as vmRuleIds } from "../../src/kinds/talos-vm/rules/index.ts";
import { ruleIds as templateRuleIds } from "../../src/kinds/template-cluster/rules/index.ts";
import { kinds } from "../../src/kinds.ts";
import { schemaRuleIds } from "../../src/config/schema-messages.ts";
import { yamlRuleIds } from "../../src/config/yaml.ts";
import { readCases } from "./cases.ts";
import { checkConfig } from "./pipeline.ts";

/** Folders that show a whole config instead of one fault. */
const WHOLE = ["documented-example"];
/** Rules whose fixture would be too large to keep; the tests of loading make it. */
const MADE = ["too-many", "yaml-too-big"];

/** Warnings that a case of the rule cannot do without. */
const COMPANIONS: Readonly<Record<string, readonly string[]>> = { "unique-gpu": ["gpu-needs-root"] };

const RULES: Readonly<Record<string, readonly string[]>> = {
  "talos-cluster": clusterRuleIds,
  "talos-vm": vmRuleIds,
  "template-cluster": templateRuleIds,
};

const isRecording = process.env["RECORD"] === "1";
const cases = readCases();

for (const { rule, name, bytes, surroundings, stderr } of cases) {
  test(`${rule}: ${name}`, () => {
    const { problems, stderr: actual } = checkConfig(bytes, surroundings);
    const expected = existsSync(stderr) ? readFileSync(stderr, "utf8") : undefined;
    if (isRecording && actual !== expected) {
      writeFileSync(stderr, actual);
      assert.unreachable(`recorded ${stderr}: read it and run again without RECORD`);
    }
    assert.is(actual, expected ?? "");
    assert.ok(problems.length > 0, "it is valid");
    const rules = problems.map((problem) => problem.rule).filter((id) => !COMPANIONS[rule]?.includes(id));
    if (!WHOLE.includes(rule)) assert.equal([...new Set(rules)], [rule]);
  });
}

test("every rule has a case that shows it", () => {
  const shared = [...schemaRuleIds, ...yamlRuleIds, "secret"];
  const shown = new Set([...cases.map(({ rule }) => rule), ...MADE]);
  assert.equal(
    shared.filter((id) => !shown.has(id)),
    [],
  );
  for (const [kind, ruleIds] of Object.entries(RULES)) {
    const own = new Set(
      cases
        .filter(({ bytes, surroundings }) => checkConfig(bytes, surroundings).kind === kind)
        .map(({ rule }) => rule),
    );
    assert.equal(
      ruleIds.filter((id) => !own.has(id)),
      [],
      kind,
    );
  }
  const known = [...shared, ...Object.values(RULES).flat(), ...WHOLE];
  assert.equal(
    [...shown].filter((id) => !known.includes(id)),
    [],
  );
});

test("no rule has the id of another", () => {
  assert.equal(Object.keys(RULES), kinds.map(({ name }) => name));
  for (const ruleIds of Object.values(RULES)) {
    const rules = [...ruleIds, ...schemaRuleIds, ...yamlRuleIds];
    assert.is(new Set(rules).size, rules.length);
  }
});

test.run();
