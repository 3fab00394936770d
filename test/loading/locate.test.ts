import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadDocument } from "../../src/config/document.ts";
import { error } from "../../src/problem.ts";
import type { Finding, Path } from "../../src/problem.ts";
import { bytes } from "./example.ts";

const TEXT = `# comment
plain: value
"quoted key": 'it''s'
map: { a: 1, b: [x, yy] }
empty:
anchor: &anchor { c: 1 }
alias: *anchor
block: |
  first

    third
folded: >
  one
  two
cafe\u0301: nfc
`;

function place(path: Path, more: Partial<Finding> = {}): string {
  const loaded = loadDocument("cluster.yaml", bytes(TEXT));
  if (!("document" in loaded)) throw new Error("not read");
  const { line, column, endLine, endColumn } = loaded.document.locate({
    ...error("rule", path, "wrong"),
    ...more,
  });
  return `${line}:${column}-${endLine}:${endColumn}`;
}

const PLACES: readonly [string, Path, Partial<Finding>, string][] = [
  ["a value", ["plain"], {}, "2:8-2:13"],
  ["a key", ["plain"], { at: "key" }, "2:1-2:6"],
  ["quotes", ["quoted key"], {}, "3:15-3:22"],
  ["a quoted key", ["quoted key"], { at: "key" }, "3:1-3:13"],
  ["a flow map", ["map", "a"], {}, "4:11-4:12"],
  ["an entry of a list", ["map", "b", 1], {}, "4:21-4:23"],
  ["nothing, at its key", ["empty"], {}, "5:1-5:6"],
  ["inside of an alias, the alias", ["alias", "c"], {}, "7:8-7:15"],
  ["a block", ["block"], {}, "8:8-11:10"],
  ["the first line of a block", ["block"], { offset: { line: 1, column: 3 } }, "9:5-9:8"],
  ["the third line of a block", ["block"], { offset: { line: 3, column: 3 } }, "11:5-11:10"],
  ["a line of a folded block, the block", ["folded"], { offset: { line: 1, column: 5 } }, "12:9-14:6"],
  ["inside of plain text", ["plain"], { offset: { line: 1, column: 3 } }, "2:10-2:13"],
  ["a key in another normal form", ["caf\u00e9"], {}, "15:8-15:11"],
  ["what is not there, its parent", ["map", "z"], {}, "4:6-4:26"],
  ["the config as a whole", [], {}, "1:1-1:1"],
];

for (const [name, path, more, want] of PLACES) {
  test(name, () => assert.is(place(path, more), want));
}

test("the line of another place is put behind the message", () => {
  const loaded = loadDocument("cluster.yaml", bytes(TEXT));
  assert.ok("document" in loaded);
  if (!("document" in loaded)) return;
  const finding = { ...error("rule", ["plain"], "like map.a"), other: ["map", "a"] };
  assert.is(loaded.document.locate(finding).message, "like map.a (line 4)");
});

test("a hint may quote the source", () => {
  const loaded = loadDocument("cluster.yaml", bytes("version: 1.10\n"));
  assert.ok("document" in loaded);
  if (!("document" in loaded)) return;
  assert.equal(loaded.document.data, Object.assign(Object.create(null), { version: 1.1 }));
  const hint = (source: string): string => `write "${source}"`;
  assert.is(loaded.document.locate(error("rule", ["version"], "wrong", hint)).hint, 'write "1.10"');
});

test.run();
