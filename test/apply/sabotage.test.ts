import { test } from "uvu";
import { caseOf } from "../golden/cases.ts";
import { CsiPlugin } from "./csi-plugin.ts";
import { proveDestruction } from "./destruction.ts";
import * as proofs from "./proofs.ts";
import { stateOf } from "./proxmox-state.ts";
import { edit, expectCaught, failuresOf, type Sabotage } from "./sabotage.ts";
import { World } from "./world.ts";

/** Trees broken on purpose: a proof that cannot fail proves nothing. */
const sabotages: readonly Sabotage<World, Step>[] = [
  {
    title: "slots swapped",
    hurt: (world) =>
      edit(world, "allocations.auto.tfvars.json", (text) => {
        const values = JSON.parse(text) as Allocations;
        const { disks } = values.allocations;
        const [one, other] = [disks["worker1/logs"]!, disks["worker1/longhorn"]!];
        [one.slot, other.slot] = [other.slot, one.slot];
        return JSON.stringify(values);
      }),
    caught: { proxmox: /--.*"virtio2":."local-lvm:vm-1423-disk-0/, selectors: /--.*virtio3/ },
  },
  {
    title: "serials swapped",
    hurt: (world) =>
      edit(world, "talos/virtual-machines.tf", (text) =>
        text.replace(
          '"serial=${each.value.serial}"',
          '"serial=${each.key == "worker1/logs" ? "longhorn" : each.key == "worker1/longhorn" ? "logs" : each.value.serial}"',
        ),
      ),
    caught: { proxmox: /--.*vm-1422-disk-0.*serial=longhorn/, selectors: /--.*vm-1423-disk-0/ },
  },
  {
    title: "Gi sent to Proxmox",
    hurt: (world) =>
      edit(world, "volumes/proxmox-volume/main.tf", (text) =>
        text.replace('"${var.size_mib}M"', '"${var.size_mib / 1024}Gi"'),
      ),
    caught: { apply: /"size":"value does not match the regex pattern"/ },
  },
  {
    title: "a wrong region",
    hurt: (world) =>
      edit(world, "main.tf", (text) =>
        text.replace(/(module "volumes" \{.*?region +=) [^\n]+/s, "$1 var.cluster.name"),
      ),
    caught: { kubernetes: /\+\+.*homelab.pve1.local-zfs/ },
  },
  {
    title: "a missing label",
    hurt: (world) =>
      edit(world, "talos/machine-config/common.yaml.tftpl", (text) =>
        text.replace(/^ *topology\.kubernetes\.io\/zone:.*\n/m, ""),
      ),
    caught: { kubernetes: /\+\+.*zone/, machines: /zone/ },
  },
  {
    title: "unreferenced disks deleted on destroy, by a VM with the id in the names of the CSI volumes",
    hurt: (world) =>
      edit(world, "allocations.auto.tfvars.json", (text) => {
        const values = JSON.parse(text) as Allocations;
        values.allocations.disks["worker1/longhorn"]!.vm_id = 9999;
        return JSON.stringify(values);
      }),
    caught: { proxmox: /--.*vm-9999-disk-0/, destruction: /vm-9999-pvc-1/ },
  },
  {
    title: "an id that exists",
    hurt: (world) => edit(world, "terraform.tfvars", takeForeignId),
    caught: { apply: /VM ids of this cluster belong to VMs without its tag/ },
  },
  {
    title: "an id that exists, in a tree without a guard",
    hurt: (world) => {
      edit(world, "terraform.tfvars", takeForeignId);
      edit(world, "guard.tf", (text) => text.replace(/\{\n  lifecycle \{.*\n  \}\n\}/s, "{}"));
    },
    caught: { apply: /resize:700:.* shrinking disks is not supported/s },
  },
];

interface Allocations {
  readonly allocations: { readonly disks: Record<string, { slot: number; vm_id: number }> };
}

type Step = "apply" | "proxmox" | "kubernetes" | "machines" | "selectors" | "plan" | "destruction";

const proofTest = (title: string, { hurt, caught }: Pick<Sabotage<World, Step>, "hurt" | "caught">) =>
  test(title, async () => {
    const world = await World.start(caseOf("every-volume-type"), "127.95");
    try {
      hurt(world);
      expectCaught(await prove(world), caught);
    } finally {
      await world.stop();
    }
  });

proofTest("an unbroken tree passes", { hurt: () => undefined, caught: {} });
for (const sabotage of sabotages) proofTest(`caught: ${sabotage.title}`, sabotage);

/** All that is done with a golden. */
async function prove(world: World): Promise<Partial<Record<Step, string>>> {
  const before = stateOf(world.proxmox, world.config);
  return failuresOf<Step>({
    apply: async () => {
      await world.apply();
      world.assertNoRefusals();
    },
    proxmox: () => proofs.proveProxmox(world, before),
    kubernetes: () => proofs.proveKubernetes(world),
    machines: () => proofs.proveMachineConfigurations(world),
    selectors: () => proofs.proveSelectors(world),
    plan: async () => {
      await (await CsiPlugin.start(world)).provision("worker1", "1");
      await world.expectEmptyPlan();
    },
    destruction: () => proveDestruction(world, before),
  });
}

function takeForeignId(text: string): string {
  return text.replace(/(vm_id +=) 142$/m, "$1 700");
}

test.run();
