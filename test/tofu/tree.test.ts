import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { caseOf, cases, readTree, type Case } from "../golden/cases.ts";
import { temporaryFolder } from "../golden/temporary-folder.ts";
import { toolEnvironment } from "../tools/tools.ts";
import { run } from "./run.ts";
import { copyOf, put, requireTools, workspaceIn, type Workspace } from "./workspace.ts";

const { tflint, terraform, terraformDocs } = requireTools();

/** Neither a user's settings nor a token: what is tested here needs none. */
const env = toolEnvironment();

for (const one of cases) {
  const initialized = copyOf(one);

  test(`${one.name}: tofu fmt has nothing to say`, async () => {
    const { exitCode, stdout, stderr } = await initialized.tofu("fmt", "-check", "-recursive", "-diff");
    assert.is(exitCode, 0, stdout + stderr);
  });

  test(`${one.name}: tofu init and validate`, async () => {
    await initialized.must("init", "-no-color", "-input=false", "-backend=false");
    const answer = JSON.parse(await initialized.must("validate", "-json")) as { diagnostics: unknown[] };
    assert.equal(answer.diagnostics, []);
  });

  test(`${one.name}: tofu test passes without a Proxmox, a token or a key pair`, async () => {
    const withoutToken = workspaceIn(initialized.folder, { TF_VAR_proxmox_api_token: undefined });
    const { exitCode, stdout, stderr } = await withoutToken.tofu("test", "-no-color");
    assert.is(exitCode, 0, stdout + stderr);
    assert.match(stdout, /^Success! [0-9]+ passed, 0 failed\.$/m);
  });

  test(`${one.name}: tflint with its recommended rules finds nothing`, async () => {
    const config = join(temporaryFolder(), "tflint.hcl");
    writeFileSync(config, "");
    const { exitCode, stdout, stderr } = await run(
      tflint,
      ["--recursive", "--no-color", "--format=compact", `--config=${config}`],
      { cwd: initialized.folder, env },
    );
    assert.is(exitCode, 0, stdout + stderr);
    assert.is(stdout.trim(), "");
  });

  test(`${one.name}: terraform-docs finds every input and output described`, async () => {
    for (const module of modulesOf(one)) {
      const { exitCode, stdout, stderr } = await run(terraformDocs, ["json", "--recursive=false", module], {
        cwd: initialized.folder,
        env,
      });
      assert.is(exitCode, 0, stderr);
      const { inputs, outputs } = JSON.parse(stdout) as Record<
        "inputs" | "outputs",
        { name: string; description: string | null }[]
      >;
      assert.equal(
        [...inputs, ...outputs].filter(({ description }) => !description),
        [],
        module,
      );
      assert.equal(inputs.map(({ name }) => name).sort(), declared(one, module, "variable"), module);
      assert.equal(outputs.map(({ name }) => name).sort(), declared(one, module, "output"), module);
    }
  });

  if (terraform !== undefined) {
    test(`${one.name}: terraform init and validate`, async () => {
      const { folder } = copyOf(one);
      const init = await run(terraform, ["init", "-no-color", "-input=false", "-backend=false"], {
        cwd: folder,
        env,
      });
      assert.is(init.exitCode, 0, init.stdout + init.stderr);
      const validate = await run(terraform, ["validate", "-json"], { cwd: folder, env });
      assert.equal(
        (JSON.parse(validate.stdout) as { diagnostics: unknown[] }).diagnostics,
        [],
        validate.stdout,
      );
    });
  }
}

test("tofu test fails when two nodes have one vm_id", async () => {
  const workspace = await edited("three-control-planes-vip", "terraform.tfvars", /= 142$/m, "= 141");
  const { exitCode, stdout, stderr } = await workspace.tofu("test", "-no-color");
  assert.is(exitCode, 1, stdout);
  assert.match(stdout + stderr, "Two nodes have one vm_id.");
});

test("tofu test fails when a node has the id of a data VM", async () => {
  const workspace = await edited("three-control-planes-vip", "terraform.tfvars", /= 142$/m, "= 1410");
  const { exitCode, stdout, stderr } = await workspace.tofu("test", "-no-color");
  assert.is(exitCode, 1, stdout);
  assert.match(flat(stdout + stderr), "Two VMs of this cluster have one id: 1410.");
});

test("tofu test fails when a disk has moved to another slot", async () => {
  const workspace = await edited(
    "every-volume-type",
    "allocations.auto.tfvars.json",
    /"slot": 2/,
    '"slot": 5',
  );
  const { exitCode, stdout, stderr } = await workspace.tofu("test", "-no-color");
  assert.is(exitCode, 1, stdout);
  assert.match(flat(stdout + stderr), "A disk volume has moved");
});

/** A golden tree with one piece of one file replaced. */
async function edited(name: string, path: string, old: RegExp, replacement: string): Promise<Workspace> {
  const workspace = copyOf(caseOf(name));
  const text = readFileSync(join(workspace.folder, path), "utf8");
  assert.match(text, old);
  put(workspace, path, text.replace(old, replacement));
  await workspace.must("init", "-no-color", "-input=false", "-backend=false");
  return workspace;
}

/** Folders with a versions.tf. */
function modulesOf({ tree }: Case): string[] {
  return [...readTree(tree).keys()].filter((path) => /(^|\/)versions\.tf$/.test(path)).map(dirname);
}

/** Names that the blocks of this kind have in a module, going by the text. */
function declared({ tree }: Case, module: string, block: "variable" | "output"): string[] {
  const text = readTree(tree).get(join(module, `${block}s.tf`)) ?? "";
  return [...text.matchAll(new RegExp(`^${block} "([^"]+)"`, "gm"))].map(([, name]) => name ?? "").sort();
}

/** Messages are wrapped and framed for a terminal. */
function flat(text: string): string {
  return text.replace(/[│╷╵\s]+/g, " ");
}

test.run();
