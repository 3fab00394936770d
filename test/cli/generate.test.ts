import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Result } from "../../src/commands/command.ts";
import { ask, assertSame, contents, folder } from "./ask.ts";

test("generates, then changes nothing, then what the config changed", async () => {
  const cwd = folder({ "cluster.yaml": "name: a\nsize: 2\n" });
  const first = await ask(cwd, "--out infra");
  assert.is(first.stderr, "");
  assert.is(
    first.stdout,
    [
      "create assets/own.yaml",
      "create main.tf",
      "create modules/size.tf",
      "3 created, 0 changed, 0 deleted, 0 unchanged",
      "",
      "This is the first run.",
      "",
      "Next: cd infra && tofu init && tofu apply",
      "",
    ].join("\n"),
  );
  assert.is(first.exitCode, 0);
  const tree = contents(join(cwd, "infra"));

  const second = await ask(cwd, "--out infra --detailed-exitcode");
  assert.is(second.exitCode, 0);
  assert.is(
    second.stdout,
    "0 created, 0 changed, 0 deleted, 3 unchanged\n\nNext: cd infra && tofu init && tofu apply\n",
  );
  assertSame(contents(join(cwd, "infra")), tree);

  writeFileSync(join(cwd, "cluster.yaml"), "name: a\nsize: 1\n");
  const third = await ask(cwd, "--out infra --detailed-exitcode");
  assert.is(third.exitCode, 2);
  assert.match(
    third.stdout,
    "change main.tf\ndelete modules/size.tf\n0 created, 1 changed, 1 deleted, 1 unchanged\n",
  );
  assert.not(existsSync(join(cwd, "infra/modules")));
});

test("the next command is in the user's spelling, quoted for the shell", async () => {
  const cwd = folder({ "cluster.yaml": "name: a\n" });
  assert.match(
    (await ask(cwd, ["--out", "./my infra"])).stdout,
    "Next: cd './my infra' && tofu init && tofu apply\n",
  );
  const here = folder({ "cluster.yaml": "name: a\n" });
  assert.match((await ask(here, "--out .")).stdout, "Next: tofu init && tofu apply\n");
});

test("the config may lie anywhere, and its folder does not show in the tree", async () => {
  const cwd = folder({ "a/prod.yaml": "name: a\n", "b/prod.yaml": "name: a\n", "c/prod.yaml": "name: a\n" });
  await ask(cwd, "--out one --config a/prod.yaml");
  await ask(join(cwd, "b"), "--out two --config prod.yaml");
  await ask(cwd, ["--out", "c", "--config", join(cwd, "c/prod.yaml")]);
  const { "prod.yaml": config, ...three } = contents(join(cwd, "c"));
  assert.is(config, "name: a\n");
  assertSame(contents(join(cwd, "b/two")), contents(join(cwd, "one")));
  assertSame(three, contents(join(cwd, "one")));
  assert.match(three["main.tf"]!, "from prod.yaml");
});

test("without a config: the built-in example", async () => {
  const cwd = folder();
  const first = await ask(cwd, "--out infra");
  assert.match(first.stdout, /^There is no cluster\.yaml here: this is the built-in example\.\n/);
  assert.is(first.document.exit_code, 0);
  assert.is((await ask(cwd, "--out infra")).exitCode, 0);
});

test("a config under another name is not passed over for the example", async () => {
  for (const name of ["cluster.yml", "cluster.json"]) {
    const cwd = folder({ [name]: '{ "name": "a" }\n' });
    for (const line of ["--out infra", "--out infra --dry-run", "check --out infra", "validate"]) {
      const { exitCode, stderr } = await ask(cwd, line);
      assert.is(exitCode, 1);
      assert.is(
        stderr,
        `gen-talos-module: there is no cluster.yaml here, but a ${name}: did you mean --config ${name}?\n`,
      );
    }
    assert.not(existsSync(join(cwd, "infra")));
    assert.is((await ask(cwd, `--out infra --config ${name}`)).exitCode, 0);
  }
  const both = folder({ "cluster.yaml": "name: a\n", "cluster.yml": "name: b\n" });
  assert.is((await ask(both, "--out infra")).exitCode, 0);
});

test("the example never replaces what a config made", async () => {
  const cwd = folder({ "prod.yaml": "name: example\n" });
  await ask(cwd, "--out infra --config prod.yaml");
  const tree = contents(join(cwd, "infra"));
  const refused = await ask(cwd, "--out infra");
  assert.is(refused.exitCode, 1);
  assert.is(
    refused.stderr,
    "gen-talos-module: there is no cluster.yaml here, and infra was generated from prod.yaml: name it with --config\n",
  );
  assertSame(contents(join(cwd, "infra")), tree);
});

