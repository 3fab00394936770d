import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { executable, key, toolsFolder } from "./cache.ts";
import type { Tool } from "./tool.ts";
import { table } from "./versions.ts";

const script = join(import.meta.dirname, "install.ts");
const inherited = { ...process.env };
let sandbox: string;

test.before.each(() => {
  sandbox = mkdtempSync(join(tmpdir(), "tools-test-"));
  process.env["XDG_CACHE_HOME"] = join(sandbox, "cache");
  mkdirSync(join(sandbox, "bin"));
});

test.after.each(() => {
  process.env = { ...inherited };
  rmSync(sandbox, { recursive: true });
});

/** Puts a shell script on the PATH of the installation, which otherwise has nothing on it. */
function fakeGo(body: string): void {
  writeFileSync(join(sandbox, "bin", "go"), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
}

function fillCache(): void {
  for (const tool of Object.values<Tool>(table).filter(({ group }) => group === "base")) {
    mkdirSync(dirname(executable(tool)), { recursive: true });
    writeFileSync(executable(tool), "");
  }
}

function start(...options: string[]) {
  const env = { ...process.env, PATH: join(sandbox, "bin") };
  const child = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), script, ...options], {
    env,
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const end = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.on("close", (code) => resolve({ code, stdout, stderr })),
  );
  return { child, end };
}

const leftovers = () => readdirSync(toolsFolder()).filter((name) => !name.startsWith("tofurc-"));

test("a tool's key changes with its edits, text and pattern alike", () => {
  const withEdits = (...finds: (string | RegExp)[]) =>
    key({ ...table.tofu, edits: finds.map((find) => ({ file: "go.mod", find, put: "" })) });
  const keys = [key(table.tofu), withEdits("a"), withEdits("b"), withEdits(/a/), withEdits(/b/)];
  assert.is(new Set(keys).size, keys.length);
  assert.is(withEdits(/a/), withEdits(/a/));
});

test("when everything is there, nothing is built and go is not needed", async () => {
  fillCache();
  const { code, stdout, stderr } = await start().end;
  assert.is(stderr, "");
  assert.is(stdout, `8 tools are in ${toolsFolder()}\n`);
  assert.is(code, 0);
});

test("without go: one sentence", async () => {
  const { code, stderr } = await start().end;
  assert.is(stderr, 'Building the tools needs Go, but "go" is not on the PATH.\n');
  assert.is(code, 1);
  assert.equal(leftovers(), []);
});

test("without a network: one line with what go said of it", async () => {
  const said = "Get https://proxy.example: dial tcp: lookup proxy.example: no such host";
  fakeGo(`echo '{ "Error": "${said}" }'; exit 1`);
  const { code, stderr } = await start().end;
  assert.is(stderr, `Downloading ${table.tofu.module} failed: no network, it seems: ${said}\n`);
  assert.is(code, 1);
});

test("a module whose sum is not the pinned one is not built", async () => {
  fakeGo(`echo '{ "Dir": "${sandbox}/bin", "Sum": "h1:other" }'`);
  const { code, stderr } = await start().end;
  assert.is(stderr, `${table.tofu.module} has the sum h1:other, but ${table.tofu.sum} is pinned.\n`);
  assert.is(code, 1);
  assert.equal(leftovers(), []);
});

test("a tool is put in place whole, and the next one's failure does not take it away", async () => {
  mkdirSync(join(sandbox, "module"));
  fakeGo(`case "$1 $2 $4" in
    "mod download ${table.tofu.module}") echo '{ "Dir": "${sandbox}/module", "Sum": "${table.tofu.sum}" }' ;;
    mod*) exit 1 ;;
    *) while [ "$1" != -o ]; do shift; done; /bin/mkdir -p "\${2%/*}"; : > "$2" ;;
  esac`);
  const { code } = await start().end;
  assert.is(code, 1);
  assert.equal(leftovers(), [key(table.tofu)]);
  assert.equal(readdirSync(dirname(executable(table.tofu))), ["tofu"]);
});

test("an interrupted run leaves nothing half-made", async () => {
  fakeGo(`trap "exit 1" INT; : > "${sandbox}/started"; while :; do /bin/sleep 0.05; done`);
  const { child, end } = start();
  while (!readdirSync(sandbox).includes("started")) await sleep(20);
  assert.is(leftovers().length, 1);
  child.kill("SIGTERM");
  const { code, stderr } = await end;
  assert.is(stderr, "Interrupted; what was built so far is kept.\n");
  assert.is(code, 1);
  assert.equal(leftovers(), []);
});

test("what a killed run left behind goes away with the next", async () => {
  fillCache();
  const dead = spawn(process.execPath, ["--version"]);
  await new Promise((resolve) => dead.on("close", resolve));
  mkdirSync(join(toolsFolder(), `.building-${dead.pid}-tofu`));
  mkdirSync(join(toolsFolder(), `.building-${process.pid}-tofu`));
  await start().end;
  assert.equal(
    leftovers().filter((name) => name.startsWith(".")),
    [`.building-${process.pid}-tofu`],
  );
});

test("an unknown option is refused", async () => {
  const { code, stderr } = await start("--everything").end;
  assert.is(stderr, "Unknown option --everything; there is only --all.\n");
  assert.is(code, 1);
});

test.run();
