/** Every key of the schema reaches something that a provider gets to see: another value makes another plan. */
import { parse as parseHcl } from "@cdktf/hcl2json";
import { cpSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { parse, stringify } from "yaml";
import { caseOf, layFiles } from "../golden/cases.ts";
import { generate } from "../golden/generate.ts";
import { propertiesOf, readSchema } from "../golden/schema-properties.ts";
import { temporaryFolder } from "../golden/temporary-folder.ts";
import { otherValues } from "./other-values.ts";
import { applySecrets, layKeyPair, planJson, type PlanJson } from "./planning.ts";
import { startProxmoxStub } from "./proxmox-stub.ts";
import { each } from "./run.ts";
import { put, workspaceIn, type Workspace } from "./workspace.ts";

type Changes = Readonly<Record<string, unknown>>;

const one = caseOf("every-option");
const stub = await startProxmoxStub();
const keys = propertiesOf(readSchema()).map(({ pattern }) => pattern.join("."));

/** What has evidence of its own below. */
const apart = /^(kind$|providers\.|proxmox\.(endpoint|insecure|username)$)/;

const first = await generated({});
await first.must("init", "-no-color", "-input=false");
await applySecrets(first);

test("there is another value for every key of the schema, and for nothing else", () => {
  const wanted = keys.filter((key) => !apart.test(key));
  assert.equal(Object.keys(otherValues).sort(), wanted.sort());
});

test("the same config gives the same plan", async () => {
  assert.equal(differences(await planned({}), await planned({})), []);
});

test("every key of the schema reaches an attribute that a module consumes", async () => {
  const silent: string[] = [];
  const plans = new Map<string, Promise<PlanJson>>();
  await each(Object.entries(otherValues), 2, async ([key, other]) => {
    const { given = {}, along = {}, showsIn = /./ } = other;
    const before = plans.get(JSON.stringify(given)) ?? planned(given);
    plans.set(JSON.stringify(given), before);
    const path = key.replace("*", other.at ?? "");
    const after = await planned({ ...given, ...along, [path]: other.value }, other.files);
    const shown = differences(await before, after).filter((place) => showsIn.test(place));
    if (shown.length === 0) silent.push(key);
  });
  assert.equal(silent, []);
});

test("each type of volume with a size passes it on, but for a directory, whose size Talos does not enforce", async () => {
  const before = await planned({});
  const csi = differences(before, await planned({ "volumes.shared.size": "301Mi" }));
  assert.equal(csi.map((place) => place.replace(/.*\.(\w+)\.[\w-]+$/, "$1")).sort(), [
    "kubernetes_persistent_volume_v1",
    "restapi_object",
  ]);
  assert.equal(differences(before, await planned({ "volumes.folder.size": "4G" })), []);
});

test("proxmox.endpoint: the other Proxmox is asked", async () => {
  const other = await startProxmoxStub();
  await planned({ "proxmox.endpoint": other.endpoint });
  assert.ok(other.requests.length > 0);
  other.close();
});

test("proxmox.insecure: a certificate that nobody knows is refused", async () => {
  const workspace = await variant({ "proxmox.insecure": false });
  const { exitCode, stderr } = await workspace.tofu("plan", "-no-color", "-input=false");
  assert.is(exitCode, 1);
  assert.match(stderr, "certificate");
});

test("proxmox.username: the provider's ssh block has it", async () => {
  const plan = await planned({ "proxmox.username": "other" });
  const { expressions } = plan.configuration.provider_config["proxmox"] as {
    expressions: { ssh: { username: { references: string[] } }[] };
  };
  assert.ok(expressions.ssh[0]?.username.references.includes("var.proxmox.username"));
  assert.is((plan.variables["proxmox"]?.value as { username: string }).username, "other");
});

test("providers: tofu looks for these versions", async () => {
  const versions = { kubernetes: "3.2.9", proxmox: "0.111.9", restapi: "2.0.9", talos: "0.11.9" };
  const names = keys
    .filter((key) => key.startsWith("providers."))
    .map((key) => key.slice("providers.".length));
  assert.equal(names.sort(), Object.keys(versions));
  const workspace = await generated({ providers: versions });
  const { terraform } = (await parseHcl(
    "versions.tf",
    readFileSync(join(workspace.folder, "versions.tf"), "utf8"),
  )) as { terraform: { required_providers: Record<string, { version: string }>[] }[] };
  for (const [name, version] of Object.entries(versions)) {
    assert.is(terraform[0]?.required_providers[0]?.[name]?.version, version);
  }
  const { exitCode, stdout } = await workspace.tofu("init", "-no-color", "-input=false");
  assert.is(exitCode, 1);
  for (const version of Object.values(versions)) assert.match(stdout, version);
});

test("kind: may be left out, and another is refused", async () => {
  const without = await generated({ kind: undefined });
  for (const file of ["terraform.tfvars", "gen-talos-module.lock.json"]) {
    const [a, b] = [without, first].map(({ folder }) => readFileSync(join(folder, file), "utf8"));
    assert.is(a, b);
  }
  const refusal = await generated({ kind: "other" }).catch((error: Error) => error.message);
  assert.match(String(refusal), "kind");
});

test.after(() => stub.close());

/** The tree of golden/every-option with the stub as its Proxmox and these values changed, and with a key pair. */
async function generated(changes: Changes, files: Readonly<Record<string, string>> = {}): Promise<Workspace> {
  const config = parse(readFileSync(one.config, "utf8")) as Record<string, unknown>;
  for (const [path, value] of Object.entries({ "proxmox.endpoint": stub.endpoint, ...changes })) {
    set(config, path.split("."), value);
  }
  const source = workspaceIn(temporaryFolder());
  put(source, "cluster.yaml", stringify(config));
  const workspace = workspaceIn(temporaryFolder());
  layFiles(one, workspace.folder);
  layKeyPair(workspace, one);
  for (const [path, text] of Object.entries(files)) put(workspace, path, text);
  await generate(join(source.folder, "cluster.yaml"), workspace.folder);
  return workspace;
}

/** The same, initialized, and with the machine secrets of the first one: all else that differs is the change. */
async function variant(changes: Changes, files?: Readonly<Record<string, string>>): Promise<Workspace> {
  const workspace = await generated(changes, files);
  symlinkSync(join(first.folder, ".terraform"), join(workspace.folder, ".terraform"));
  for (const file of [".terraform.lock.hcl", "terraform.tfstate"]) {
    cpSync(join(first.folder, file), join(workspace.folder, file));
  }
  return workspace;
}

async function planned(changes: Changes, files?: Readonly<Record<string, string>>): Promise<PlanJson> {
  return planJson(await variant(changes, files));
}

/** Addresses that are planned otherwise. Outputs do not count: only what a provider gets to see. */
function differences(a: PlanJson, b: PlanJson): string[] {
  const [before, after] = [a, b].map(
    ({ resource_changes }) =>
      new Map(resource_changes.map(({ address, change }) => [address, JSON.stringify(change)])),
  ) as [Map<string, string>, Map<string, string>];
  const addresses = new Set([...before.keys(), ...after.keys()]);
  return [...addresses].filter((address) => before.get(address) !== after.get(address));
}

function set(object: Record<string, unknown>, [key = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length > 0) set(object[key] as Record<string, unknown>, rest, value);
  else if (value === undefined) delete object[key];
  else object[key] = value;
}

test.run();
