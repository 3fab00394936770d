import * as assert from "uvu/assert";
import { observe, together, type ProxmoxState } from "../proxmox-state.ts";
import { expectedProxmox } from "./expected-proxmox.ts";
import { contentOf, type World } from "./world.ts";

/** What is in Proxmox now. MAC addresses of the config are asked for, any other is as it comes. */
export function stateOf({ proxmox, vms }: World): ProxmoxState {
  return observe(
    proxmox,
    Object.values(vms).flatMap(({ mac_address }) => mac_address?.toUpperCase() ?? []),
  );
}

/** The ids that the VMs of the config got. */
function idsOf({ proxmox, vms }: World): Readonly<Record<string, number>> {
  const found = [...proxmox.cluster.vms.values()].flatMap(({ vmid, config }): [string, number][] => {
    const name = config.get("name") ?? "";
    return Object.hasOwn(vms, name) ? [[name, vmid]] : [];
  });
  return Object.fromEntries(found);
}

/** Proxmox holds what was there before and what the config says, and nothing else; new VMs have ids that were free. */
export function proveProxmox(world: World, before: ProxmoxState): void {
  const ids = idsOf(world);
  assert.equal(
    Object.values(ids).filter((id) => before.vms[id] !== undefined),
    [],
    "an id of another VM",
  );
  assert.equal(stateOf(world), together(before, expectedProxmox(world.vms, ids)));
}

/** Each disk has in it what the template that was asked for has in its own. */
export function proveTemplates(world: World): void {
  const { proxmox, vms } = world;
  const ids = idsOf(world);
  for (const [name, vm] of Object.entries(vms)) {
    const [disk] = proxmox.disksOf(ids[name] ?? 0);
    assert.is(proxmox.marker(disk?.volid ?? "", vm.node), contentOf(vm), name);
  }
}

/** The output says of each VM what Proxmox has. */
export async function proveOutput(world: World): Promise<void> {
  const ids = idsOf(world);
  const expected = Object.entries(world.vms).map(([name, { node }]): [string, object] => {
    const [mac] = /(?<=virtio=)[0-9A-F:]+/.exec(world.proxmox.vm(ids[name]!)?.config.get("net0") ?? "") ?? [];
    return [name, { ip_address: null, mac_address: mac, node, vm_name: name, vmid: ids[name] }];
  });
  assert.equal(JSON.parse(await world.tofu("output", "-json", "vms")), Object.fromEntries(expected));
}

/** Destroying by the lines of the README leaves what was there before, and only that. */
export async function proveDestruction(
  world: World,
  before: ProxmoxState,
  foreign: Readonly<Record<string, string>>,
): Promise<void> {
  world.putMarkers();
  for (const line of world.readme.block("Destroying the VMs", "tofu destroy")) await world.shell(line);
  world.assertNoRefusals();
  assert.equal(stateOf(world), before);
  assert.equal(world.markers(), foreign);
}
