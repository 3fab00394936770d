import * as assert from "uvu/assert";
import { readTree } from "../golden/cases.ts";
import { csiVolume, csiVolumes } from "./expected-proxmox.ts";
import { stateOf, type ProxmoxState, type VolumeState } from "./proxmox-state.ts";
import type { World } from "./world.ts";

/** Destroying by the lines of the README leaves what it says, with what is in it, and all that is of others. */
export async function proveDestruction(world: World, before: ProxmoxState): Promise<void> {
  const markers = world.putMarkers();
  const kept = keptVolumes(world);
  const files = filesOf(world);
  for (const line of destruction(world)) await world.shell(line);
  world.assertNoRefusals();
  const expected = { ...before, volumes: { ...before.volumes, ...kept } };
  assert.equal(stateOf(world.proxmox, world.config), expected);
  assert.equal(world.markers(), only(markers, Object.keys(expected.volumes)));
  assert.equal(filesOf(world), files);
  for (const { ip } of Object.values(world.config.nodes)) assert.is(world.talos.condition(ip), "off");
}

/** The lines of the README that take everything down. */
function destruction({ readme }: World): readonly string[] {
  const heading = readme.has("Keeping volumes") ? "Keeping volumes" : "Destroying the cluster";
  return readme.block(heading, "tofu destroy");
}

/** What the README says is left: volumes of the config, and what the plugin made for claims. */
function keptVolumes(world: World): Readonly<Record<string, VolumeState>> {
  const { config, readme } = world;
  const own = csiVolumes(config).map(([name, volume]) => csiVolume(config, name, volume));
  const freed = own.length === 0 ? [] : readme.block("Keeping volumes", "pvesm free");
  assert.equal(
    [...freed].sort(),
    csiVolumes(config)
      .map(
        ([name, volume]) =>
          `pvesm free ${csiVolume(config, name, volume)[0].replace(/@.*/, "")} # on ${volume.node}`,
      )
      .sort(),
  );
  const claims = Object.entries(stateOf(world.proxmox, config).volumes).filter(([id]) => /-pvc-/.test(id));
  return Object.fromEntries([...own, ...claims]);
}

/** Markers of these volumes, which are named as in the state. */
function only(
  markers: Readonly<Record<string, string>>,
  volumes: readonly string[],
): Readonly<Record<string, string>> {
  const wanted = new Set(volumes.map((id) => id.replace(/@$/, "").replace("@", " on ")));
  return Object.fromEntries(Object.entries(markers).filter(([id]) => wanted.has(id)));
}

/** Files of the tree, without what tofu keeps there. */
function filesOf({ tree }: World): ReadonlyMap<string, string> {
  return new Map([...readTree(tree)].filter(([path]) => !/^(\.terraform\/|terraform\.tfstate)/.test(path)));
}
