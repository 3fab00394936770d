import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { casesOf } from "../golden/cases.ts";
import { toolEnvironment } from "../tools/tools.ts";
import { readConfig } from "./config.ts";
import { ciliumValues, expectedDocuments, readDocuments } from "./expected-machine-config.ts";
import { expectedPlan } from "./expected-plan.ts";
import { lacks } from "./includes.ts";
import { applySecrets, machineConfigurations, plannable, planJson } from "./planning.ts";
import { startProxmoxStub } from "./proxmox-stub.ts";
import { run } from "./run.ts";
import { put, requireTools, type Workspace } from "./workspace.ts";

const { talosctl } = requireTools();
const stub = await startProxmoxStub();

for (const one of casesOf("talos-cluster")) {
  const plan = once(async () => {
    const workspace = await plannable(one, stub);
    await applySecrets(workspace);
    return { workspace, json: await planJson(workspace) };
  });

  test(`${one.name}: a plan creates exactly what the config says`, async () => {
    const { workspace, json } = await plan();
    const expected = expectedPlan(readConfig(one.config), reader(workspace));
    const changes = new Map(json.resource_changes.map(({ address, change }) => [address, change]));
    assert.equal([...changes.keys()].sort(), [...expected.keys()].sort());
    const done = "module.talos.talos_machine_secrets.this";
    const read = "module.talos.data.talos_cluster_health.this[0]";
    for (const [address, { actions, after }] of changes) {
      assert.equal(actions, [address === done ? "no-op" : address === read ? "read" : "create"], address);
      assert.equal(lacks(after, expected.get(address), address), []);
    }
  });

  test(`${one.name}: machine configurations hold what the config says, and Talos accepts them`, async () => {
    const { workspace, json } = await plan();
    const config = readConfig(one.config);
    const texts = machineConfigurations(json);
    assert.equal(Object.keys(texts).sort(), Object.keys(config.nodes).sort());
    for (const [name, text] of Object.entries(texts)) {
      const documents = readDocuments(text);
      const expected = expectedDocuments(config, name, reader(workspace));
      assert.equal(Object.keys(documents).sort(), Object.keys(expected).sort(), name);
      assert.equal(lacks(documents, expected, name), []);
      if (config.nodes[name]?.machine_type === "controlplane") {
        const values = reader(workspace)(config.cilium.values_file_path);
        assert.equal(lacks(ciliumValues(documents), { data: { "values.yaml": values } }), []);
      }
      put(workspace, "machine.yaml", text);
      const { exitCode, stdout, stderr } = await run(
        talosctl,
        ["validate", "--mode", "cloud", "--config", "machine.yaml"],
        { cwd: workspace.folder, env: toolEnvironment() },
      );
      assert.is(exitCode, 0, `${name}: ${stdout}${stderr}`);
    }
  });
}

test("planning asks Proxmox for its VMs and images, and changes nothing", () => {
  const asked = new Set(stub.requests.map((request) => request.replace(/pve\d/, "<node>")));
  assert.equal([...asked].sort(), [
    "GET /api2/json/nodes",
    "GET /api2/json/nodes/<node>/qemu",
    "GET /api2/json/nodes/<node>/storage/images/content",
    "GET /api2/json/nodes/<node>/storage/local/content",
  ]);
});

test.after(() => stub.close());

/** Texts of the tree, the user's own files included. */
function reader({ folder }: Workspace): (path: string) => string {
  return (path) => readFileSync(join(folder, path), "utf8");
}

/** Work that is done when it is first asked for, and only then. */
function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => (result ??= work());
}

test.run();
