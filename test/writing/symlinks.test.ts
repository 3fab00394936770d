import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readLock } from "../../src/writing/lock.ts";
import { applyPlan } from "../../src/writing/write.ts";
import { contentsOf, emptyFolder, folderWith, generate, plan, treeOf } from "./fixture.ts";

const ROW = "symlinks planted in `--out` (file, folder, dangling)";

const tree = treeOf({ "main.tf": "1\n", "talos/main.tf": "1\n", "talos/assets/schematic.yaml": "1\n" }, [
  "talos/assets/schematic.yaml",
]);
const next = treeOf({ "main.tf": "2\n", "other.tf": "2\n" });

/** Path of the link below `--out`, what it leads to in the victim's folder, and what the run says. */
const links: readonly (readonly [title: string, link: string, target: string, says: readonly string[]])[] = [
  ["file", "main.tf", "file", ["main.tf is a symbolic link"]],
  ["file further down", "talos/main.tf", "file", ["talos/main.tf is a symbolic link"]],
  [
    "file written once",
    "talos/assets/schematic.yaml",
    "file",
    ["talos/assets/schematic.yaml is a symbolic link"],
  ],
  [
    "folder",
    "talos",
    "folder",
    [
      "talos/assets/schematic.yaml cannot be reached: talos is a symbolic link",
      "talos/main.tf cannot be reached: talos is a symbolic link",
    ],
  ],
  [
    "folder in a folder",
    "talos/assets",
    "folder",
    ["talos/assets/schematic.yaml cannot be reached: talos/assets is a symbolic link"],
  ],
  ["dangling", "main.tf", "nothing", ["main.tf is a symbolic link"]],
  [
    "dangling folder",
    "talos/assets",
    "nothing",
    ["talos/assets/schematic.yaml cannot be reached: talos/assets is a symbolic link"],
  ],
];

function victim(): string {
  return folderWith({ file: "precious\n", "folder/main.tf": "1\n", "folder/schematic.yaml": "precious\n" });
}

/** Puts a link where something may already be. */
function plant(out: string, link: string, target: string): void {
  rmSync(join(out, link), { recursive: true, force: true });
  mkdirSync(join(out, link, ".."), { recursive: true });
  symlinkSync(target, join(out, link));
}

for (const [title, link, target, says] of links) {
  for (const isForced of [false, true]) {
    test(`${ROW}: ${title}, in a new folder${isForced ? ", by force" : ""}`, async () => {
      const [out, precious] = [emptyFolder(), victim()];
      plant(out, link, join(precious, target));
      const [before, disk] = [contentsOf(precious), contentsOf(out)];
      assert.equal(await generate(out, tree, isForced ? [...tree.keys()] : []), says);
      assert.equal(contentsOf(precious), before);
      assert.equal(contentsOf(out), disk);
    });
  }

  test(`${ROW}: ${title}, in a tree that changes and shrinks`, async () => {
    const [out, precious] = [emptyFolder(), victim()];
    await generate(out, tree);
    plant(out, link, join(precious, target));
    const [before, disk] = [contentsOf(precious), contentsOf(out)];
    // A file written once is the user's own: where the tree no longer has it, a link in its place is too.
    const expected = says.filter((sentence) => !sentence.includes("schematic.yaml"));
    assert.equal(await generate(out, next), expected);
    assert.equal(contentsOf(precious), before);
    if (expected.length > 0) assert.equal(contentsOf(out), disk);
  });

  test(`${ROW}: ${title}, planted between plan and write`, async () => {
    const [out, precious] = [emptyFolder(), victim()];
    const planned = await plan(out, tree);
    plant(out, link, join(precious, target));
    const before = contentsOf(precious);
    let message = "";
    await applyPlan(planned).catch((error: Error) => (message = error.message));
    assert.is(message, join(out, says[0] ?? ""));
    assert.equal(contentsOf(precious), before);
  });
}

test(`${ROW}: a folder that was moved away, its content as it was generated`, async () => {
  const [out, elsewhere] = [emptyFolder(), emptyFolder()];
  await generate(out, tree);
  renameSync(join(out, "talos"), join(elsewhere, "talos"));
  plant(out, "talos", join(elsewhere, "talos"));
  const before = contentsOf(elsewhere);
  assert.equal(await generate(out, next), ["talos/main.tf cannot be reached: talos is a symbolic link"]);
  assert.equal(contentsOf(elsewhere), before);
});

test(`${ROW}: the lock`, async () => {
  for (const target of ["file", "nothing"]) {
    const [out, precious] = [emptyFolder(), victim()];
    plant(out, "gen-talos-module.lock.json", join(precious, target));
    const before = contentsOf(precious);
    assert.equal(await readLock(out), {
      fault: `${join(out, "gen-talos-module.lock.json")} is a symbolic link`,
    });
    assert.equal(contentsOf(precious), before);
  }
});

test(`${ROW}: what looks like the remains of a killed run`, async () => {
  const precious = folderWith({ "0.tmp": "precious\n" });
  const out = folderWith({ ".gen-talos-module.host.1.abcdef": "mine\n" });
  plant(out, ".gen-talos-module.host.2.abcdef", precious);
  assert.equal(await generate(out, tree), []);
  assert.equal(contentsOf(precious), { "0.tmp": "precious\n" });
  assert.is(contentsOf(out)[".gen-talos-module.host.1.abcdef"], "mine\n");
});

test("`--out` may itself be a link to a folder, but not a dangling one", async () => {
  const [folder, real] = [emptyFolder(), emptyFolder()];
  plant(folder, "out", real);
  assert.equal(await generate(join(folder, "out"), tree), []);
  assert.is(contentsOf(real)["main.tf"], "1\n");
  plant(folder, "nowhere", join(real, "nothing"));
  const nowhere = join(folder, "nowhere");
  assert.equal(await readLock(nowhere), { fault: `${nowhere} is a symbolic link that leads nowhere` });
});

test.run();
