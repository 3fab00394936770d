import { once } from "node:events";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readLock } from "../../src/writing/lock.ts";
import type { Tree } from "../../src/tree.ts";
import { contentsFor, contentsOf, emptyFolder, generate, treeOf, versionedTree } from "./fixture.ts";
import { withFault } from "./faults.ts";
import { bury, randomNumbers, shell, start } from "./processes.ts";

const ROW = "kill -9, full disk, read-only, SIGINT";

/** Every file is whole: a text of one of these trees; the lock can be read; nothing else ends in `.tf`. */
async function assertWhole(out: string, trees: readonly Tree[]): Promise<void> {
  for (const [path, text] of Object.entries(contentsOf(out))) {
    if (text === "folder" || path.startsWith(".gen-talos-module.")) assert.not.match(path, /\.tf$/);
    else if (path !== "gen-talos-module.lock.json") {
      assert.ok(
        trees.some((tree) => tree.get(path)?.text === text),
        `${path} is whole`,
      );
    }
  }
  assert.ok("lock" in (await readLock(out)), "the lock can be read");
}

/** Ends a child that writes two trees in turn at random moments; each time a third tree follows. */
async function endAtRandom(signal: NodeJS.Signals, times: number): Promise<number> {
  const random = randomNumbers(times);
  const trees = ["one", "two", "three"].map(versionedTree);
  const wanted = await Promise.all(trees.map(contentsFor));
  let out = emptyFolder();
  let interrupted = 0;
  for (let turn = 0; turn < times; turn++) {
    if (turn % 5 === 0) out = emptyFolder();
    const child = start("loop", out, "one", "two");
    await once(child.stdout!, "data");
    await new Promise((resolve) => setTimeout(resolve, random.next().value * (turn % 5 === 0 ? 15 : 60)));
    child.kill(signal);
    await once(child, "exit");
    assert.is(child.signalCode, signal);
    await assertWhole(out, trees);
    if (readdirSync(out).some((name) => name.startsWith(".gen-talos-module."))) interrupted++;
    const next = Math.floor(random.next().value * 3);
    assert.equal(await generate(out, trees[next]!), [], "nothing is refused");
    assert.equal(contentsOf(out), wanted[next]);
  }
  return interrupted;
}

test(`${ROW}: kill -9 at 50 random moments`, async () => {
  assert.ok((await endAtRandom("SIGKILL", 50)) > 0, "no run was interrupted while writing");
});

test(`${ROW}: SIGINT at 10 random moments`, async () => {
  await endAtRandom("SIGINT", 10);
});

const one = treeOf({ "main.tf": "one\n".repeat(9), "a/b/main.tf": "one\n".repeat(9), "gone/x.tf": "one\n" });
const two = treeOf({ "main.tf": "two\n".repeat(9), "a/b/main.tf": "two\n".repeat(9), "new/x.tf": "two\n" });
const three = treeOf({ "main.tf": "three\n", "a/b/main.tf": "three\n", "other.tf": "three\n" });

for (const [title, first] of [
  ["a fresh folder", undefined],
  ["an old tree", one],
] as const) {
  test(`${ROW}: dead at each call, over ${title}`, async () => {
    const wanted = await contentsFor(three);
    for (let at = 0, isReached = true; isReached; at++) {
      const out = emptyFolder();
      if (first !== undefined) await generate(out, first);
      ({ isReached } = await withFault(at, "death", () => generate(out, two)));
      bury(out);
      await assertWhole(out, [one, two]);
      // Once more dead while it heals, then it may live.
      await withFault(at, "death", () => generate(out, one));
      bury(out);
      await assertWhole(out, [one, two]);
      assert.equal(await generate(out, three), [], `nothing is refused after death at call ${at}`);
      assert.equal(contentsOf(out), wanted, `call ${at}`);
    }
  });

  test(`${ROW}: full at each call, over ${title}`, async () => {
    const wanted = await contentsFor(two);
    let healed = 0;
    for (let at = 0, isReached = true; isReached; at++) {
      const out = emptyFolder();
      if (first !== undefined) await generate(out, first);
      const before = contentsOf(out);
      const run = await withFault(at, "ENOSPC", () => generate(out, two));
      isReached = run.isReached;
      await assertWhole(out, [one, two]);
      if (run.error !== undefined) {
        assert.is(run.error.name, "WriteError");
        const [place, reason] = run.error.message.split(" cannot be written: the disk is full");
        assert.ok(place?.startsWith(out), run.error.message);
        if (reason === "") assert.equal(contentsOf(out), before, `untouched after call ${at}`);
        else assert.is(reason, "; the tree is half written, and the next run completes it");
        if (reason !== "") healed++;
      }
      bury(out);
      assert.equal(await generate(out, two), []);
      assert.equal(contentsOf(out), wanted, `call ${at}`);
    }
    assert.ok(healed > 0);
  });
}

test(`${ROW}: a limit on the size of files, which stops a write halfway`, () => {
  const out = emptyFolder();
  const outcomes = shell([], `ulimit -f 2; run report "$1" one`, out);
  const message = "OUT cannot be written: the file is larger than is allowed here";
  assert.equal(outcomes, [{ error: "WriteError", message }]);
  assert.equal(contentsOf(out), {});
});

/** A mount that only the script sees; works for root and, where the kernel lets them, for everyone. */
const UNSHARE = ["unshare", "--map-root-user", "--mount"];
const canMount =
  spawnSync(UNSHARE[0]!, [...UNSHARE.slice(1), "mount", "-t", "tmpfs", "none", emptyFolder()]).status === 0;
const onMount = (title: string, run: () => void) => {
  if (canMount) test(title, run);
  else console.error(`NOT TESTED, since nothing can be mounted here: ${title}`);
};

onMount(`${ROW}: a full disk`, () => {
  const script = `mount -t tmpfs -o size=300k none "$1"
    run report "$1" one; run contents "$1"; run report "$1" two; run contents "$1"`;
  const [first, before, second, after] = shell(UNSHARE, script, emptyFolder());
  assert.equal(first, { refused: [] });
  assert.equal(second, { error: "WriteError", message: "OUT cannot be written: the disk is full" });
  assert.equal(after, before);
});

onMount(`${ROW}: a read-only file system`, () => {
  const script = `mount -t tmpfs none "$1"
    run report "$1" one; run contents "$1"; mount -o remount,bind,ro "$1"
    run report "$1" two; run contents "$1"; run report "$1" one`;
  const [first, before, second, after, third] = shell(UNSHARE, script, emptyFolder());
  assert.equal(first, { refused: [] });
  assert.equal(second, {
    error: "WriteError",
    message: "OUT cannot be written: the file system is read-only",
  });
  assert.equal(after, before);
  assert.equal(third, { refused: [] }, "a tree in sync needs no writing");
});

onMount(`${ROW}: a folder of the tree that is read-only`, () => {
  const script = `run report "$1" one; run contents "$1"
    mount --bind "$1/module-5" "$1/module-5"; mount -o remount,bind,ro "$1/module-5"
    run report "$1" two; run contents "$1"`;
  const [, before, second, after] = shell(UNSHARE, script, emptyFolder());
  const message = "OUT/module-5 cannot be written: the file system is read-only";
  assert.equal(second, { error: "WriteError", message });
  assert.equal(after, before);
});

test.run();
