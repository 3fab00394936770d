import { test } from "uvu";
import * as assert from "uvu/assert";
import { parseArguments, wantsJson } from "../../src/terminal/arguments.ts";
import { commands } from "../../src/terminal/options.ts";

const place = { cwd: "/work", home: "/home/me", version: "1.2.3", columns: 200 };
const parse = (...argv: string[]) => parseArguments(argv, place);

const nothing = {
  command: "generate",
  out: undefined,
  config: undefined,
  kind: undefined,
  isDryRun: false,
  showsDiff: false,
  force: [],
  allowDestroy: new Set(),
  accept: new Set(),
  hasDetailedExitCode: false,
  color: undefined,
};

const accepted: readonly [line: string, want: object][] = [
  ["--out infra", { out: "infra" }],
  ["--out=infra", { out: "infra" }],
  ["generate --out infra", { out: "infra" }],
  ["--out infra --config a.yaml", { out: "infra", config: "a.yaml" }],
  ["--out 007", { out: "007" }],
  ["--out infra --config -", { out: "infra", config: "-" }],
  ["--out infra --dry-run --diff", { out: "infra", isDryRun: true, showsDiff: true }],
  ["--out infra --force a --force b", { out: "infra", force: ["a", "b"] }],
  [
    "--out infra --allow-destroy a --accept b",
    { out: "infra", allowDestroy: new Set(["a"]), accept: new Set(["b"]) },
  ],
  ["--out infra --detailed-exitcode", { out: "infra", hasDetailedExitCode: true }],
  ["--out infra --color", { out: "infra", color: true }],
  ["--out infra --color --no-color", { out: "infra", color: false }],
  ["--out infra --json --json", { out: "infra" }],
  ["check --out infra", { command: "check", out: "infra" }],
  ["--diff check --out infra", { command: "check", out: "infra", showsDiff: true }],
  ["validate", { command: "validate" }],
  ["validate --out infra", { command: "validate", out: "infra" }],
  ["schema --kind stub", { command: "schema", kind: "stub" }],
  ["init --config my.yaml", { command: "init", config: "my.yaml" }],
];

for (const [line, want] of accepted) {
  test(`accepts ${line}`, async () => {
    assert.equal(await parse(...line.split(" ")), { arguments: { ...nothing, ...want } });
  });
}

function refuses(title: string, table: readonly (readonly [line: string, fault: string])[]) {
  for (const [line, fault] of table) {
    test(`${title}: ${line}`, async () => {
      assert.equal(await parse(...line.split(" ").filter((word) => word !== "")), { fault });
    });
  }
}

refuses("argv: `--out` twice, `--out=`, `--no-out`, `--out /`", [
  ["--out a --out b", "--out may be given only once"],
  ["--out a --out=a", "--out may be given only once"],
  ["--out=", "--out needs a DIR"],
  ["--out", "--out needs a DIR"],
  ["--out --json", "--out needs a DIR"],
  ["--no-out", "--out cannot be negated"],
  ["--out /", "--out / is the root of the file system; name a folder of its own"],
  ["--out ..", "--out .. is the root of the file system; name a folder of its own"],
  ["--out /home/me/", "--out /home/me/ is the home folder; name a folder of its own"],
  ["check --out /", "--out / is the root of the file system; name a folder of its own"],
  ["", "--out DIR is missing, such as --out ./infra"],
  ["check", "--out DIR is missing, such as --out ./infra"],
]);

refuses("`__proto__`, `constructor` as names or flags", [
  ["--out a --__proto__ b", "unknown option --__proto__"],
  ["--out a --__proto__.polluted=1", "unknown option --__proto__.polluted"],
  ["--out a --constructor", "unknown option --constructor"],
  ["--out a --constructor.prototype.polluted=1", "unknown option --constructor.prototype.polluted"],
  ["--out a --toString=1", "unknown option --toString"],
  ["--out a --hasOwnProperty", "unknown option --hasOwnProperty"],
  ["__proto__ --out a", "unknown command __proto__"],
  ["constructor --out a", "unknown command constructor"],
]);

test("`__proto__`, `constructor` as names or flags: are ordinary values, and nothing is polluted", async () => {
  const parsed = await parse(
    "--out",
    "constructor",
    "--force",
    "__proto__",
    "--allow-destroy",
    "constructor",
  );
  assert.equal(parsed, {
    arguments: {
      ...nothing,
      out: "constructor",
      force: ["__proto__"],
      allowDestroy: new Set(["constructor"]),
    },
  });
  assert.is(({} as Record<string, unknown>)["polluted"], undefined);
  assert.equal(Object.keys(Object.prototype), []);
});

refuses("a typo", [
  ["--ouy infra", "unknown option --ouy; did you mean --out?"],
  ["--out a --dryrun", "unknown option --dryrun; did you mean --dry-run?"],
  ["--out a --dry", "unknown option --dry; did you mean --dry-run?"],
  ["--out a -x", "unknown option -x"],
  ["chekc --out a", "unknown command chekc; did you mean check?"],
  ["--out a infra", "unknown command infra"],
  ["check check --out a", "check takes options only, not check"],
  ["--out a --dry-run=false", "--dry-run takes no value"],
  ["--out a --dry-run false", "unknown command false"],
  ["--out a --config a --config b", "--config may be given only once"],
  ["--out a --config=", "--config needs a FILE"],
  ["--out a --force=", "--force needs a PATH"],
  ["check --out a --force b", "check has no option --force"],
  ["validate --dry-run", "validate has no option --dry-run"],
]);

test("--json is known whatever else is wrong", () => {
  assert.ok(wantsJson(["--nonsense", "--json"]));
  assert.not(wantsJson(["--nonsense", "--", "--json"]));
  assert.not(wantsJson([]));
});

test("--version and --help answer in English, with examples for each command", async () => {
  const before = process.env["LC_ALL"];
  process.env["LC_ALL"] = "de_DE.UTF-8";
  assert.equal(await parse("--version"), { text: "1.2.3" });
  const help = (await parse("--help")) as { text: string };
  for (const name of Object.keys(commands)) assert.match(help.text, name);
  assert.match(help.text, "Examples:");
  assert.match(help.text, "gen-talos-module --out ./infra");
  for (const [name, { examples }] of Object.entries(commands)) {
    const { text } = (await parse(name, "-h")) as { text: string };
    for (const [line] of examples) assert.match(text, `gen-talos-module ${line}`);
    assert.equal(await parse("help", name), { text });
    assert.equal(await parse(name, "help"), { text });
  }
  assert.equal(await parse("help"), help);
  if (before === undefined) delete process.env["LC_ALL"];
  else process.env["LC_ALL"] = before;
});

test.run();
