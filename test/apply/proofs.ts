import * as assert from "uvu/assert";
import { parse } from "yaml";
import { disksOf, volumesOn, type Config } from "../tofu/config.ts";
import { ciliumValues, expectedDocuments, readDocuments } from "../tofu/expected-machine-config.ts";
import { lacks } from "../tofu/includes.ts";
import { expectedKubernetes } from "./expected-kubernetes.ts";
import { expectedProxmox } from "./expected-proxmox.ts";
import { kubernetesState } from "./kubernetes-state.ts";
import { stateOf, together, type ProxmoxState } from "./proxmox-state.ts";
import { matching } from "./selector.ts";
import type { World } from "./world.ts";

/** Proxmox holds what was there before and what the config says, and nothing else. */
export function proveProxmox(world: World, before: ProxmoxState): void {
  const expected = expectedProxmox(world.config, (path) => world.read(path));
  assert.equal(stateOf(world.proxmox, world.config), together(before, expected));
}

/** Kubernetes holds what the config says, and nothing else. */
export async function proveKubernetes(world: World): Promise<void> {
  const { config, proxmox } = world;
  const [certificate, key] = keyPair(world).map((path) => world.read(path));
  const user = `${config.env === "" ? "" : `${config.env}-`}kubernetes-csi@pve`;
  const secrets = {
    csiToken: proxmox.cluster.users.get(user)?.tokens.get("csi")?.secret ?? "",
    certificate: certificate!,
    key: key!,
  };
  assert.equal(await kubernetesState(world.kubernetes.client), expectedKubernetes(config, secrets));
}

/** Where the line of the README puts the key pair. */
export function keyPair({ readme }: World): readonly [certificate: string, key: string] {
  const text = readme.block("Before the first apply", "openssl").join("\n");
  const [, key = "", certificate = ""] = / -keyout (\S+) -out (\S+) /.exec(text) ?? [];
  return [certificate, key];
}

/** Each machine has been given one configuration, which Talos accepts and which holds what the config says. */
export function proveMachineConfigurations(world: World): void {
  const { config, talos } = world;
  for (const [name, { ip, machine_type }] of Object.entries(config.nodes)) {
    const received = talos.configurations(ip);
    assert.equal(
      received.map(({ problem }) => problem),
      [undefined],
      name,
    );
    const documents = readDocuments(received[0]!.bytes.toString());
    const expected = expectedDocuments(config, name, (path) => world.read(path));
    assert.equal(Object.keys(documents).sort(), Object.keys(expected).sort(), name);
    assert.equal(lacks(documents, expected, name), []);
    if (machine_type === "controlplane") {
      const values = world.read(config.cilium.values_file_path);
      assert.equal(lacks(ciliumValues(documents), { data: { "values.yaml": values } }), []);
    }
  }
  const bootstraps = talos.requests.filter(({ method }) => method.endsWith("/Bootstrap"));
  assert.equal(
    bootstraps.map(({ ip }) => ip),
    [firstControlPlane(config)],
  );
}

const firstControlPlane = ({ nodes }: Config): string =>
  Object.entries(nodes)
    .filter(([, { machine_type }]) => machine_type === "controlplane")
    .sort(([a], [b]) => (a < b ? -1 : 1))[0]![1].ip;

interface Provisioned {
  readonly provisioning?: { readonly diskSelector: { readonly match: string } };
}

/** Each volume of each machine finds one disk among those that its VM has, and that is its own. */
export function proveSelectors(world: World): void {
  const { config, proxmox, talos } = world;
  const disks = disksOf(config);
  for (const [name, { ip, vm_id, machine_type }] of Object.entries(config.nodes)) {
    const documents = readDocuments(talos.configurations(ip).at(-1)!.bytes.toString());
    const found = (key: string): readonly (readonly [string, string])[] => {
      const { provisioning } = documents[key] as Provisioned;
      if (provisioning === undefined) throw new Error(`${name} has no disk selector in ${key}`);
      const matched = matching(provisioning.diskSelector.match, proxmox.disksOf(vm_id));
      return matched.map(({ slot, volid }) => [slot, volid]);
    };
    const ownerDisk = (vmid: number, slot: string) =>
      proxmox.disksOf(vmid).find((disk) => disk.slot === slot)?.volid ?? "no disk";
    const dataDisk = ownerDisk(Number(`${vm_id}0`), "scsi0");
    assert.equal(found("VolumeConfig/EPHEMERAL"), [["scsi1", dataDisk]], name);
    for (const [volume, { type }] of volumesOn(config, machine_type)) {
      if (type !== "disk") continue;
      const { slot, vmId } = disks.find((disk) => disk.node === name && disk.volume === volume)!;
      const own = [`virtio${slot}`, ownerDisk(vmId, "virtio0")];
      assert.equal(found(`UserVolumeConfig/${volume}`), [own], `${name}/${volume}`);
    }
  }
}

/** The two files that the README has written lead to this cluster. */
export function proveAccess(world: World): void {
  const { cluster, nodes } = world.config;
  const addresses = (isWanted: (type: string) => boolean) =>
    Object.values(nodes)
      .filter(({ machine_type }) => isWanted(machine_type))
      .map(({ ip }) => ip)
      .sort();
  const kubeconfig = parse(world.read("kubeconfig")) as { clusters: { cluster: { server: string } }[] };
  assert.equal(
    kubeconfig.clusters.map((one) => one.cluster.server),
    [`https://${cluster.vip ?? firstControlPlane(world.config)}:6443`],
  );
  const talosconfig = parse(world.read("talosconfig")) as {
    context: string;
    contexts: Record<string, { endpoints: string[]; nodes: string[] }>;
  };
  assert.is(talosconfig.context, cluster.name);
  const context = talosconfig.contexts[cluster.name]!;
  assert.equal(
    context.endpoints.sort(),
    addresses((type) => type === "controlplane"),
  );
  assert.equal(
    context.nodes.sort(),
    addresses(() => true),
  );
}
