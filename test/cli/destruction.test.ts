import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readTree } from "../golden/cases.ts";
import { execute } from "./execute.ts";

const CONFIG = readFileSync("golden/every-volume-type/cluster.yaml", "utf8");
const WORKER = /^ {2}worker1:\n(?: {4}.*\n)+/m;

test("a change that destroys data, hidden in a nice diff", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gen-talos-module-"));
  const generate = (config: string, ...words: string[]) => {
    writeFileSync(join(folder, "cluster.yaml"), config);
    return execute(folder, ["--out", "infra", ...words]);
  };
  try {
    assert.is((await generate(CONFIG)).exitCode, 0);
    const before = readTree(join(folder, "infra"));
    const changed = CONFIG.replace(WORKER, "");
    assert.is.not(changed, CONFIG);

    const refused = await generate(changed, "--diff");
    assert.is(refused.exitCode, 1);
    assert.match(
      refused.stderr,
      /node "worker1" is gone from here, which destroys VM \d+, its data VM \d+0 with \/var/,
    );
    assert.match(refused.stderr, /--allow-destroy worker1/);
    assert.is(refused.stdout, "", "no diff that could be taken for harmless");
    assert.equal(readTree(join(folder, "infra")), before, "nothing was written");

    const allowed = await generate(changed, "--allow-destroy", "worker1");
    assert.is(allowed.exitCode, 0);
    assert.match(allowed.stdout, "kubectl delete node worker1");

    const accepted = await generate(changed, "--accept", "image", "--accept", "proxmox_cluster");
    assert.is(accepted.exitCode, 0);
    assert.not.match(accepted.stderr, "warning: --accept", "the words that stand for more than one machine");
    const twice = await generate(changed, "--allow-destroy", "worker1");
    assert.is(twice.exitCode, 0, "a script may say it again");
    assert.match(
      twice.stderr,
      "warning: --allow-destroy worker1: neither the config nor the lock has this name",
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.run();
