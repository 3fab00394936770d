/** What is said about a patch that OpenTofu refuses, or reads as something else than what is written. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { secondsOf } from "../../processor-time.ts";
import { readYaml } from "../../../src/config/yaml.ts";
import { findDifferences } from "../../../src/domain/yamldecode.ts";
import { readings, REFUSED } from "./readings.ts";

for (const [text, decoded, said] of readings) {
  test(JSON.stringify(text), () => {
    const yaml = readYaml(text);
    assert.ok("root" in yaml, "it is not even YAML");
    const differences = "root" in yaml ? findDifferences(text, yaml.root) : [];
    assert.is(differences[0]?.message, said);
    const severity = said === undefined ? undefined : decoded === REFUSED ? "error" : "warning";
    assert.is(differences[0]?.severity, severity);
  });
}

test("each difference is at its own place", () => {
  const text = 'a: { b: on }\nc:\n  - 1.10\n  - "x\\/y"\n';
  const yaml = readYaml(text);
  const starts = "root" in yaml ? findDifferences(text, yaml.root).map(({ start }) => start) : [];
  assert.equal(starts, [text.indexOf("on"), text.indexOf("1.10"), text.indexOf("\\/")]);
});

test("many tabs and many values take no longer than as many lines", () => {
  const text = `a:\n${'  - "x"\n\t\n'.repeat(20_000)}`;
  const yaml = readYaml(text);
  const seconds = secondsOf(() => {
    assert.is("root" in yaml && findDifferences(text, yaml.root).length, 20_000);
  });
  assert.ok(seconds < 2, `${seconds} s`);
});

test.run();
