import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { cacheOf, compile, seal } from "../src/code-cache.ts";
import { assertSame, contents, folder } from "./cli/ask.ts";
import { execute, program as launcher } from "./cli/execute.ts";

const dist = dirname(launcher);
const program = readFileSync(join(dist, "program.cjs"));
const cache = readFileSync(join(dist, "program.cache"));

/** What the program says and writes with another cache beside it; undefined: with none. */
async function run(stored: Buffer | undefined) {
  const copy = folder();
  cpSync(dist, copy, { recursive: true });
  const file = cacheOf(join(copy, "program.cjs"));
  if (stored === undefined) rmSync(file);
  else writeFileSync(file, stored);
  const cwd = folder();
  const ending = await execute(cwd, ["--out", "infra"], { file: join(copy, "cli.cjs") });
  return { ...ending, tree: contents(join(cwd, "infra")) };
}

const wanted = await run(cache);

test("the cache of the build fits its program", () => {
  assert.is(compile(join(dist, "program.cjs")).cachedDataRejected, false);
  assert.is(wanted.exitCode, 0, wanted.stderr);
});

test("the cache does not know where it was built, nor would a stack trace", () => {
  assert.ok(cache.includes("program.cjs"));
  assert.not.ok(cache.includes(dist));
});

const damaged = Buffer.from(cache);
damaged.writeUInt8(damaged.readUInt8(damaged.length / 2) ^ 0xff, damaged.length / 2);

const table: readonly [title: string, stored: Buffer | undefined][] = [
  ["without a cache", undefined],
  ["with an empty cache", Buffer.alloc(0)],
  ["with half of a cache", cache.subarray(0, cache.length / 2)],
  ["with a damaged cache", damaged],
  ["with the cache of another program", seal(Buffer.from("0"), cache.subarray(32))],
  ["with a cache that V8 does not know", seal(program, Buffer.alloc(1000))],
];
for (const [title, stored] of table) {
  test(`${title} the program does the same`, async () => {
    const { tree, ...ending } = await run(stored);
    const { tree: wantedTree, ...wantedEnding } = wanted;
    assert.equal(ending, wantedEnding);
    assertSame(tree, wantedTree);
  });
}

test("a program that was changed after the build is what runs", async () => {
  const copy = folder();
  cpSync(dist, copy, { recursive: true });
  const changed = program
    .toString("latin1")
    .replaceAll("this is the built-in example", "this is the changed example!");
  assert.is(changed.length, program.length);
  writeFileSync(join(copy, "program.cjs"), changed);
  const { stdout } = await execute(folder(), ["--out", "infra"], { file: join(copy, "cli.cjs") });
  assert.match(stdout, "this is the changed example!");
});

test.run();
