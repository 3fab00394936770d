import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { parse, stringify } from "yaml";
import { assertSame, folder } from "./ask.ts";
import { execute, type Circumstances } from "./execute.ts";

const home = folder();
await execute(home, ["init"]);
const config = readFileSync(join(home, "cluster.yaml"), "utf8");
await execute(home, ["--out", "infra"]);
const wanted = snapshot(join(home, "infra"));

/** Every file with its permissions. */
function snapshot(path: string): Record<string, string> {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const files = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(
    files.map((file) => [
      relative(path, file),
      `${statSync(file).mode.toString(8)} ${readFileSync(file, "utf8")}`,
    ]),
  );
}

/** The same data with the keys of every map in the opposite order. */
function turnKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turnKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, turnKeys(item)]),
  );
}

const row = "locale, time zone, umask, working directory, key order";
const table: readonly [title: string, circumstances: Circumstances, text?: string][] = [
  ["German", { env: { LANG: "de_DE.UTF-8", LC_ALL: "de_DE.UTF-8", LANGUAGE: "de" } }],
  ["Turkish", { env: { LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" } }],
  ["C", { env: { LANG: "C", LC_ALL: "C" } }],
  ["Kiritimati", { env: { TZ: "Pacific/Kiritimati" } }],
  ["a closed umask", { umask: "077" }],
  ["an open umask", { umask: "000" }],
  ["keys in the opposite order", {}, stringify(turnKeys(parse(config)))],
  ["JSON", {}, JSON.stringify(parse(config))],
];
for (const [title, circumstances, text = config] of table) {
  test(`${row}: ${title}`, async () => {
    const cwd = folder({ "cluster.yaml": text });
    const { exitCode, stderr } = await execute(cwd, ["--out", "infra"], circumstances);
    assert.is(exitCode, 0, stderr);
    assertSame(snapshot(join(cwd, "infra")), wanted);
  });
}

test(`${row}: from elsewhere, by other paths`, async () => {
  const cwd = folder({ "deep/er/cluster.yaml": config });
  mkdirSync(join(cwd, "work"));
  await execute(join(cwd, "work"), ["--out", "../a/b/", "--config", "../deep/er/cluster.yaml"]);
  assertSame(snapshot(join(cwd, "a/b")), wanted);
  await execute("/", ["--out", join(cwd, "c"), "--config", join(cwd, "deep/er/cluster.yaml")]);
  assertSame(snapshot(join(cwd, "c")), wanted);
  writeFileSync(join(cwd, "deep/er/other.yaml"), config);
  assert.is((await execute(join(cwd, "deep/er"), ["check", "--out", "../../c"])).exitCode, 0);
});

test.run();
