import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { unifiedDiff } from "../../src/writing/diff.ts";
import { contentsOf, emptyFolder, put } from "./fixture.ts";

const lines = (count: number, word = "line") =>
  Array.from({ length: count }, (_, at) => `${word} ${at}\n`).join("");

const cases: readonly (readonly [
  title: string,
  path: string,
  before: string | undefined,
  after: string | undefined,
])[] = [
  ["a new file", "a.tf", undefined, lines(3)],
  ["a new file in a new folder", "a/b/c.tf", undefined, lines(3)],
  ["a new empty file", "a.tf", undefined, ""],
  ["a new file without a newline at its end", "a.tf", undefined, "one\ntwo"],
  ["a deleted file", "a.tf", lines(3), undefined],
  ["a deleted empty file", "a.tf", "", undefined],
  ["a deleted file without a newline at its end", "a.tf", "one\ntwo", undefined],
  ["a changed line", "a.tf", lines(9), lines(9).replace("line 4", "other")],
  ["changes far apart", "a.tf", lines(99), lines(99).replace("line 4\n", "").replace("line 90\n", "x\ny\n")],
  ["a file that becomes empty", "a.tf", lines(3), ""],
  ["a file that was empty", "a.tf", "", lines(3)],
  ["a newline added at the end", "a.tf", "one\ntwo", "one\ntwo\n"],
  ["a newline taken from the end", "a.tf", "one\ntwo\n", "one\ntwo"],
  ["no newline at the end before and after", "a.tf", "one\ntwo", "one\nthree"],
  ["line ends changed", "a.tf", "one\ntwo\n", "one\r\ntwo\r\n"],
  [
    "lines that look like a diff",
    "a.tf",
    "--- a\n+++ b\n@@ -1 +1 @@\n",
    "--- b\n-- \n\\ No newline at end of file\n",
  ],
  ["a path with a space", "a b.tf", "one\n", "two\n"],
  ["a path with odd characters", 'a"ä\\b\t.tf', "one\n", "two\n"],
  ["a new path with odd characters", "ä\n.tf", undefined, "two\n"],
  ["texts with nothing in common", "a.tf", lines(20_000, "before"), lines(20_000, "after")],
  ["the same, neither with a newline at its end", "a.tf", `${lines(5000, "b")}b`, `${lines(5000, "a")}a`],
];

for (const [title, path, before, after] of cases) {
  test(`git applies the diff of ${title}`, () => {
    const folder = emptyFolder();
    if (before !== undefined) put(join(folder, path), before);
    const input = unifiedDiff(path, before, after);
    // Outside of any repository, so that no setting of one plays a part.
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: join(folder, "..") };
    execFileSync("git", ["apply", "--whitespace=nowarn", "-"], {
      cwd: folder,
      env,
      input,
      stdio: ["pipe", "pipe", "pipe"],
    });
    assert.is(contentsOf(folder)[path], after);
  });
}

test("a diff as it is shown", () => {
  assert.is(
    unifiedDiff("talos/main.tf", "a\nb\nc\n", "a\nB\nc\n"),
    [
      "diff --git a/talos/main.tf b/talos/main.tf",
      "--- a/talos/main.tf",
      "+++ b/talos/main.tf",
      "@@ -1,3 +1,3 @@",
      " a",
      "-b",
      "+B",
      " c",
      "",
    ].join("\n"),
  );
  assert.is(unifiedDiff("a.tf", "same\n", "same\n"), "");
  assert.is(unifiedDiff("a.tf", undefined, undefined), "");
});

test("diffs of several files apply as one", () => {
  const folder = emptyFolder();
  put(join(folder, "a.tf"), "a\n");
  put(join(folder, "b.tf"), "b");
  const input =
    unifiedDiff("a.tf", "a\n", "A") +
    unifiedDiff("b.tf", "b", undefined) +
    unifiedDiff("c.tf", undefined, "c\n");
  execFileSync("git", ["apply", "-"], { cwd: folder, input });
  assert.equal(contentsOf(folder), { "a.tf": "A", "c.tf": "c\n" });
});

test.run();
