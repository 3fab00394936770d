import { execFileSync } from "node:child_process";
import { parse } from "yaml";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { code, comment, markdown, mermaid, shell, yaml } from "../src/rendering/prose.ts";

const HOSTILE = [
  "a b",
  "it's",
  "$(id)",
  "`id`",
  '"',
  "\\",
  "a\nb",
  "-x",
  "*",
  "\u202e",
  "|",
  "```\n# x",
  "~",
  "!",
  "true",
  "1.0",
  "",
];

test("a shell gives each word back as it was", () => {
  for (const value of HOSTILE) {
    const printed = execFileSync("bash", ["-c", `printf %s ${shell(value)}`], { encoding: "utf8" });
    assert.is(printed, value, JSON.stringify(value));
    assert.not.match(shell(value), /[\n\u202e]/);
  }
});

test("YAML gives each scalar back as it was", () => {
  for (const value of HOSTILE) {
    assert.is(parse(`key: ${yaml(value)}`).key, value, JSON.stringify(value));
    assert.not.match(yaml(value), /[\n\u202e]/);
  }
  assert.is(yaml("local-zfs"), "local-zfs");
});

test("nothing that a value holds ends a comment, a line or a fence", () => {
  for (const value of HOSTILE) {
    for (const text of [comment(value), markdown(value), code(value), mermaid(value)])
      assert.not.match(text, /[\n\u202e]/);
  }
  assert.is(markdown("<b>*x*</b> | [y](z)"), "&#60;b&#62;\\*x\\*&#60;/b&#62; \\| \\[y\\]\\(z\\)");
  assert.is(code("a`b"), "`` a`b ``");
  assert.is(mermaid('a"]'), "a#34;#93;");
});

test.run();
