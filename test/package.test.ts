import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { contents, folder } from "./cli/ask.ts";

const repository = fileURLToPath(new URL("..", import.meta.url));
const home = folder();
const env = { PATH: process.env["PATH"], HOME: home };

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** Without scripts, since the build would replace the program under the tests that run beside this one. */
const [packed] = JSON.parse(
  execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", home], {
    cwd: repository,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }),
) as [Packed];

test("the package holds the program, the schemas and what is said about them", () => {
  const strangers = packed.files
    .map(({ path }) => path)
    .filter((path) => !/^(dist\/(cli\.cjs|program\.(cjs|cache))|schema\/[a-z-]+\.schema\.json)$/.test(path))
    .sort();
  assert.equal(strangers, ["CHANGELOG.md", "LICENSE", "README.md", "package.json"]);
});

test("installed into an empty folder, read-only, with another home: generates, and check agrees", () => {
  const cwd = folder();
  execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", join(home, packed.filename)], {
    cwd,
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const modules = join(cwd, "node_modules");
  assert.equal(
    readdirSync(modules).filter((name) => !name.startsWith(".")),
    ["gen-talos-module"],
  );
  const installed = join(modules, "gen-talos-module");
  const before = fingerprint(installed);
  setWritable(installed, false);
  try {
    const run = (...args: string[]) =>
      spawnSync(join(modules, ".bin/gen-talos-module"), args, { cwd, env, encoding: "utf8" });
    const generated = run("--out", "./infra");
    assert.is(generated.status, 0, generated.stderr);
    assert.match(generated.stdout, "this is the built-in example");
    assert.ok("main.tf" in contents(join(cwd, "infra")));
    assert.is(run("check", "--out", "./infra").status, 0);
    assert.is(run("init").status, 0);
    assert.is(run("--out", "./mine").status, 0);
  } finally {
    setWritable(installed, true);
  }
  assert.is(fingerprint(installed), before);
});

/** Paths and bytes of everything in a folder. Root may write whatever the permissions say, so they prove too little. */
function fingerprint(path: string): string {
  const hash = createHash("sha256");
  for (const file of everything(path, "files"))
    hash.update(`${relative(path, file)}\0`).update(readFileSync(file));
  return hash.digest("hex");
}

function setWritable(path: string, isWritable: boolean): void {
  const folders = [path, ...everything(path, "folders")];
  for (const name of [...folders, ...everything(path, "files")]) {
    const isProgram = name.endsWith(".cjs") || folders.includes(name);
    chmodSync(name, (isProgram ? 0o555 : 0o444) | (isWritable ? 0o200 : 0));
  }
}

function everything(path: string, what: "files" | "folders"): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => (what === "files" ? entry.isFile() : entry.isDirectory()))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

test.run();
