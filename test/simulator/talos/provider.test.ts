import { test } from "uvu";
import * as assert from "uvu/assert";
import { parseAllDocuments } from "yaml";
import { ImageFactory } from "../factory/image-factory.ts";
import type { KubernetesObject } from "../kubernetes/api-client.ts";
import { KubernetesCluster } from "../kubernetes/cluster.ts";
import { builtTools } from "./built-tools.ts";
import { call } from "./grpc-client.ts";
import { TalosNodes } from "./talos-nodes.ts";
import { Workspace } from "./workspace.ts";

/** The real OpenTofu with the stand-in of the Talos provider, which makes the same calls as the one it stands for. */
const source = new URL("provider-test/", import.meta.url);
const built = builtTools();

const factory = await ImageFactory.start();
const workspace = new Workspace(built.tofu, source);
const cluster = new KubernetesCluster(built);
const talos = new TalosNodes(built.talosctl, cluster);
const controlPlane = "127.71.0.1";
const worker = "127.71.0.2";
const variables = {
  factory_url: factory.url,
  nodes: {
    "cp-1": { ip: controlPlane, machine_type: "controlplane" },
    "worker-1": { ip: worker, machine_type: "worker" },
  },
};
const succeed = (command: string, ...words: string[]) => succeedIn(workspace, command, ...words);

test.before(async () => {
  await Promise.all([controlPlane, worker].map((ip) => talos.boot(ip)));
  workspace.setVariables(variables);
  await succeed("init");
});

test.after(async () => {
  workspace.remove();
  await talos.stop();
  await cluster.stop();
  await factory.stop();
});

test("an apply makes a cluster", async () => {
  const { seconds } = await succeed("apply", "-auto-approve");
  console.log(`apply: ${seconds.toFixed(1)} s`);
  for (const ip of [controlPlane, worker]) {
    const [configuration, ...more] = talos.configurations(ip);
    assert.is(configuration?.problem, undefined);
    assert.is(configuration?.isAuthenticated, false);
    assert.is(more.length, 0);
  }
  assert.is(talos.requests.filter(({ method }) => method.endsWith("/Bootstrap")).length, 1);
  assert.equal(unknownMethods(talos), []);
  assert.equal(factory.schematics, ["ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515"]);
});

test("the machines are in Kubernetes, with what their configurations say", async () => {
  const nodes = await cluster.client.list("/api/v1/nodes");
  assert.equal(nodes.map(summary), [
    { name: "cp-1", zone: "zone-of-cp-1", isControlPlane: true, address: controlPlane },
    { name: "worker-1", zone: "zone-of-worker-1", isControlPlane: false, address: worker },
  ]);
  const volume = await cluster.client.get("/api/v1/persistentvolumes/pictures");
  assert.is(volume.status?.["phase"], "Available");
  const secret = await cluster.client.get("/api/v1/namespaces/storage/secrets/token");
  assert.is(Buffer.from(secret.data?.["token"] ?? "", "base64").toString(), "nothing");
});

test("the next plan is empty", async () => {
  await succeed("plan", "-detailed-exitcode");
});

test("a changed patch is applied over mutual TLS, to which there is no other way", async () => {
  workspace.setVariables({ ...variables, patch: "machine: { sysctls: { vm.swappiness: '0' } }" });
  await succeed("apply", "-auto-approve");
  for (const ip of [controlPlane, worker]) {
    const { bytes, isAuthenticated } = talos.configurations(ip).at(-1)!;
    assert.is(isAuthenticated, true);
    const [main] = parseAllDocuments(bytes.toString()).map((document) => document.toJS());
    assert.equal(main.machine.sysctls, { "vm.swappiness": "0" });
    assert.is(talos.configurations(ip).length, 2);
    assert.ok(talos.requests.some((request) => request.ip === ip && request.method === "handshake"));
    const anonymous = await call(ip, "/storage.StorageService/Disks").catch((error: Error) => error);
    assert.instance(anonymous, Error);
  }
  await succeed("plan", "-detailed-exitcode");
});

test("with the cluster down, a plan works without health check and refresh, and not with the latter", async () => {
  await cluster.takeDown();
  workspace.setVariables({ ...variables, wait_for_health: false });
  await succeed("plan", "-refresh=false");
  const { code, output } = await workspace.run("plan");
  assert.is(code, 1);
  assert.match(output, "connect: connection refused");
  await cluster.bringUp();
  workspace.setVariables(variables);
  await succeed("apply", "-auto-approve");
});

test("a rebuilt control plane gets its configuration again and needs no bootstrap", async () => {
  await talos.boot(controlPlane);
  // As the API went with the machine, nothing in it can be refreshed.
  const replacement = '-replace=talos_machine_configuration_apply.this["cp-1"]';
  await succeed("apply", "-auto-approve", "-refresh=false", replacement);
  assert.is(talos.configurations(controlPlane).at(-1)?.isAuthenticated, false);
  assert.is(talos.requests.filter(({ method }) => method.endsWith("/Bootstrap")).length, 1);
  await cluster.client.get("/api/v1/namespaces/storage/secrets/token");
});

test("destroy takes everything away but the machines", async () => {
  await succeed("destroy", "-auto-approve");
  const left = async (path: string) => (await cluster.client.list(path)).map(({ metadata }) => metadata.name);
  assert.equal(await left("/api/v1/persistentvolumes"), []);
  assert.not((await left("/api/v1/namespaces")).includes("storage"));
  assert.equal(await left("/api/v1/namespaces/storage/secrets"), []);
  assert.equal(await left("/api/v1/nodes"), ["cp-1", "worker-1"]);
  assert.is(talos.condition(controlPlane), "configured");
  assert.equal(unknownMethods(talos), []);
});

test.run();

async function succeedIn(workspace: Workspace, command: string, ...words: string[]) {
  const run = await workspace.run(command, ...words);
  assert.is(run.code, 0, `${command} ${words.join(" ")}:\n${run.output}`);
  return run;
}

function unknownMethods(talos: TalosNodes): readonly string[] {
  return talos.requests.filter(({ outcome }) => outcome === "Unimplemented").map(({ method }) => method);
}

function summary({ metadata: { name, labels }, status }: KubernetesObject) {
  const addresses = status?.["addresses"] as { type: string; address: string }[];
  return {
    name,
    zone: labels?.["topology.kubernetes.io/zone"],
    isControlPlane: "node-role.kubernetes.io/control-plane" in (labels ?? {}),
    address: addresses.find(({ type }) => type === "InternalIP")?.address,
  };
}
