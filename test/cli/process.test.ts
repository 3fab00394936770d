import { execFileSync, spawn, spawnSync } from "node:child_process";
import { closeSync, constants, openSync, readFileSync, readSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { assertSame, contents, folder } from "./ask.ts";
import { execute, program } from "./execute.ts";
import { assertOutput } from "./output-schema.ts";

test("init, validate, generate, check: as a user types them", async () => {
  const cwd = folder();
  assert.is((await execute(cwd, ["init"])).exitCode, 0);
  assert.is((await execute(cwd, ["validate"])).exitCode, 0);
  const generated = await execute(cwd, ["--out", "./infra", "--detailed-exitcode"]);
  assert.is(generated.exitCode, 2, generated.stderr);
  assert.match(generated.stdout, /^\d+ created, 0 changed, 0 deleted, 0 unchanged$/m);
  assert.match(generated.stdout, /^Next: cd \.\/infra && tofu init && tofu apply$/m);
  const tree = contents(join(cwd, "infra"));
  assert.is((await execute(cwd, ["check", "--out", "infra"])).exitCode, 0);
  assert.is((await execute(cwd, ["--out", "infra", "--detailed-exitcode"])).exitCode, 0);
  assertSame(contents(join(cwd, "infra")), tree);
});

test("validate leaves the user's files alone until --out says where they are", async () => {
  const cwd = folder();
  await execute(cwd, ["init"]);
  const config = readFileSync(join(cwd, "cluster.yaml"), "utf8");
  writeFileSync(
    join(cwd, "cluster.yaml"),
    config.replace(/^image:$/m, "image:\n  schematic_path: nowhere.yaml"),
  );
  const { stdout: alone } = await execute(cwd, ["validate", "--json"]);
  assert.is((JSON.parse(alone) as { exit_code: number }).exit_code, 0);
  assert.not.match(alone, "sealed-secrets-pair");
  const { exitCode, stdout } = await execute(cwd, ["validate", "--out", "infra", "--json"]);
  assert.is(exitCode, 1);
  assert.match(stdout, '"rule": "missing-file"');
});

test("the built-in example generates, and check agrees with it", async () => {
  const cwd = folder();
  const { exitCode, stdout, stderr } = await execute(cwd, ["--out", "infra"]);
  assert.is(exitCode, 0, stderr);
  assert.match(stdout, "this is the built-in example");
  assert.is((await execute(cwd, ["check", "--out", "infra"])).exitCode, 0);
});

test("--version is the package's", async () => {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  assert.is((await execute(folder(), ["--version"])).stdout, `${version}\n`);
});

test("git apply takes what --diff prints", async () => {
  const cwd = folder();
  const { stdout } = await execute(cwd, ["--out", "infra", "--dry-run", "--diff"]);
  const applied = folder();
  execFileSync("git", ["apply"], { cwd: applied, input: stdout });
  await execute(cwd, ["--out", "infra"]);
  const { "gen-talos-module.lock.json": lock, ...tree } = contents(join(cwd, "infra"));
  assert.type(lock, "string");
  assertSame(contents(applied), tree);
});

const lines: readonly [args: readonly string[], exitCode: number][] = [
  [["--help"], 0],
  [["--out", "infra"], 0],
  [["--out", "infra", "--detailed-exitcode", "--dry-run", "--diff"], 2],
  [["check", "--out", "infra"], 2],
  [["validate", "--config", "bad.yaml"], 1],
  [["--out", "a", "--out", "b"], 1],
  [["--out", "bad.yaml"], 1],
  [["schema"], 0],
  [["init"], 0],
];
for (const [args, exitCode] of lines) {
  test(`--json is alone on stdout: ${args.join(" ")}`, async () => {
    const ending = await execute(folder({ "bad.yaml": "nodes: 3\n" }), [...args, "--json"], {
      env: { FORCE_COLOR: "1", GITHUB_ACTIONS: "true" },
    });
    assert.is(ending.stderr, "");
    assert.is(ending.exitCode, exitCode);
    const document: unknown = JSON.parse(ending.stdout);
    assertOutput(document);
    assert.is(document.exit_code, exitCode);
  });
}

test("a reader that has had enough is no error", () => {
  const line = 'set -o pipefail; "$0" "$1" schema | head -c 1';
  assert.is(execFileSync("bash", ["-c", line, process.execPath, program], { encoding: "utf8" })[0], "{");
});

test("Ctrl-C at any moment leaves a tree that the next run completes", async () => {
  const cwd = folder();
  await execute(cwd, ["init"]);
  await execute(cwd, ["--out", "wanted"]);
  const start = performance.now();
  await execute(cwd, ["--out", "timed"]);
  const duration = performance.now() - start;
  for (let round = 1; round <= 8; round++) {
    const { exitCode, signal } = await execute(cwd, ["--out", `infra${round}`], {
      interruptAfterMs: (duration * (round + 2)) / 10,
    });
    // Either the shell's 130, or the signal that a shell shows as 130, or it was too late.
    assert.ok(exitCode === 130 || exitCode === 0 || signal === "SIGINT", `${exitCode} ${signal}`);
    assert.is((await execute(cwd, ["--out", `infra${round}`])).exitCode, 0);
    assertSame(contents(join(cwd, `infra${round}`)), contents(join(cwd, "wanted")));
  }
});

test("Ctrl-C while waiting for input ends at once", async () => {
  const cwd = folder();
  execFileSync("mkfifo", [join(cwd, "pipe")]);
  const { exitCode, signal } = await execute(cwd, ["validate", "--config", "pipe"], {
    interruptAfterMs: 500,
  });
  assert.ok(exitCode === 130 || signal === "SIGINT", `${exitCode} ${signal}`);
});

test("a config through a pipe", () => {
  const cwd = folder();
  execFileSync(process.execPath, [program, "init"], { cwd });
  const line = '"$0" "$1" validate --config <(cat cluster.yaml)';
  assert.match(
    execFileSync("bash", ["-c", line, process.execPath, program], { cwd, encoding: "utf8" }),
    "is valid",
  );
});

test("a config that never ends is too large", async () => {
  const { exitCode, stderr } = await execute(folder(), ["validate", "--config", "/dev/zero"]);
  assert.is(exitCode, 1);
  assert.is(stderr, "gen-talos-module: /dev/zero is larger than 64 MiB\n");
});

test("nothing is lost where the pipe behind stdout is full and does not wait", async () => {
  const pipe = join(folder(), "pipe");
  execFileSync("mkfifo", [pipe]);
  const descriptor = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  const filling = "x".repeat(60_000);
  writeSync(descriptor, filling);
  // Node makes the first three descriptors of a child wait, so it gets another one.
  const child = spawn("bash", ["-c", '"$0" "$1" schema >&3', process.execPath, program], {
    stdio: ["ignore", "ignore", "inherit", descriptor],
  });
  const exit = new Promise((resolve) => child.on("exit", resolve));
  const wanted = execFileSync(process.execPath, [program, "schema"], { encoding: "utf8" });
  let read = "";
  const chunk = Buffer.alloc(1000);
  while (read.length < filling.length + wanted.length && child.exitCode !== 1) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    try {
      read += chunk.toString("latin1", 0, readSync(descriptor, chunk));
    } catch (error) {
      assert.is((error as NodeJS.ErrnoException).code, "EAGAIN");
    }
  }
  assert.is(read.slice(filling.length), wanted);
  assert.is(await exit, 0);
  closeSync(descriptor);
});

test("a full disk behind stdout is an error", () => {
  const line = '"$0" "$1" schema > /dev/full';
  const { status, stderr } = spawnSync("bash", ["-c", line, process.execPath, program], { encoding: "utf8" });
  assert.is(status, 1);
  assert.is(stderr, "gen-talos-module: cannot write: no space left on device (ENOSPC)\n");
});

test.run();
