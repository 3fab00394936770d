import { request } from "node:https";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { expectedDocuments, type Config, type Machine } from "../../kinds/template-cluster/expected.ts";
import { readDocuments } from "../../tofu/expected-machine-config.ts";
import { lacks } from "../../tofu/includes.ts";
import { observe, together, type ProxmoxState } from "../proxmox-state.ts";
import { expectedProxmox } from "./expected-proxmox.ts";
import type { World } from "./world.ts";

/** What is in Proxmox now. The addresses that the README promises are asked for, any other is as it comes. */
export function stateOf(world: World): ProxmoxState {
  return observe(world.proxmox, [...macsOf(world).values()]);
}

/** Proxmox holds what was there before and what the config says, and nothing else. */
export function proveProxmox(world: World, before: ProxmoxState): void {
  assert.equal(stateOf(world), together(before, expectedProxmox(world.config, macsOf(world))));
}

/** The README names each machine with the place and the address that it has. */
export function proveReadme(world: World): void {
  assert.equal(
    world.readme.table("Machines").map(({ "MAC address": _, ...row }) => row),
    world.config.machines.map(({ name, role, ip, host, vmId }) => ({
      machine: name,
      role,
      address: ip ?? "DHCP",
      "Proxmox node": host,
      VM: String(vmId),
    })),
  );
}

/** The MAC addresses that the README promises, for reservations of a DHCP server, by machine. */
export function macsOf({ readme }: World): ReadonlyMap<string, string> {
  return new Map(readme.table("Machines").map((row) => [row["machine"] ?? "", row["MAC address"] ?? ""]));
}

/** Where each machine is reached. */
export type Addresses = (machine: Machine) => string;

/** Each machine runs the release of the config and has been given one configuration, which Talos accepts. */
export function proveMachines(world: World, addressOf: Addresses = ({ ip }) => ip!): void {
  const { config, proxmox, talos } = world;
  const secret = proxmox.cluster.users.get(config.proxmox["ccm_user"])?.tokens.get("ccm")?.secret;
  for (const machine of config.machines) {
    const ip = addressOf(machine);
    assert.is(talos.find(ip)?.hardware.talosVersion, config.cluster["talos_version"], machine.name);
    const received = talos.configurations(ip);
    assert.equal(
      received.map(({ problem }) => problem),
      [undefined],
      machine.name,
    );
    const documents = readDocuments(received[0]!.bytes.toString());
    const expected = withSecret(expectedDocuments(config, machine), config, machine, secret);
    assert.equal(Object.keys(documents).sort(), Object.keys(expected).sort(), machine.name);
    assert.equal(lacks(read(documents), expected, machine.name), []);
    const { config_patches: patches = {} } = config.cluster;
    for (const patch of [...(patches.all ?? []), ...(patches[machine.role] ?? [])])
      assert.equal(lacks(documents["machine"], parse(patch), machine.name), []);
    const hasSecret = secret !== undefined && received[0]!.bytes.includes(secret);
    assert.is(
      hasSecret,
      secret !== undefined && machine.role === "controlplane",
      `${machine.name}: has the secret`,
    );
  }
  const [first] = config.machines.map(addressOf);
  assert.equal(world.talosCalls({ proxmox: 0, talos: 0 }).slice(0, 2), [
    `ApplyConfiguration ${first}`,
    `Bootstrap ${first}`,
  ]);
  const bootstraps = talos.requests.filter(({ method }) => method.endsWith("/Bootstrap"));
  assert.is(bootstraps.length, 1);
}

interface Main {
  readonly cluster: {
    readonly inlineManifests?: readonly { readonly name: string; readonly contents: string }[];
  };
}

/** Control planes also get what the controller logs in with; the manifests are read as the YAML that they are. */
function withSecret(
  expected: Record<string, object>,
  config: Config,
  { role }: Machine,
  secret: string | undefined,
): Record<string, object> {
  const { cluster, proxmox } = config;
  if (role === "worker" || !cluster["ccm"].enabled) return expected;
  const main = expected["machine"] as Main;
  const account = {
    url: `${proxmox["endpoint"]}/api2/json`,
    insecure: true,
    token_id: `${proxmox["ccm_user"]}!ccm`,
    token_secret: secret,
    region: cluster["name"],
  };
  const manifest = {
    kind: "Secret",
    metadata: { name: "proxmox-cloud-controller-manager", namespace: "kube-system" },
    stringData: { "config.yaml": { clusters: [account] } },
  };
  const inlineManifests = [
    ...(main.cluster.inlineManifests ?? []),
    { name: "proxmox-ccm-secret", contents: manifest },
  ];
  return { ...expected, machine: { ...main, cluster: { ...main.cluster, inlineManifests } } };
}

