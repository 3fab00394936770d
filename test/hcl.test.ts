import { test } from "uvu";
import * as assert from "uvu/assert";
import { hcl, heredoc } from "../src/rendering/hcl.ts";

test("values become literals", () => {
  const table: [Parameters<typeof hcl>[0], string][] = [
    ["plain", '"plain"'],
    ['say "hi"', '"say \\"hi\\""'],
    ["C:\\x", '"C:\\\\x"'],
    ["a\nb\tc\r", '"a\\nb\\tc\\r"'],
    ["${x} %{y} $${z} $x", '"$${x} %%{y} $$${z} $x"'],
    ["\u0000\u007f\u202e\u2028", '"\\u0000\\u007f\\u202e\\u2028"'],
    ["e\u0301", '"é"'],
    [3, "3"],
    [true, "true"],
    [null, "null"],
    [["a", 1, []], '["a", 1, []]'],
  ];
  for (const [value, expected] of table) assert.is(hcl(value), expected);
});

test("what is no literal is a mistake of ours", () => {
  assert.throws(() => hcl(undefined as never), /not an HCL literal/);
  assert.throws(() => hcl({} as never), /not an HCL literal/);
  assert.throws(() => hcl(Number.NaN), /not an HCL literal/);
});

test("a text of several lines becomes an indented heredoc", () => {
  assert.is(heredoc("a:\n  b: ${c}\n\nd: 1\n", 2), "<<-EOT\n    a:\n      b: $${c}\n\n    d: 1\n  EOT");
});

test("a text that a heredoc would not give back becomes a quoted literal", () => {
  for (const text of ["one line", "  a\n  b\n", "a\nEOT\n", "a\r\nb\n", "a\n \nb\n", "\n", ""]) {
    assert.is(heredoc(text, 2), hcl(text), JSON.stringify(text));
  }
});

test.run();
