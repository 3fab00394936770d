import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { usesColor } from "../../src/terminal/color.ts";
import { ask, folder } from "./ask.ts";

const colors: readonly [title: string, sources: Parameters<typeof usesColor>[0], want: boolean][] = [
  ["a terminal", { wish: undefined, env: {}, isTerminal: true }, true],
  ["no terminal", { wish: undefined, env: {}, isTerminal: false }, false],
  ["NO_COLOR", { wish: undefined, env: { NO_COLOR: "1" }, isTerminal: true }, false],
  ["an empty NO_COLOR", { wish: undefined, env: { NO_COLOR: "" }, isTerminal: true }, true],
  ["FORCE_COLOR", { wish: undefined, env: { FORCE_COLOR: "1" }, isTerminal: false }, true],
  ["FORCE_COLOR=0", { wish: undefined, env: { FORCE_COLOR: "0" }, isTerminal: true }, false],
  [
    "NO_COLOR before FORCE_COLOR",
    { wish: undefined, env: { NO_COLOR: "1", FORCE_COLOR: "1" }, isTerminal: true },
    false,
  ],
  ["TERM=dumb", { wish: undefined, env: { TERM: "dumb" }, isTerminal: true }, false],
  ["--no-color", { wish: false, env: { FORCE_COLOR: "1" }, isTerminal: true }, false],
  ["--color", { wish: true, env: { NO_COLOR: "1" }, isTerminal: false }, true],
];
for (const [title, sources, want] of colors) {
  test(`colours: ${title}`, () => assert.is(usesColor(sources), want));
}

test("colours are in what people read, never in files or JSON", async () => {
  const cwd = folder({ "cluster.yaml": "name: 3\n", "good.yaml": "name: a\n" });
  const failed = await ask(cwd, "--out infra", { isTerminal: true });
  assert.match(failed.stderr, "\u001b[");
  assert.not.match((await ask(cwd, "--out infra --no-color", { isTerminal: true })).stderr, "\u001b[");
  const written = await ask(cwd, "--out infra --config good.yaml --diff", { isTerminal: true });
  assert.match(written.stdout, "\u001b[32m+name");
  for (const { document } of [failed, written]) assert.not.match(JSON.stringify(document), "\\u001b");
  assert.not.match(readFileSync(join(cwd, "infra/main.tf"), "utf8"), "\u001b");
});

test("a terminal obeys nothing that stands in an edited file", async () => {
  const cwd = folder({ "cluster.yaml": "name: a\n" });
  await ask(cwd, "--out infra");
  writeFileSync(join(cwd, "infra/main.tf"), "\u001b]0;title\u0007\n");
  const { stderr } = await ask(cwd, "--out infra --no-color", { isTerminal: true });
  assert.match(stderr, "-<U+001B>]0;title<U+0007>\n");
  assert.not.match(stderr, "\u001b");
});

test("GitHub gets workflow commands for problems and for failures", async () => {
  const env = { GITHUB_ACTIONS: "true" };
  const cwd = folder({ "cluster.yaml": "name: 3\nsize: 11\n" });
  const { stderr } = await ask(cwd, "--out infra", { env });
  assert.match(stderr, /^::error file=cluster\.yaml,line=1,col=7,/m);
  assert.match(stderr, /^::warning file=cluster\.yaml,line=2,col=7,/m);
  assert.match((await ask(cwd, "--nonsense", { env })).stderr, /^::error::unknown option --nonsense$/m);
});