function read(documents: Record<string, unknown>): Record<string, unknown> {
  const main = documents["machine"] as Main;
  const inlineManifests = main.cluster.inlineManifests?.map(({ name, contents }) => {
    const manifest = parse(contents) as { stringData?: Record<string, string> };
    const data = Object.entries(manifest.stringData ?? {}).map(([key, text]) => [key, parse(text)]);
    return { name, contents: { ...manifest, stringData: Object.fromEntries(data) } };
  });
  return { ...documents, machine: { ...main, cluster: { ...main.cluster, inlineManifests } } };
}

/** The output `nodes` says where each machine is. */
export async function proveOutput(world: World, addressOf: Addresses = ({ ip }) => ip!): Promise<void> {
  const macs = macsOf(world);
  const expected = world.config.machines.map((machine): [string, object] => [
    machine.name,
    {
      address: addressOf(machine),
      host_node: machine.host,
      mac_address: macs.get(machine.name),
      role: machine.role,
      vm_id: machine.vmId,
    },
  ]);
  assert.equal(JSON.parse(await world.tofu("output", "-json", "nodes")), Object.fromEntries(expected));
}

/** What the README has put out: the talosconfig opens every control plane, the kubeconfig the API, at its endpoint. */
export async function proveAccess(world: World, addressOf: Addresses = ({ ip }) => ip!): Promise<void> {
  const { config } = world;
  const { cluster, machines } = config;
  const name = String(cluster["name"]);
  const answer = await world.shell(`talosctl --context ${name} version --short`);
  assert.match(
    answer,
    new RegExp(`NODE:\\s+${addressOf(machines[0]!)}\\n.*${cluster["talos_version"]}`, "s"),
  );
  const talosconfig = parse(await world.shell("cat ~/.talos/config")) as {
    context: string;
    contexts: Record<string, { endpoints: string[] }>;
  };
  assert.equal([talosconfig.context, Object.keys(talosconfig.contexts)], [name, [name]]);
  assert.equal(
    talosconfig.contexts[name]!.endpoints.sort(),
    machines
      .filter(({ role }) => role === "controlplane")
      .map(addressOf)
      .sort(),
  );
  const kubeconfig = parse(await world.shell("tofu output -raw kubeconfig")) as Kubeconfig;
  const endpoint = cluster["vip_enabled"]
    ? `https://${cluster["vip_ip"]}:6443`
    : cluster["endpoint_override"];
  assert.equal(
    kubeconfig.clusters.map((one) => one.cluster.server),
    [endpoint],
  );
  if (!world.hasApi) return;
  await world.kubernetes.startingUp(60);
  const { items } = (await ask(kubeconfig, "/api/v1/nodes")) as { items: { metadata: { name: string } }[] };
  assert.equal(
    items.map(({ metadata }) => metadata.name).sort(),
    machines.map((machine) => machine.name).sort(),
  );
}

interface Kubeconfig {
  readonly clusters: readonly {
    readonly cluster: { readonly server: string; readonly "certificate-authority-data": string };
  }[];
  readonly users: readonly {
    readonly user: { readonly "client-certificate-data": string; readonly "client-key-data": string };
  }[];
}

/** As kubectl would ask with this kubeconfig. */
function ask({ clusters, users }: Kubeconfig, path: string): Promise<unknown> {
  const [{ cluster }, { user }] = [clusters[0]!, users[0]!];
  const plain = (base64: string) => Buffer.from(base64, "base64");
  const options = {
    ca: plain(cluster["certificate-authority-data"]),
    cert: plain(user["client-certificate-data"]),
    key: plain(user["client-key-data"]),
    agent: false as const,
  };
  return new Promise((resolve, reject) => {
    request(cluster.server + path, options, (response) => {
      const chunks: Buffer[] = [];
      response
        .on("data", (chunk: Buffer) => chunks.push(chunk))
        .on("end", () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
    })
      .once("error", reject)
      .end();
  });
}

/** Destroying by the lines of the README leaves what was there before, and only that. */
export async function proveDestruction(
  world: World,
  before: ProxmoxState,
  foreign: Readonly<Record<string, string>>,
  addressOf: Addresses = ({ ip }) => ip!,
  destroy: () => Promise<unknown> = () => world.destroy(),
): Promise<void> {
  world.putMarkers();
  await destroy();
  world.assertNoRefusals();
  assert.equal(stateOf(world), before);
  assert.equal(world.markers(), foreign);
  for (const machine of world.config.machines) assert.is(world.talos.condition(addressOf(machine)), "off");
}