test("a config never replaces the example, and one sentence says so", async () => {
  const cwd = folder();
  await ask(cwd, "--out infra");
  await ask(cwd, "init");
  const before = contents(cwd);
  const lines = ["--out infra", "--out infra --dry-run", "--out infra --json", "check --out infra"];
  for (const line of [...lines, "--out infra --config cluster.yaml --allow-destroy example"]) {
    const { exitCode, stdout, stderr, document } = await ask(cwd, line);
    const sentence =
      "infra holds the built-in example: remove it (if it was ever applied, after tofu destroy), or choose another --out";
    assert.equal([exitCode, stdout, stderr], [1, "", `gen-talos-module: ${sentence}\n`]);
    assert.equal(
      document.diagnostics.map(({ summary }) => summary),
      [sentence],
    );
  }
  assertSame(contents(cwd), before);
  assert.is((await ask(cwd, "--out other")).exitCode, 0);
});

test("--dry-run says what would be done and writes nothing; --diff shows it", async () => {
  const cwd = folder({ "cluster.yaml": "name: a\n" });
  const dry = await ask(cwd, "--out infra --dry-run --detailed-exitcode");
  assert.is(dry.exitCode, 2);
  assert.match(
    dry.stdout,
    "2 created, 0 changed, 0 deleted, 0 unchanged; this was a dry run, nothing was written\n",
  );
  assert.match(dry.stdout, "Next: gen-talos-module --out infra\n");
  assert.is(dry.document.written, false);
  assert.not(existsSync(join(cwd, "infra")));

  await ask(cwd, "--out infra");
  writeFileSync(join(cwd, "cluster.yaml"), "name: a\nsize: 0\n");
  const diff = await ask(cwd, "--out infra --dry-run --diff");
  assert.match(diff.stdout, "--- a/main.tf\n+++ b/main.tf\n");
  assert.match(diff.stdout, "-size = 1\n+size = 0\n");
  assert.match(diff.document.files.find(({ path }) => path === "main.tf")!.diff!, "+size = 0");
  assert.match((await ask(cwd, "--out infra --diff")).stdout, "+size = 0\n");
  assert.match(readFileSync(join(cwd, "infra/main.tf"), "utf8"), "size = 0");
});

test("an edited file is refused with its diff, and --force gives up just that one", async () => {
  const cwd = folder({ "cluster.yaml": "name: a\nsize: 2\n" });
  await ask(cwd, "--out infra");
  const edited = readFileSync(join(cwd, "infra/main.tf"), "utf8") + "# mine\n";
  writeFileSync(join(cwd, "infra/main.tf"), edited);
  writeFileSync(join(cwd, "infra/modules/size.tf"), "# mine too\n");
  const refused = await ask(cwd, "--out infra");
  assert.is(refused.exitCode, 1);
  assert.is(refused.stdout, "");
  assert.match(refused.stderr, "main.tf was edited since it was generated\n");
  assert.match(refused.stderr, "-# mine\n");
  assert.match(refused.stderr, "2 files refused; nothing was written\n");
  assert.match(
    refused.stderr,
    "To give up what is there: gen-talos-module --out infra --force main.tf --force modules/size.tf\n",
  );
  assert.is(refused.document.error_count, 2);
  assert.is(refused.document.written, false);

  const half = await ask(cwd, "--out infra --force main.tf");
  assert.is(half.exitCode, 1);
  assert.is(readFileSync(join(cwd, "infra/main.tf"), "utf8"), edited);

  const forced = await ask(cwd, "--out infra --force infra/main.tf --force modules/size.tf");
  assert.match(forced.stdout, "0 created, 2 changed, 0 deleted, 1 unchanged\n");
});

test("a file written once is the user's from then on", async () => {
  const cwd = folder({ "cluster.yaml": "name: a\n" });
  await ask(cwd, "--out infra");
  writeFileSync(join(cwd, "infra/assets/own.yaml"), "own: changed\n");
  assert.is((await ask(cwd, "--out infra --detailed-exitcode")).exitCode, 0);
  assert.is(readFileSync(join(cwd, "infra/assets/own.yaml"), "utf8"), "own: changed\n");
});

test("problems go to stderr, all at once, and nothing is written", async () => {
  const cwd = folder({ "cluster.yaml": "nmae: a\nsize: x\n" });
  const { exitCode, stdout, stderr, document } = await ask(cwd, "--out infra");
  assert.is(exitCode, 1);
  assert.is(stdout, "");
  assert.match(stderr, /^cluster\.yaml:1:1: error: /);
  assert.match(stderr, /cluster\.yaml:2:7: error: size: /);
  assert.match(stderr, /problems in cluster\.yaml; nothing was written\n$/);
  assert.ok(document.error_count >= 2);
  assert.not(existsSync(join(cwd, "infra")));
});

