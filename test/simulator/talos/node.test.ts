import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { toolEnvironment } from "../../tools/tools.ts";
import { KubernetesCluster } from "../kubernetes/cluster.ts";
import { builtTools } from "./built-tools.ts";
import { call } from "./grpc-client.ts";
import { TalosNodes } from "./talos-nodes.ts";

const controlPlane = "127.73.0.1";
const worker = "127.73.0.2";
const disks = "/storage.StorageService/Disks";
const apply = "/machine.MachineService/ApplyConfiguration";
const bootstrap = "/machine.MachineService/Bootstrap";
const version = "/machine.MachineService/Version";

const built = builtTools();
const configurations = generate(built.talosctl);
let nodes: TalosNodes;

test.before.each(async () => {
  const cluster = new KubernetesCluster(built);
  cluster.startDelaySeconds = 3600; // No test here needs the API.
  nodes = new TalosNodes(built.talosctl, cluster);
  await Promise.all([nodes.boot(controlPlane), nodes.boot(worker)]);
});

test.after.each(async () => {
  await nodes.stop();
  await nodes.cluster.stop();
});

const applyAll = () =>
  Promise.all([
    call(controlPlane, apply, { data: configurations.controlPlane }),
    call(worker, apply, { data: configurations.worker }),
  ]);

test("in maintenance mode anyone may ask for disks and apply, and nothing else works", async () => {
  assert.is((await call(controlPlane, disks)).code, "OK");
  assert.is((await call(controlPlane, bootstrap)).code, "FailedPrecondition");
  const refused = await call(controlPlane, "/machine.MachineService/ServiceList");
  assert.is(refused.message, "API is not implemented in maintenance mode");
  assert.is(nodes.condition(controlPlane), "maintenance");
});

test("a configured node wants a client certificate of its own authority", async () => {
  await applyAll();
  assert.is(nodes.condition(worker), "configured");
  for (const ip of [controlPlane, worker]) {
    assert.is((await call(ip, disks, {}, configurations.credentials)).code, "OK");
    await fails(() => call(ip, disks));
    await fails(() =>
      call(ip, disks, {}, { ...configurations.credentials, ...generate(built.talosctl).client }),
    );
  }
  const [refused] = nodes.requests.filter(({ method }) => method === "handshake");
  assert.is(refused?.ip, controlPlane);
});

test("what arrived is kept, and validated as the node would", async () => {
  const broken = Buffer.from(
    `${configurations.worker.toString()}\n---\nkind: Nonsense\napiVersion: v1alpha1\n`,
  );
  const refused = await call(worker, apply, { data: broken });
  assert.is(refused.code, "InvalidArgument");
  assert.match(refused.message, /Nonsense/);
  assert.is((await call(worker, apply, { data: configurations.worker, dryRun: true })).code, "OK");
  assert.is(nodes.condition(worker), "maintenance");
  await call(worker, apply, { data: configurations.worker });
  const [first, second, ...more] = nodes.configurations(worker);
  assert.match(first?.problem ?? "", /Nonsense/);
  assert.is(second?.problem, undefined);
  assert.ok(second?.bytes.equals(configurations.worker));
  assert.is(more.length, 0);
});

test("a cluster is bootstrapped once, on a control plane", async () => {
  await applyAll();
  const { credentials } = configurations;
  assert.is((await call(worker, bootstrap, {}, credentials)).code, "Unimplemented");
  assert.is((await call(controlPlane, bootstrap, {}, credentials)).code, "OK");
  assert.is((await call(controlPlane, bootstrap, {}, credentials)).code, "AlreadyExists");
});

test("etcd's data outlives a rebuilt control plane, but not the loss of its disk", async () => {
  await applyAll();
  await call(controlPlane, bootstrap, {}, configurations.credentials);
  await nodes.boot(controlPlane);
  assert.is(nodes.condition(controlPlane), "maintenance");
  assert.ok(nodes.cluster.isBootstrapped);
  await nodes.boot(controlPlane, { keepsState: true });
  assert.is(nodes.condition(controlPlane), "maintenance", "STATE was lost before");
  await nodes.boot(controlPlane, { keepsEphemeral: false });
  assert.not(nodes.cluster.isBootstrapped);
});

test("a restarted node keeps its configuration", async () => {
  await applyAll();
  await nodes.shutdown(controlPlane);
  await fails(() => call(controlPlane, disks));
  await nodes.boot(controlPlane, { keepsState: true });
  assert.is((await call(controlPlane, disks, {}, configurations.credentials)).code, "OK");
});

test("a control plane asks others on behalf of the client and says whose answer it is", async () => {
  await applyAll();
  await nodes.shutdown(worker);
  const { credentials } = configurations;
  const { fields } = await call(controlPlane, version, {}, credentials, {
    nodes: `${controlPlane},${worker}`,
  });
  const messages = fields?.["messages"] as { metadata: { hostname: string; error: string } }[];
  assert.equal(
    messages.map(({ metadata }) => metadata.hostname),
    [controlPlane, worker],
  );
  assert.is(messages[0]?.metadata.error, "");
  assert.match(messages[1]?.metadata.error ?? "", "connection refused");
  await nodes.boot(worker, { keepsState: true });
  const forwarded = await call(worker, version, {}, credentials, { nodes: controlPlane });
  assert.is(forwarded.message, "no request forwarding");
});

test("a reset is refused, an unknown method is recorded", async () => {
  await applyAll();
  const reset = await call(worker, "/machine.MachineService/Reset", {}, configurations.credentials);
  assert.is(reset.message, "this stand-in of a node cannot be reset");
  const unknown = "/machine.MachineService/Shutdown";
  assert.is((await call(worker, unknown, {}, configurations.credentials)).code, "Unimplemented");
  const [recorded] = nodes.requests.filter(({ method }) => method === unknown);
  assert.is(recorded?.outcome, "Unimplemented");
});

test.run();

/** Configurations of a new cluster, and the client's side of mutual TLS with it. */
function generate(talosctl: string) {
  const folder = mkdtempSync(join(tmpdir(), "talosctl-"));
  try {
    execFileSync(
      talosctl,
      ["gen", "config", "test", `https://${controlPlane}:6443`, "--output-dir", folder],
      {
        env: { ...toolEnvironment(), HOME: folder },
        stdio: "ignore",
      },
    );
    const file = (name: string) => readFileSync(join(folder, name));
    const { contexts } = parse(file("talosconfig").toString()) as {
      contexts: Record<string, { ca: string; crt: string; key: string }>;
    };
    const { ca = "", crt = "", key = "" } = contexts["test"] ?? {};
    const plain = (base64: string) => Buffer.from(base64, "base64").toString();
    const client = { cert: plain(crt), key: plain(key).replaceAll("ED25519 PRIVATE KEY", "PRIVATE KEY") };
    return {
      controlPlane: file("controlplane.yaml"),
      worker: file("worker.yaml"),
      client,
      credentials: { ca: plain(ca), ...client },
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function fails(attempt: () => Promise<unknown>): Promise<void> {
  const succeeded = await attempt().then(
    () => true,
    () => false,
  );
  assert.not(succeeded);
}
