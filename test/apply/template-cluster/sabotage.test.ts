import { test } from "uvu";
import * as assert from "uvu/assert";
import { edit, expectCaught, failuresOf, type Sabotage } from "../sabotage.ts";
import * as proofs from "./proofs.ts";
import { small } from "./small.ts";
import { World } from "./world.ts";

type Step = "apply" | "proxmox" | "machines" | "output" | "plan" | "replacement" | "destruction";

interface Node {
  ip: string;
  vm_id: number;
}

const infrastructure = "proxmox-infrastructure/machines.tf";

const sabotages: readonly Sabotage<World, Step>[] = [
  {
    title: "ids of a control plane and a worker swapped",
    hurt: (world) =>
      allocate(world, ({ "lab-controlplane-1": one, "lab-worker-1": other }) => {
        [one!.vm_id, other!.vm_id] = [other!.vm_id, one!.vm_id];
      }),
    caught: { proxmox: /--.*vm-3000-disk-0.*size=20G/, machines: /provider-id.*lab\/3000/ },
  },
  {
    title: "an address that was not allocated",
    hurt: (world) => allocate(world, ({ "lab-worker-1": worker }) => (worker!.ip = "127.63.2.77")),
    caught: {
      proxmox: /--.*ip=127\.63\.2\.77/,
      machines: /lab-worker-1.*undefined/s,
      output: /--.*127\.63\.2\.77/,
    },
  },
  {
    title: "a wrong provider id",
    hurt: (world) =>
      edit(world, "talos-bootstrap/machine-config.tf", (text) =>
        text.replace("proxmox://${var.cluster_config.name}/", "proxmox://homelab/"),
      ),
    caught: { machines: /provider-id.*homelab/ },
  },
  {
    title: "a wrong region",
    hurt: (world) => edit(world, "main.tf", (text) => text.replace(/(region +=) .*/, '$1 "homelab"')),
    caught: { machines: /region.*homelab/ },
  },
  {
    title: "the secret of the controller given to workers",
    hurt: (world) =>
      edit(world, "talos-bootstrap/bootstrap.tf", (text) =>
        text.replace('each.value.role == "controlplane" ? local.secret_patches : []', "local.secret_patches"),
      ),
    caught: { machines: /lab-worker-1: has the secret/ },
  },
  {
    title: "a privilege missing",
    hurt: (world) =>
      edit(world, "proxmox-ccm/main.tf", (text) => text.replace(/ +"VM.GuestAgent.Audit",\n/, "")),
    caught: { proxmox: /\+\+.*VM\.GuestAgent\.Audit/ },
  },
  {
    title: "templates that are to be started",
    hurt: (world) =>
      edit(world, "proxmox-infrastructure/templates.tf", (text) => text.replace(/ +started .*\n/, "")),
    caught: { plan: /template\["worker"\] will be updated in-place/ },
  },
  {
    title: "machines replaced with their template",
    hurt: (world) =>
      edit(world, infrastructure, (text) =>
        text
          .replaceAll(
            "proxmox_virtual_environment_vm.template[each.value.role].vm_id",
            "tonumber(proxmox_virtual_environment_vm.template[each.value.role].id)",
          )
          .replaceAll("[clone, disk]", "[disk]"),
      ),
    caught: { replacement: /--.*3000/ },
  },
  {
    title: "an id in the name of volumes of others",
    hurt: (world) => allocate(world, ({ "lab-worker-1": worker }) => (worker!.vm_id = 9999)),
    caught: { proxmox: /--.*vm-9999-disk-0/, destruction: /vm-9999-pvc-/ },
  },
  {
    title: "an id that exists",
    hurt: takeForeignId,
    caught: { apply: /VM ids of this cluster belong to VMs without its tag/ },
  },
  {
    title: "an id that exists, in a tree without a guard",
    hurt: (world) => {
      takeForeignId(world);
      edit(world, "guard.tf", (text) => text.replace(/\{\n  lifecycle \{.*\n  \}\n\}/s, "{}"));
    },
    caught: { apply: /resize:700:.*disk 'virtio0' does not exist/s },
  },
];

const proofTest = (title: string, { hurt, caught }: Pick<Sabotage<World, Step>, "hurt" | "caught">) =>
  test(title, async () => {
    const world = await World.start(small, { prefix: "127.63" });
    try {
      const before = proofs.stateOf(world);
      const foreign = world.markers();
      hurt(world);
      expectCaught(
        await failuresOf<Step>(
          {
            apply: async () => {
              await world.apply();
              world.assertNoRefusals();
            },
            proxmox: () => proofs.proveProxmox(world, before),
            machines: () => proofs.proveMachines(world),
            output: () => proofs.proveOutput(world),
            plan: () => world.expectEmptyPlan(),
            replacement: () => proveReplacement(world),
            destruction: () =>
              proofs.proveDestruction(world, before, foreign, undefined, () => destroyUnprotected(world)),
          },
          Object.keys(caught),
        ),
        caught,
      );
    } finally {
      await world.stop();
    }
  });

proofTest("an unbroken tree passes", { hurt: () => undefined, caught: {} });
for (const sabotage of sabotages) proofTest(`caught: ${sabotage.title}`, sabotage);

/** Another disk for workers makes a new template, and no machine anew. */
async function proveReplacement(world: World): Promise<void> {
  edit(world, "terraform.tfvars", (text) => text.replace("disk_size = 50", "disk_size = 60"));
  const mark = world.mark();
  await world.apply();
  assert.equal(world.madeAnew(mark), [999]);
  world.assertNoRefusals();
}

/** The program would not generate over a tree that was broken; so the protection is lifted by hand. */
async function destroyUnprotected(world: World): Promise<void> {
  edit(world, infrastructure, (text) => text.replace("prevent_destroy = true", "prevent_destroy = false"));
  await world.tofu("destroy");
}

function allocate(world: World, change: (nodes: Record<string, Node>) => unknown): void {
  edit(world, "allocations.auto.tfvars.json", (text) => {
    const values = JSON.parse(text) as { allocations: { nodes: Record<string, Node> } };
    change(values.allocations.nodes);
    return JSON.stringify(values);
  });
}

function takeForeignId(world: World): void {
  edit(world, "terraform.tfvars", (text) => text.replace(/(worker_template_id +=) 999/, "$1 700"));
}

test.run();
