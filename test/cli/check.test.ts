import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ask, assertSame, contents, folder } from "./ask.ts";

test("0 when the tree is what the config says, whatever else is in the folder", async () => {
  const cwd = folder({
    "cluster.yaml": "name: a\n",
    "infra/.terraform/x": "",
    "infra/terraform.tfstate": "{}",
  });
  await ask(cwd, "--out infra");
  writeFileSync(join(cwd, "infra/.terraform.lock.hcl"), "");
  const { exitCode, stdout, stderr } = await ask(cwd, "check --out infra");
  assert.is(exitCode, 0);
  assert.is(stdout, "infra is what the config says\n");
  assert.is(stderr, "");
});

test("2 and one line for each stale, edited, orphan or missing file, and the command that helps", async () => {
  const cwd = folder({ "cluster.yaml": "name: a\nsize: 2\n" });
  await ask(cwd, "--out infra");
  writeFileSync(join(cwd, "cluster.yaml"), "name: a\n");
  writeFileSync(join(cwd, "infra/main.tf"), "# mine\n");
  rmSync(join(cwd, "infra/assets/own.yaml"));
  const before = contents(cwd);
  const { exitCode, stdout, document } = await ask(cwd, "check --out infra");
  assert.is(exitCode, 2);
  assert.is(
    stdout,
    [
      "missing assets/own.yaml",
      "edited  main.tf: was edited since it was generated",
      "orphan  modules/size.tf",
      "stale   gen-talos-module.lock.json",
      "",
      "To make the tree what the config says: gen-talos-module --out infra --force main.tf",
      "",
    ].join("\n"),
  );
  assertSame(contents(cwd), before);
  assert.is(document.valid, true);
  assert.equal(
    document.files.map(({ action }) => action),
    ["create", "refuse", "delete", "change"],
  );
  assert.is((await ask(cwd, "--out infra --force main.tf")).exitCode, 0);
  assert.is((await ask(cwd, "check --out infra")).exitCode, 0);
});

test("a lock that is behind its config is stale, even where no file is", async () => {
  const cwd = folder({ "cluster.yaml": "name: a\n", "prod.yaml": "name: a\n" });
  await ask(cwd, "--out infra");
  const { exitCode, stdout } = await ask(cwd, "check --out infra --config prod.yaml --diff");
  assert.is(exitCode, 2);
  assert.match(stdout, "stale   main.tf\n");
  assert.match(stdout, '-  "source": "cluster.yaml"');
  assert.match(stdout, "gen-talos-module --out infra --config prod.yaml\n");
});

test("an interrupted or missing tree is missing, not an error", async () => {
  const cwd = folder({ "cluster.yaml": "name: a\n" });
  const { exitCode, stdout } = await ask(cwd, "check --out infra");
  assert.is(exitCode, 2);
  assert.match(stdout, "missing main.tf\n");
});

test("1 for errors: a bad config, a broken lock, a file in the place of the folder", async () => {
  const cwd = folder({ "cluster.yaml": "name: 3\n", "good.yaml": "name: a\n", file: "" });
  assert.is((await ask(cwd, "check --out infra")).exitCode, 1);
  const blocked = await ask(cwd, "check --out file --config good.yaml");
  assert.is(blocked.exitCode, 1);
  assert.match(blocked.stderr, /^gen-talos-module: .*file is not a folder\n$/);
  const broken = folder({
    "cluster.yaml": "name: a\n",
    "infra/gen-talos-module.lock.json": "<<<<<<< HEAD\n",
  });
  const refused = await ask(broken, "check --out infra");
  assert.is(refused.exitCode, 1);
  assert.is(refused.stderr.trim().split("\n").length, 1);
});

test.run();
