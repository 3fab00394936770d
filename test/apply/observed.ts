import * as assert from "uvu/assert";
import { named } from "../simulator/proxmox/call-name.ts";
import type { World } from "./world.ts";

/** All that one change did. What is not said did not happen. */
export interface Effect {
  /** To Proxmox, each with what it names: `POST /nodes/pve1/qemu vmid=142`, in any order. */
  readonly writes?: readonly string[];
  /** To the machines: `ApplyConfiguration 127.90.2.42`. */
  readonly talos?: readonly string[];
  /** To the Image Factory. */
  readonly factory?: readonly string[];
  /** Volumes that are gone or empty now. All others are under the same names with the same data. */
  readonly lost?: readonly string[];
  /** VMs that are not the same any more, so that what the CSI plugin had attached to them is not. */
  readonly replaced?: readonly number[];
  /** Objects that are in Kubernetes now, `+persistentvolumes/x`, or no more, `-nodes/x`. */
  readonly kubernetes?: readonly string[];
}

const kinds = ["nodes", "namespaces", "persistentvolumes", "secrets"] as const;

/** A cluster as it stands before a change, with a marker in every volume. */
export class Observed {
  readonly #world: World;
  readonly #mark;
  readonly #factory: number;
  readonly #markers: Readonly<Record<string, string>>;
  readonly #foreign: unknown;
  readonly #claims: readonly Claim[];
  readonly #objects: ReadonlyMap<string, string>;

  private constructor(world: World, objects: ReadonlyMap<string, string>) {
    this.#world = world;
    this.#objects = objects;
    this.#markers = world.putMarkers();
    this.#foreign = foreignVms(world);
    this.#claims = claims(world);
    this.#mark = world.mark();
    this.#factory = world.factory.requests.length;
  }

  static async now(world: World): Promise<Observed> {
    return new Observed(world, await objects(world));
  }

  /** Requests that changed something in Proxmox since, in the order of arrival. */
  get requests(): readonly string[] {
    return this.#world.proxmox.writes(this.#mark.proxmox).map(named);
  }

  /** Fails if anything else happened since, or if another plan would change something. */
  async expect({ writes, talos, factory, lost, replaced, kubernetes }: Effect): Promise<void> {
    const world = this.#world;
    assert.equal([...this.requests].sort(), [...(writes ?? [])].sort());
    assert.equal(world.talosWrites(this.#mark), [...(talos ?? [])].sort());
    assert.equal(this.#factoryWrites(), [...(factory ?? [])].sort());
    const kept = Object.entries(this.#markers).filter(([volume]) => !lost?.includes(volume));
    assert.equal(
      lost?.filter((volume) => this.#markers[volume] === undefined) ?? [],
      [],
      "had no data to lose",
    );
    assert.equal(world.markers(), Object.fromEntries(kept));
    assert.equal(foreignVms(world), this.#foreign);
    assert.equal(
      claims(world),
      this.#claims.filter(({ vmid }) => !replaced?.includes(vmid)),
    );
    assert.equal(difference(this.#objects, await objects(world)), [...(kubernetes ?? [])].sort());
    await world.expectEmptyPlan();
    world.assertNoRefusals();
  }

  #factoryWrites(): readonly string[] {
    return this.#world.factory.requests
      .slice(this.#factory)
      .filter(({ method }) => !["GET", "HEAD"].includes(method))
      .map(({ method, path }) => `${method} ${path}`)
      .sort();
  }
}

interface Claim {
  readonly vmid: number;
  readonly slot: string;
  readonly value: string;
}

/** What the CSI plugin has attached, and where. */
function claims({ proxmox }: World): readonly Claim[] {
  return [...proxmox.cluster.vms.values()].flatMap(({ vmid, config }) =>
    [...config].flatMap(([slot, value]) =>
      slot.startsWith("scsi") && value.includes("-pvc-") ? [{ vmid, slot, value }] : [],
    ),
  );
}

function foreignVms({ proxmox }: World): unknown {
  const { vms } = proxmox.snapshot() as { vms: Record<string, { config: { name: string } }> };
  return Object.entries(vms).filter(([, { config }]) => config.name.startsWith("foreign-"));
}

/** What is in Kubernetes, with its identity: an object made anew under the same name is another. */
async function objects({ kubernetes }: World): Promise<ReadonlyMap<string, string>> {
  const lists = await Promise.all(
    kinds.map(async (kind) =>
      (await kubernetes.client.list(`/api/v1/${kind}`)).map(({ metadata }): [string, string] => [
        `${kind}/${metadata.name}`,
        (metadata as unknown as { uid: string }).uid,
      ]),
    ),
  );
  return new Map(lists.flat());
}

function difference(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const gone = [...before].filter(([name, uid]) => after.get(name) !== uid).map(([name]) => `-${name}`);
  const come = [...after].filter(([name, uid]) => before.get(name) !== uid).map(([name]) => `+${name}`);
  return [...gone, ...come].sort();
}
