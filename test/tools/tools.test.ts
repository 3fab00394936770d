import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { executable } from "./cache.ts";
import { tofurc, writeTofurc } from "./tofurc.ts";
import type { Tool } from "./tool.ts";
import { kubernetesTools, toolEnvironment, tools } from "./tools.ts";
import { table } from "./versions.ts";

const inherited = { ...process.env };
let sandbox: string;

test.before.each(() => {
  sandbox = mkdtempSync(join(tmpdir(), "tools-test-"));
  process.env["XDG_CACHE_HOME"] = sandbox;
});

test.after.each(() => {
  process.env = { ...inherited };
  rmSync(sandbox, { recursive: true });
});

function place(tool: Tool): void {
  mkdirSync(dirname(executable(tool)), { recursive: true });
  writeFileSync(executable(tool), "", { mode: 0o755 });
}

test("a tool that is not built is named, with the command that builds it", () => {
  for (const tool of Object.values<Tool>(table)) {
    if (tool.name !== "tflint" && tool.name !== "etcd") place(tool);
  }
  writeTofurc();
  assert.equal(tools(), { reason: 'not built: tflint 0.64.0; run "npm run tools"' });
  assert.equal(kubernetesTools(), { reason: 'not built: etcd 3.6.8; run "npm run tools -- --all"' });
});

test("the paths are given when all are built, terraform's only when it is on the PATH", () => {
  Object.values<Tool>(table).forEach(place);
  writeTofurc();
  process.env["PATH"] = sandbox;
  assert.is(tools().installed?.tofu, executable(table.tofu));
  assert.is(tools().installed?.terraform, undefined);
  writeFileSync(join(sandbox, "terraform"), "", { mode: 0o755 });
  assert.is(tools().installed?.terraform, join(sandbox, "terraform"));
  assert.is(kubernetesTools().installed?.kubeApiserver, executable(table.kubeApiserver));
});

test("the environment names the tofurc file and carries no setting of the user's", () => {
  Object.assign(process.env, { TF_CLI_CONFIG_FILE: "absent", TF_VAR_a: "1", KUBECONFIG: "b", LANG: "C" });
  const environment = toolEnvironment();
  assert.is(environment["TF_CLI_CONFIG_FILE"], tofurc());
  assert.is(environment["TF_VAR_a"], undefined);
  assert.is(environment["KUBECONFIG"], undefined);
  assert.is(environment["LANG"], "C");
});

test.run();
