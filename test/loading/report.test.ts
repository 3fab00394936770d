import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Problem } from "../../src/problem.ts";
import { formatProblems } from "../../src/terminal/report.ts";
import { visible, width } from "../../src/terminal/visible.ts";

const PLAIN = { color: false, github: false };

function problem(place: Partial<Problem>): Problem {
  const { line = 1, column = 1 } = place;
  return {
    severity: "error",
    rule: "rule",
    path: ["a"],
    at: "value",
    message: "is wrong",
    file: "cluster.yaml",
    line,
    column,
    endLine: line,
    endColumn: column + 1,
    ...place,
  };
}

function report(text: string, ...problems: Problem[]): string[] {
  return formatProblems(problems, text, PLAIN).split("\n");
}

test("nothing is said of nothing", () => assert.is(formatProblems([], "", PLAIN), ""));

test("problems come in file order, with the sum at the end", () => {
  const text = formatProblems([problem({ line: 2 }), problem({ hint: "do that" })], "a: 1\nb: 2\n", PLAIN);
  const block = (line: number, source: string, hint = "") =>
    `cluster.yaml:${line}:1: error: a: is wrong\n  ${line} | ${source}\n    | ^${hint}\n\n`;
  const sum = "2 problems in cluster.yaml; nothing was written\n";
  assert.is(text, block(1, "a: 1", " do that") + block(2, "b: 2") + sum);
});

test("errors and warnings are counted apart", () => {
  const warning = problem({ severity: "warning" });
  const sums = [[warning], [warning, warning], [problem({}), warning]].map((all) =>
    report("a", ...all).at(-2),
  );
  assert.equal(sums, [
    "1 warning in cluster.yaml",
    "2 warnings in cluster.yaml",
    "1 problem and 1 warning in cluster.yaml; nothing was written",
  ]);
});

test("carets stand under tabs, wide, combining and invisible characters", () => {
  const source = "\ta: 漢e\u0301\u202e x";
  const [, shown = "", carets = ""] = report(
    source,
    problem({ column: source.indexOf("x") + 1, endColumn: source.length + 1 }),
  );
  assert.is(shown, "  1 |   a: 漢e\u0301<U+202E> x");
  assert.is(width(shown.slice(0, shown.indexOf("x"))), carets.indexOf("^"));
});

test("a wide line is clipped around the mark", () => {
  const source = `${"a".repeat(500)}HERE${"b".repeat(500)}`;
  const [, shown = "", carets = ""] = report(source, problem({ column: 501, endColumn: 505 }));
  assert.ok(shown.length < 120);
  assert.is(shown.slice(carets.indexOf("^"), carets.lastIndexOf("^") + 1), "HERE");
  assert.match(shown, /… *$|…$/);
});

test("control characters, in messages as well, are made visible", () => {
  assert.is(visible("a\u001b[31m\r\n\u2028\u00ad"), "a<U+001B>[31m<U+000D><U+000A><U+2028><U+00AD>");
  const [head = ""] = report("a", problem({ path: ["a\u001b]0;x\u0007"], message: "found \u202e" }));
  assert.is(head, 'cluster.yaml:1:1: error: "a\\u001b]0;x\\u0007": found <U+202E>');
});

test("GitHub gets a workflow command for each problem", () => {
  const text = formatProblems([problem({ message: "50% off\nnow", hint: "a\nb", file: "a,b:c.yaml" })], "a", {
    color: false,
    github: true,
  });
  const command =
    "::error file=a%2Cb%3Ac.yaml,line=1,col=1,endLine=1,endColumn=2,title=rule::a: 50%25 off%0Anow%0Aa%0Ab";
  assert.ok(text.split("\n").includes(command));
});

test("colour is only colour", () => {
  const all = [problem({ hint: "a\nb" }), problem({ severity: "warning", line: 2 })];
  const colored = formatProblems(all, "a\nb", { color: true, github: false });
  assert.match(colored, "\u001b[31m");
  assert.is(colored.replace(/\u001b\[\d+m/g, ""), formatProblems(all, "a\nb", PLAIN));
});

test("no more than a thousand are shown, and that is said", () => {
  const text = formatProblems(
    Array.from({ length: 1200 }, () => problem({})),
    "a",
    PLAIN,
  );
  assert.is(text.split("is wrong").length - 1, 1000);
  assert.match(text, "1200 problems in cluster.yaml, the first 1000 shown; nothing was written");
});

test.run();
