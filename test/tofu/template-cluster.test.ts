/** The trees of clusters from templates: what a plan creates, what machines are given, and what must stop a plan. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { caseOf, casesOf, type Case } from "../golden/cases.ts";
import { expectedDocuments, expectedPlan, readConfig } from "../kinds/template-cluster/expected.ts";
import { toolEnvironment } from "../tools/tools.ts";
import { temporaryFolder } from "../golden/temporary-folder.ts";
import { generate } from "../../src/kinds/template-cluster/generate.ts";
import { readDocuments } from "./expected-machine-config.ts";
import { hostileTexts } from "./hostile.ts";
import { lacks } from "./includes.ts";
import { machineConfigurations, planJson } from "./planning.ts";
import { startProxmoxStub } from "./proxmox-stub.ts";
import { run } from "./run.ts";
import { copyOf, put, requireTools, workspaceIn, type Workspace } from "./workspace.ts";

const SECRETS = "module.talos-bootstrap.talos_machine_secrets.this";

const { talosctl } = requireTools();
const stub = await startProxmoxStub();

for (const one of casesOf("template-cluster")) {
  const plan = once(async () => {
    const workspace = await plannable(one);
    await workspace.must("apply", "-no-color", "-input=false", "-auto-approve", `-target=${SECRETS}`);
    return { workspace, json: await planJson(workspace) };
  });

  test(`${one.name}: a plan creates exactly what the config says`, async () => {
    const { json } = await plan();
    const expected = expectedPlan(readConfig(one.config));
    const changes = new Map(json.resource_changes.map(({ address, change }) => [address, change]));
    // With DHCP, what depends on addresses is read when they are known.
    const isRead = (address: string) => /\bdata\.talos_client_configuration\b/.test(address);
    const made = [...changes.keys()].filter((address) => !isRead(address));
    assert.equal(made.sort(), [...expected.keys()].sort());
    for (const address of made) {
      const { actions, after } = changes.get(address)!;
      assert.equal(actions, [address === SECRETS ? "no-op" : "create"], address);
      assert.equal(lacks(sortTags(after), expected.get(address), address), []);
    }
  });

  test(`${one.name}: machine configurations hold what the config says, and Talos accepts them`, async () => {
    const { workspace, json } = await plan();
    const config = readConfig(one.config);
    const texts = machineConfigurations(json);
    assert.equal(Object.keys(texts).sort(), config.machines.map(({ name }) => name).sort());
    for (const machine of config.machines) {
      const text = texts[machine.name] ?? "";
      const documents = readDocuments(text);
      const expected = expectedDocuments(config, machine);
      assert.equal(Object.keys(documents).sort(), Object.keys(expected).sort(), machine.name);
      assert.equal(lacks(documents, expected, machine.name), []);
      const { config_patches: patches = {} } = config.cluster;
      for (const patch of [...(patches.all ?? []), ...(patches[machine.role] ?? [])]) {
        assert.equal(lacks(documents["machine"], parse(patch), machine.name), []);
      }
      put(workspace, "machine.yaml", text);
      const { exitCode, stdout, stderr } = await run(
        talosctl,
        ["validate", "--mode", "cloud", "--config", "machine.yaml"],
        { cwd: workspace.folder, env: toolEnvironment() },
      );
      assert.is(exitCode, 0, `${machine.name}: ${stdout}${stderr}`);
    }
  });
}

test("planning asks Proxmox for its VMs and the image, and changes nothing", () => {
  const asked = new Set(stub.requests.map((request) => request.replace(/pve\d/, "<node>")));
  assert.equal([...asked].sort(), [
    "GET /api2/json/nodes",
    "GET /api2/json/nodes/<node>/qemu",
    "GET /api2/json/nodes/<node>/storage/images/content",
    "GET /api2/json/nodes/<node>/storage/local/content",
  ]);
});

const workspace = await plannable(caseOf("template-cluster-three-hosts"));

for (const [what, vmid] of [
  ["a template", 999],
  ["a control plane", 2001],
  ["a worker", 3002],
] as const) {
  test(`a foreign VM with the id of ${what}`, async () => {
    stub.vms = [{ vmid, name: "foreign", node: "pve3", tags: "talos;talos+three2;worker" }];
    assert.match(
      await stopped(workspace),
      `VM ids of this cluster belong to VMs without its tag talos+three: ${vmid} (foreign on pve3).`,
    );
    stub.vms = [];
  });
}

test("a VM of this cluster does not stop the plan, nor does a foreign one with another id", async () => {
  stub.vms = [
    { vmid: 2000, name: "three-controlplane-1", node: "pve1", tags: "controlplane;talos;talos+three" },
    { vmid: 900, name: "foreign", node: "pve1", tags: "" },
  ];
  await workspace.must("plan", "-no-color", "-input=false");
  stub.vms = [];
});

test("a file with the name of the image", async () => {
  const expected = expectedPlan(readConfig(caseOf("template-cluster-three-hosts").config));
  const download = expected.get("module.proxmox-infrastructure.proxmox_download_file.image");
  const { file_name: file } = download as { file_name: string };
  stub.files = [file];
  assert.match(
    await stopped(workspace),
    `local:import/${file} is on pve1 already, and the state does not say that this cluster downloaded it there.`,
  );
  stub.files = [];
});

test("a missing token", async () => {
  const withoutToken = workspaceIn(workspace.folder, { TF_VAR_proxmox_api_token: undefined });
  assert.match(await stopped(withoutToken), "No API token, or not of the form user@realm!name=secret.");
});

for (const [what, edit] of [
  ["a machine", ({ nodes }) => delete nodes["three-worker-2"]],
  ["a machine of another host", ({ nodes }) => (nodes["three-worker-3"]!["host_node"] = "pve2")],
  ["an address", ({ nodes }) => delete nodes["three-worker-2"]!["ip"]],
  ["an address elsewhere", ({ nodes }) => (nodes["three-worker-2"]!["ip"] = "10.1.3.21")],
  ["an address that is used twice", ({ nodes }) => (nodes["three-worker-2"]!["ip"] = "10.1.2.20")],
  ["an id that is used twice", ({ nodes }) => (nodes["three-worker-2"]!["vm_id"] = 3000)],
  ["the bootstrap node", (allocations) => (allocations.bootstrap_node = "three-worker-1")],
  ["the schematic", (allocations) => (allocations.schematic.extensions = ["siderolabs/iscsi-tools"])],
] as readonly (readonly [string, (allocations: Allocations) => unknown])[]) {
  test(`an allocation that does not hold: ${what}`, async () => {
    const path = "allocations.auto.tfvars.json";
    const text = readFileSync(join(workspace.folder, path), "utf8");
    const values = JSON.parse(text) as { allocations: Allocations };
    edit(values.allocations);
    put(workspace, path, JSON.stringify(values));
    const said = await stopped(workspace).finally(() => put(workspace, path, text));
    assert.match(said, "Run gen-talos-module again");
  });
}

test("with DHCP each machine has the address that its own MAC address has, and none is a clear error", async () => {
  const { folder, must, tofu } = copyOf(caseOf("template-cluster-dhcp"));
  await must("init", "-no-color", "-input=false", "-backend=false");
  const path = "tests/cluster.tftest.hcl";
  const text = readFileSync(join(folder, path), "utf8");
  const names = ["dhcp-controlplane-1", "dhcp-worker-1", "dhcp-worker-2"];
  const asserts = names.map(
    (name, index) =>
      `  assert {\n    condition     = output.nodes["${name}"].address == "192.0.2.${index + 1}"\n    error_message = "wrong"\n  }\n`,
  );
  put(
    { folder, must, tofu },
    path,
    text.replace("  command = plan\n", `  command = plan\n${asserts.join("")}`),
  );
  assert.match(await must("test", "-no-color"), "3 passed, 0 failed");
  put({ folder, must, tofu }, path, text.replace('["192.0.2.2"]', "[]"));
  const { exitCode, stdout, stderr } = await tofu("test", "-no-color");
  assert.is(exitCode, 1);
  assert.match(
    (stdout + stderr).replace(/\s+/g, " "),
    "The guest agent of dhcp-worker-1 has told no address.",
  );
});

test("patches arrive unchanged, whatever is in them", async () => {
  const texts = hostileTexts(400).map(
    (text, index) => `${JSON.stringify({ text })}${index % 2 === 0 ? "\n" : ""}`,
  );
  const lines = [
    "a: b\n  \n",
    "a: |\n  EOT\n  ${x}\n  %{if}\n",
    "  a: b\n",
    "a: b",
    "a: |\n  EOT\nEOT: ,\n",
    'a: "\\\\"\n',
  ];
  const patches = [...texts, ...lines];
  const { cluster_config, ...rest } = parse(
    readFileSync(caseOf("template-cluster-one-host").config, "utf8"),
  ) as {
    cluster_config: object;
  };
  const given = { ...rest, cluster_config: { ...cluster_config, config_patches: { worker: patches } } };
  const none = new Set<string>();
  const surroundings = {
    source: "x",
    read: () => undefined,
    memory: undefined,
    allowDestroy: none,
    accept: none,
  };
  const values = generate(given as never, surroundings).tree.get("terraform.tfvars")?.text ?? "";
  const { folder, must, tofu } = workspaceIn(temporaryFolder());
  const space = { folder, must, tofu };
  put(
    space,
    "main.tf",
    'variable "cluster_config" {}\n\noutput "patches" {\n  value = var.cluster_config.config_patches.worker\n}\n',
  );
  put(space, "terraform.tfvars", values);
  await must("apply", "-no-color", "-input=false", "-auto-approve");
  const read = JSON.parse(await must("output", "-json", "patches")) as string[];
  assert.equal(
    read,
    patches.map((text) => text.normalize("NFC")),
  );
});

test.after(() => stub.close());

interface Allocations {
  bootstrap_node: string;
  nodes: Record<string, Record<string, unknown>>;
  schematic: { extensions: string[]; id: string };
}

/** A copy of a golden tree, initialized, with the stub as its Proxmox; everything else is as it was generated. */
async function plannable(one: Case): Promise<Workspace> {
  const copy = copyOf(one);
  const path = "terraform.tfvars";
  const values = readFileSync(join(copy.folder, path), "utf8");
  const pointed = values
    .replace(/^( {2}endpoint +)= .*$/m, `$1= "${stub.endpoint}"`)
    .replace(/^( {2}insecure +)= .*$/m, "$1= true");
  put(copy, path, pointed);
  await copy.must("init", "-no-color", "-input=false");
  return copy;
}

/** Proxmox does not know an order of tags. */
function sortTags(after: unknown): unknown {
  const { tags, ...rest } = after as { tags?: string[] };
  return tags === undefined ? after : { ...rest, tags: [...tags].sort() };
}

/** What tofu says when it refuses to plan, on one line. */
async function stopped({ tofu }: Workspace): Promise<string> {
  const { exitCode, stdout, stderr } = await tofu("plan", "-no-color", "-input=false");
  assert.is(exitCode, 1, stdout);
  return stderr.replace(/[│╷╵\s]+/g, " ");
}

/** Work that is done when it is first asked for, and only then. */
function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => (result ??= work());
}

test.run();
