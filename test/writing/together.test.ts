import { mkdirSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { claim, release } from "../../src/writing/claim.ts";
import { readLock } from "../../src/writing/lock.ts";
import { planChanges } from "../../src/writing/plan.ts";
import { applyPlan, WriteError } from "../../src/writing/write.ts";
import { contentsFor, contentsOf, emptyFolder, generate, nextLock, plan, versionedTree } from "./fixture.ts";
import { randomNumbers, report } from "./processes.ts";

const ROW = "two runs at once";
const LATE = "another run has changed OUT in the meantime: run again";

const names = ["one", "two"] as const;
const wanted = await Promise.all(names.map((name) => contentsFor(versionedTree(name))));

/** The version that the folder holds in full, or a failed test. */
function versionIn(out: string): string {
  const index = Number(
    readFileSync(join(out, "gen-talos-module.lock.json"), "utf8").includes('"only-two/main.tf"'),
  );
  assert.equal(contentsOf(out), wanted[index]);
  return names[index] ?? "";
}

test(`${ROW}: two processes, 30 times`, async () => {
  const random = randomNumbers(7);
  const winners = new Set<string>();
  for (let turn = 0; turn < 30; turn++) {
    const out = emptyFolder();
    if (turn % 2 === 1) await generate(out, versionedTree("zero"));
    const reports = await Promise.all(
      names.map(async (name) => {
        await new Promise((resolve) => setTimeout(resolve, random.next().value * 20));
        return { name, ...(await report(out, name)) };
      }),
    );
    const done = reports.filter(({ error }) => error === undefined);
    winners.add(versionIn(out));
    assert.ok(
      done.some(({ name }) => name === versionIn(out)),
      "the one that is there says that it is done",
    );
    for (const { refused, message = LATE } of reports) {
      assert.is(message, LATE);
      assert.equal(refused ?? [], [], "what the other wrote is not taken for an edit");
    }
  }
  assert.is(winners.size, 2);
});

test(`${ROW}: plans made before either was written`, async () => {
  for (const first of [0, 1]) {
    for (const isFresh of [true, false]) {
      const out = emptyFolder();
      if (!isFresh) await generate(out, versionedTree("zero"));
      const plans = [await plan(out, versionedTree("one")), await plan(out, versionedTree("two"))];
      if (first === 1) plans.reverse();
      const outcomes = await Promise.allSettled(plans.map(applyPlan));
      assert.equal(outcomes.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
      versionIn(out);
    }
  }
});

test(`${ROW}: many of the same kind all succeed`, async () => {
  const out = emptyFolder();
  const plans = await Promise.all(Array.from({ length: 8 }, () => plan(out, versionedTree("one"))));
  await Promise.all(plans.map(applyPlan));
  assert.is(versionIn(out), "one");
});

test(`${ROW}: what the other wrote after the lock was read is not taken for an edit`, async () => {
  for (const before of [[], ["zero"]]) {
    const out = emptyFolder();
    for (const name of before) await generate(out, versionedTree(name));
    const read = await readLock(out);
    await generate(out, versionedTree("one"));
    const tree = versionedTree("two");
    await planChanges(out, tree, "lock" in read ? read.lock : undefined, nextLock(tree), new Set()).then(
      () => assert.unreachable(),
      (error: Error) => assert.is(error.message.replace(out, "OUT"), LATE),
    );
  }
});

test("a run on another host is waited for, unless it must have ended long ago", async () => {
  const out = emptyFolder();
  const other = join(out, ".gen-talos-module.elsewhere.1.abcdef");
  mkdirSync(other);
  await claim(out, 50).then(assert.unreachable, (error: Error) => assert.instance(error, WriteError));
  utimesSync(other, 0, 0);
  const own = await claim(out, 50);
  assert.equal(readdirSync(out), [basename(own)]);
});

test("a run that was killed is not waited for, even where this one has its process number", async () => {
  const out = emptyFolder();
  const killed = await claim(out);
  release(killed);
  mkdirSync(killed);
  const own = await claim(out, 50);
  assert.equal(readdirSync(out), [basename(own)]);
});

test("a run that does not end is waited for, then named", async () => {
  const out = emptyFolder();
  const own = await claim(out);
  await claim(out, 50).then(assert.unreachable, (error: Error) =>
    assert.is(
      error.message,
      `another run is writing to ${out}: wait for it, then run again; if there is none, remove ${own}`,
    ),
  );
  setTimeout(() => release(own), 50);
  assert.ok(await claim(out, 5000));
});

test.run();
