import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ask, contents, folder } from "./ask.ts";
import { stubKind } from "./stub-kind.ts";

test("validate: a config without problems", async () => {
  const cwd = folder({ "cluster.yaml": "name: a\n" });
  const { exitCode, stdout, stderr } = await ask(cwd, "validate");
  assert.equal([exitCode, stdout, stderr], [0, "cluster.yaml is valid\n", ""]);
});

test("validate: every problem, with its place in lines and in bytes", async () => {
  const cwd = folder({ "x.yaml": "\ufeff# ä\r\nname: 3\r\n" });
  const { exitCode, document } = await ask(cwd, "validate --config x.yaml --json");
  assert.is(exitCode, 1);
  const [diagnostic] = document.diagnostics;
  assert.is(diagnostic!.path, "name");
  assert.equal(diagnostic!.range, {
    filename: "x.yaml",
    start: { line: 2, column: 7, byte: 15 },
    end: { line: 2, column: 8, byte: 16 },
  });
});

test("validate: the user's files matter only where --out says from where they are looked for", async () => {
  const cwd = folder({ "cluster.yaml": "name: a\nvalues_path: values.yaml\n" });
  assert.is((await ask(cwd, "validate")).exitCode, 0);
  assert.match((await ask(cwd, "validate --out infra")).stderr, "there is no file values.yaml");
  mkdirSync(join(cwd, "infra"));
  writeFileSync(join(cwd, "infra/values.yaml"), "");
  assert.is((await ask(cwd, "validate --out infra")).exitCode, 0);
});

test("validate: a config that takes long is read once", async () => {
  let count = 0;
  const validate = (data: unknown): boolean => count++ >= 0 && stubKind.validate(data);
  const cwd = folder({ "cluster.yaml": "name: a\nvalues_path: values.yaml\n" });
  assert.is((await ask(cwd, "validate", { kinds: [{ ...stubKind, validate }] })).exitCode, 0);
  assert.is(count, 1);
});

test("validate: no config at all", async () => {
  const { exitCode, stderr } = await ask(folder(), "validate");
  assert.is(exitCode, 1);
  assert.match(
    stderr,
    "there is no cluster.yaml here: name a config with --config, or write one with init\n",
  );
  assert.match((await ask(folder(), "validate --config x.yaml")).stderr, "there is no file x.yaml\n");
});

test("schema: of all kinds, or of the one that is named", async () => {
  const { stdout, document } = await ask(folder(), "schema");
  assert.equal(JSON.parse(stdout), document.schema);
  assert.match(stdout, '"$ref": "#/definitions/stub"');
  assert.match(stdout, '"$ref": "#/definitions/other"');
  assert.equal(JSON.parse((await ask(folder(), "schema --kind stub")).stdout), stubKind.schema);
  assert.match((await ask(folder(), "schema --kind other")).stdout, '"const": "other"');
  const wrong = await ask(folder(), "schema --kind othr");
  assert.is(wrong.exitCode, 1);
  assert.match(wrong.stderr, "--kind must be stub or other, not othr; did you mean other?\n");
});

test("init: what it writes generates as it is", async () => {
  const cwd = folder();
  const { stdout, document } = await ask(cwd, "init");
  assert.is(
    stdout,
    "create cluster.yaml\ncreate cluster.schema.json\n\nNext: edit cluster.yaml, then gen-talos-module --out ./infra\n",
  );
  assert.is(document.written, true);
  const [first, ...rest] = readFileSync(join(cwd, "cluster.yaml"), "utf8").split("\n");
  assert.is(first, "# yaml-language-server: $schema=./cluster.schema.json");
  assert.is(rest.join("\n"), stubKind.starter);
  assert.equal(JSON.parse(readFileSync(join(cwd, "cluster.schema.json"), "utf8")), stubKind.schema);
  assert.is((await ask(cwd, "--out infra")).exitCode, 0);
});

test("init: refuses what exists, and leaves nothing half done", async () => {
  for (const name of ["cluster.yaml", "cluster.schema.json"]) {
    const cwd = folder({ [name]: "mine\n" });
    const { exitCode, stderr } = await ask(cwd, "init");
    assert.is(exitCode, 1);
    assert.match(stderr, `${name} exists; name another config with --config, or remove it first\n`);
    assert.equal(contents(cwd), { [name]: "mine\n" });
  }
});

test("init: --config chooses the name, in any folder that exists", async () => {
  const cwd = folder({ "conf/x": "" });
  const { stdout } = await ask(cwd, "init --config conf/prod.yml");
  assert.match(
    stdout,
    "Next: edit conf/prod.yml, then gen-talos-module --out ./infra --config conf/prod.yml\n",
  );
  assert.ok(existsSync(join(cwd, "conf/prod.schema.json")));
  assert.match(readFileSync(join(cwd, "conf/prod.yml"), "utf8"), "$schema=./prod.schema.json\n");
  const nowhere = await ask(cwd, "init --config nowhere/prod.yml");
  assert.is(nowhere.exitCode, 1);
  assert.match(
    nowhere.stderr,
    /^gen-talos-module: cannot open .*prod\.yml: no such file or directory \(ENOENT\)\n$/,
  );
});

test.run();
