import { createConnection } from "node:net";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ImageFactory } from "../factory/image-factory.ts";
import { KubernetesCluster } from "../kubernetes/cluster.ts";
import { builtTools } from "./built-tools.ts";
import { TalosNodes } from "./talos-nodes.ts";
import { Workspace } from "./workspace.ts";

const built = builtTools();

const factory = await ImageFactory.start();
const workspace = new Workspace(built.tofu, new URL("provider-test/", import.meta.url));
const cluster = new KubernetesCluster(built);
const talos = new TalosNodes(built.talosctl, cluster);
const addresses = ["127.72.0.1", "127.72.0.2", "127.72.0.3"];
const vip = "127.72.0.100";

test.after(async () => {
  workspace.remove();
  await talos.stop();
  await cluster.stop();
  await factory.stop();
});

test("an API that is late by five seconds is waited for", async () => {
  cluster.startDelaySeconds = 5;
  await Promise.all(addresses.map((ip) => talos.boot(ip)));
  const nodes = addresses.map((ip, index) => [`cp-${index}`, { ip, machine_type: "controlplane" }] as const);
  workspace.setVariables({ factory_url: factory.url, nodes: Object.fromEntries(nodes), vip });
  for (const words of [["init"], ["apply", "-auto-approve"], ["plan", "-detailed-exitcode"]] as const) {
    const [command, ...options] = words;
    const { code, output } = await workspace.run(command, ...options);
    assert.is(code, 0, output);
  }
  assert.is(cluster.etcdMembers().length, 3);
});

test("the shared address is there as long as most control planes are", async () => {
  assert.ok(await isListening(vip));
  await talos.shutdown("127.72.0.1");
  assert.ok(await isListening(vip));
  assert.not(await isListening("127.72.0.1"));
  await talos.shutdown("127.72.0.2");
  assert.not(await isListening(vip));
  assert.not(cluster.isReady);
  await talos.boot("127.72.0.2", { keepsState: true });
  await cluster.startingUp(10);
  assert.ok(await isListening(vip));
});

test("the pods of a control plane go with its node", async () => {
  const pods = "/api/v1/namespaces/kube-system/pods?labelSelector=k8s-app=kube-apiserver";
  assert.is((await cluster.client.list(pods)).length, 3);
  await cluster.client.delete("/api/v1/nodes/cp-0");
  for (let tries = 0; (await cluster.client.list(pods)).length > 2 && tries < 50; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 100));
  assert.is((await cluster.client.list(pods)).length, 2);
});

test.run();

function isListening(ip: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(6443, ip);
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