test("warnings are shown and do not stop", async () => {
  const cwd = folder({ "cluster.yaml": "name: a\nsize: 11\n" });
  const { exitCode, stdout, stderr, document } = await ask(cwd, "--out infra");
  assert.is(exitCode, 0);
  assert.match(stderr, "cluster.yaml:2:7: warning: size: 11 is large\n");
  assert.match(stdout, "3 created");
  assert.is(document.warning_count, 1);
});

test("what would be destroyed is named, and needs --allow-destroy", async () => {
  const cwd = folder({ "cluster.yaml": "name: a\n" });
  await ask(cwd, "--out infra");
  writeFileSync(join(cwd, "cluster.yaml"), "name: b\n");
  const refused = await ask(cwd, "--out infra");
  assert.is(refused.exitCode, 1);
  assert.match(refused.stderr, "a would be destroyed");
  assert.is((await ask(cwd, "--out infra --allow-destroy a")).exitCode, 0);
});

test("a name on the command line that nothing has is a warning, with or without other problems", async () => {
  const cwd = folder({ "cluster.yaml": "name: a\n" });
  const line =
    "--out infra --allow-destroy nmae --accept nosuch --accept size --force nosuch.tf --force main.tf";
  const warnings = [
    "--allow-destroy nmae: neither the config nor the lock has this name; did you mean name?",
    "--accept nosuch: neither the config nor the lock has this name",
    "--accept size: neither the config nor the lock has this name",
    "--force nosuch.tf: the tree has no such file to replace",
  ];
  const first = await ask(cwd, line);
  assert.is(first.exitCode, 0);
  assert.is(first.stderr, warnings.map((warning) => `gen-talos-module: warning: ${warning}\n`).join(""));
  const told = ({ document }: Result) =>
    document.diagnostics.map(({ severity, summary }) => [severity, summary]);
  assert.equal(
    told(first),
    warnings.map((warning) => ["warning", warning]),
  );
  assert.is(first.document.valid, true);

  writeFileSync(join(cwd, "cluster.yaml"), "name: a\nsize: 2\n");
  const known = await ask(cwd, "--out infra --accept size --allow-destroy name --force infra/main.tf");
  assert.is(known.stderr, "");
  const checked = await ask(cwd, "check --out infra --accept nosuch", { env: { GITHUB_ACTIONS: "true" } });
  assert.is(checked.exitCode, 0);
  assert.is(checked.stderr, `gen-talos-module: warning: ${warnings[1]}\n::warning::${warnings[1]}\n`);

  writeFileSync(join(cwd, "cluster.yaml"), "size: x\n");
  const wrong = await ask(cwd, "--out infra --accept nosuch --dry-run");
  assert.is(wrong.exitCode, 1);
  assert.equal(told(wrong).at(-1), ["warning", warnings[1]]);
});

test("a tree of another kind is refused", async () => {
  const cwd = folder({ "cluster.yaml": "name: a\n", "other.yaml": "kind: other\nname: a\n" });
  await ask(cwd, "--out infra");
  const refused = await ask(cwd, "--out infra --config other.yaml");
  assert.is(refused.exitCode, 1);
  assert.is(
    refused.stderr,
    "gen-talos-module: infra was generated from a stub config, and the kind of other.yaml is other: choose another --out\n",
  );
});

test("files of the user's are looked for from the tree", async () => {
  const cwd = folder({ "cluster.yaml": "name: a\nvalues_path: ../values.yaml\n" });
  assert.match((await ask(cwd, "--out infra")).stderr, "there is no file ../values.yaml");
  writeFileSync(join(cwd, "values.yaml"), "");
  assert.is((await ask(cwd, "--out infra")).exitCode, 0);
  writeFileSync(join(cwd, "values.yaml"), Buffer.alloc(1024 * 1024 + 1, "a"));
  assert.match((await ask(cwd, "--out infra")).stderr, "values.yaml is larger than 1 MiB\n");
  writeFileSync(join(cwd, "values.yaml"), Buffer.from([0xff]));
  assert.match((await ask(cwd, "--out infra")).stderr, "values.yaml is not UTF-8\n");
  writeFileSync(join(cwd, "cluster.yaml"), "name: a\nvalues_path: ..\n");
  assert.match((await ask(cwd, "--out infra")).stderr, "is a folder, not a file\n");
});

test.run();
