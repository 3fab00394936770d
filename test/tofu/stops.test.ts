/** What must stop a plan before anything is written, and with which words. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { caseOf } from "../golden/cases.ts";
import { readConfig, schematicId } from "./config.ts";
import { ownerOf } from "./expected-plan.ts";
import { layKeyPair, plannable } from "./planning.ts";
import { startProxmoxStub } from "./proxmox-stub.ts";
import { keyPairPaths, put, workspaceIn, type Workspace } from "./workspace.ts";

const one = caseOf("every-volume-type");
const config = readConfig(one.config);
const owner = ownerOf(config);
const stub = await startProxmoxStub();
const workspace = await plannable(one, stub);

for (const [what, vmid] of [
  ["a machine", 141],
  ["a data VM", 1420],
  ["a disk volume", 1431],
] as const) {
  test(`a foreign VM with the id of ${what}`, async () => {
    stub.vms = [{ vmid, name: "foreign", node: "pve3", tags: "k8s;talos-volumes-2" }];
    const said = await stopped(workspace);
    assert.match(
      said,
      `VM ids of this cluster belong to VMs without its tag ${owner}: ${vmid} (foreign on pve3).`,
    );
    stub.vms = [];
  });
}

test("a VM of this cluster does not stop the plan, nor does a foreign one with another id", async () => {
  stub.vms = [
    { vmid: 141, name: "controller1", node: "pve1", tags: `control-plane;k8s;${owner}` },
    { vmid: 900, name: "foreign", node: "pve1", tags: "" },
  ];
  await workspace.must("plan", "-no-color", "-input=false");
  stub.vms = [];
});

test("the tag of a cluster with another env is another tag", async () => {
  stub.vms = [{ vmid: 141, name: "controller1", node: "pve1", tags: `${owner}+qa` }];
  assert.match(await stopped(workspace), "(controller1 on pve1)");
  stub.vms = [];
});

test("a file with the name of the image, and no other file", async () => {
  const name = `talos-${schematicId(readFileSync(join(workspace.folder, "assets/talos/schematic.yaml"), "utf8"))}`;
  const file = `${name}-${config.image.version}-nocloud-amd64.qcow2`;
  stub.files = [`dev-${file}`, `${name}-v1.2.3-nocloud-amd64.qcow2`];
  await workspace.must("plan", "-no-color", "-input=false");
  stub.files = [file];
  assert.match(await stopped(workspace), `local:import/${file} is on pve1 already`);
  stub.files = [];
});

test("a schematic that was edited after the tree was generated", async () => {
  const path = "assets/talos/schematic.yaml";
  const text = readFileSync(join(workspace.folder, path), "utf8");
  put(workspace, path, `${text}      - siderolabs/iscsi-tools\n`);
  assert.match(
    await stopped(workspace),
    `A schematic was edited after the tree was generated: ${path}. Run gen-talos-module again.`,
  );
  put(workspace, path, text);
});

test("a missing key pair of Sealed Secrets", async () => {
  const { certificate, key } = keyPairPaths(one);
  rmSync(join(workspace.folder, key));
  const line = `openssl req -x509 -days 365 -nodes -newkey rsa:4096 -keyout ./${key} -out ./${certificate}`;
  assert.match(await stopped(workspace), `Sealed Secrets needs a key pair. Make one: ${line}`);
  layKeyPair(workspace, one);
});

test("a missing token", async () => {
  const withoutToken = workspaceIn(workspace.folder, { TF_VAR_proxmox_api_token: undefined });
  assert.match(await stopped(withoutToken), "No API token, or not of the form user@realm!name=secret.");
});

test("a token of another form, which is not shown", async () => {
  const wrong = workspaceIn(workspace.folder, { TF_VAR_proxmox_api_token: "PVEAPIToken=0123-4567" });
  const said = await stopped(wrong);
  assert.match(said, "No API token, or not of the form user@realm!name=secret.");
  assert.not.match(said, "0123-4567");
});

for (const [what, edit] of [
  ["a disk", (allocations) => delete allocations.disks["worker1/logs"]],
  ["a serial", (allocations) => delete allocations.serials["longhorn"]],
  ["a schematic", (allocations) => delete allocations.schematics["assets/talos/schematic.yaml"]],
  ["the bootstrap node", (allocations) => (allocations.bootstrap_node = "controller9")],
] as readonly (readonly [string, (allocations: Allocations) => unknown])[]) {
  test(`a missing allocation: ${what}`, async () => {
    const path = "allocations.auto.tfvars.json";
    const text = readFileSync(join(workspace.folder, path), "utf8");
    const values = JSON.parse(text) as { allocations: Allocations };
    edit(values.allocations);
    put(workspace, path, JSON.stringify(values));
    const said = await stopped(workspace).finally(() => put(workspace, path, text));
    assert.match(said, "Run gen-talos-module again");
  });
}

test.after(() => stub.close());

interface Allocations {
  bootstrap_node: string;
  disks: Record<string, unknown>;
  serials: Record<string, unknown>;
  schematics: Record<string, unknown>;
}

/** What tofu says when it refuses to plan, on one line. */
async function stopped({ tofu }: Workspace): Promise<string> {
  const { exitCode, stdout, stderr } = await tofu("plan", "-no-color", "-input=false");
  assert.is(exitCode, 1, stdout);
  return stderr.replace(/[│╷╵\s]+/g, " ");
}

test.run();