/** Every way in which a run can end. `ask` compares each document with its schema. */
const paths: readonly [title: string, line: string, exitCode: number][] = [
  ["help", "--help --json", 0],
  ["version", "--version --json", 0],
  ["a usage error", "--json --nonsense", 1],
  ["no --out", "--json", 1],
  ["done", "--json --out new --config good.yaml", 0],
  ["changes with a detailed exit code", "--json --out new2 --config good.yaml --detailed-exitcode", 2],
  ["a dry run", "--json --out infra --config good.yaml --dry-run --diff", 0],
  ["the example", "--json --out example", 0],
  ["warnings", "--json --out large --config large.yaml", 0],
  ["problems", "--json --out new --config bad.yaml", 1],
  ["a config that is no YAML", "--json --out new --config broken.yaml", 1],
  ["a config that is no text", "--json --out new --config binary.yaml", 1],
  ["an empty config", "--json --out new --config empty.yaml", 1],
  ["refused files", "--json --out foreign --config good.yaml", 1],
  ["a broken lock", "--json --out locked --config good.yaml", 1],
  ["a file for --out", "--json --out good.yaml --config good.yaml", 1],
  ["an unreachable --out", "--json --out good.yaml/x --config good.yaml", 1],
  ["a folder for --config", "--json --out new --config foreign", 1],
  ["no such config", "--json --out new --config none.yaml", 1],
  ["a bug", "--json --out new --config bug.yaml", 1],
  ["check: differences", "check --json --out nothing --config good.yaml --diff", 2],
  ["check: problems", "check --json --out nothing --config bad.yaml", 1],
  ["validate: valid", "validate --json --config good.yaml", 0],
  ["validate: problems", "validate --json --config bad.yaml", 1],
  ["schema", "schema --json", 0],
  ["schema: unknown kind", "schema --json --kind none", 1],
  ["init", "init --json", 0],
  ["init: refused", "init --json --config good.yaml", 1],
];
for (const [title, line, exitCode] of paths) {
  test(`--json: ${title}`, async () => {
    const cwd = folder({
      "good.yaml": "name: a\n",
      "large.yaml": "name: a\nsize: 11\n",
      "bad.yaml": "nmae: a\nsize: x\n",
      "broken.yaml": "a: [\nb: }\n",
      "empty.yaml": "",
      "bug.yaml": "name: bug\n",
      "foreign/main.tf": "# mine\n",
      "locked/gen-talos-module.lock.json": "{",
    });
    writeFileSync(join(cwd, "binary.yaml"), Buffer.from([0x6e, 0x0a, 0xff, 0xfe]));
    const result = await ask(cwd, line);
    assert.is(result.exitCode, exitCode, result.stderr);
    assert.is(result.document.exit_code, exitCode);
    assert.is(result.document.valid, exitCode !== 1);
  });
}

test("a bug of ours has a stack trace, a mistake of the user's has none", async () => {
  const cwd = folder({ "cluster.yaml": "name: bug\n" });
  const { exitCode, stderr, document } = await ask(cwd, "--out infra");
  assert.is(exitCode, 1);
  assert.match(stderr, "this is a mistake of gen-talos-module, please report it with the lines below\n");
  assert.match(stderr, /Error: a bug on purpose\n {4}at .*stub-kind/);
  assert.match(document.diagnostics[0]!.detail, "a bug on purpose");
  assert.not.match((await ask(cwd, "--out cluster.yaml")).stderr, "    at ");
});

test("secrets in the config, in messages, in generated files: never shown", async () => {
  const token = "root@pam!terraform=01234567-89ab-cdef-0123-456789abcdef";
  const cwd = folder({
    "cluster.yaml": `name: ${token}\nproxmox_api_token: ${token}\n`,
    "broken.yaml": `name: "${token}\n`,
    "good.yaml": "name: a\n",
  });
  const edited = folder({ "cluster.yaml": "name: a\n" });
  await ask(edited, "--out infra");
  writeFileSync(join(edited, "infra/main.tf"), `api_token = "${token}"\n`);
  const results = [
    await ask(cwd, "--out infra"),
    await ask(cwd, "validate"),
    await ask(cwd, "--out infra", { env: { GITHUB_ACTIONS: "true" } }),
    await ask(cwd, "--out infra --config broken.yaml"),
    await ask(edited, "--out infra"),
    await ask(edited, "--out infra --diff --dry-run --force main.tf"),
    await ask(edited, "check --out infra --diff"),
  ];
  for (const { stdout, stderr, document } of results) {
    assert.not.match(stdout + stderr + JSON.stringify(document), "456789abcdef");
  }
  assert.match(results[0]!.stderr, "TF_VAR_proxmox_api_token");
  assert.not(existsSync(join(cwd, "infra")));
});

test.run();
