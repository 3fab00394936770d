import { test } from "uvu";
import * as assert from "uvu/assert";
import { caseOf } from "../golden/cases.ts";
import { CsiPlugin } from "./csi-plugin.ts";
import { proveDestruction } from "./destruction.ts";
import * as proofs from "./proofs.ts";
import { stateOf } from "./proxmox-state.ts";
import { World } from "./world.ts";

/** Trees broken on purpose: a proof that cannot fail proves nothing. */
const sabotages: readonly Sabotage[] = [
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

interface Sabotage {
  readonly title: string;
  readonly hurt: (world: World) => void;
  /** The steps that must notice, and what they must speak of. */
  readonly caught: Partial<Record<Step, RegExp>>;
}

interface Allocations {
  readonly allocations: { readonly disks: Record<string, { slot: number; vm_id: number }> };
}

type Step = (typeof steps)[number];
const steps = ["apply", "proxmox", "kubernetes", "machines", "selectors", "plan", "destruction"] as const;

const proofTest = (title: string, hurt: Sabotage["hurt"], caught: Sabotage["caught"]) =>
  test(title, async () => {
    const world = await World.start(caseOf("every-volume-type"), "127.95");
    try {
      hurt(world);
      const failures = await prove(world);
      const wanted = Object.entries(caught) as [Step, RegExp][];
      if (wanted.length === 0) assert.equal(failures, {});
      for (const [step, words] of wanted) assert.match(failures[step] ?? `${step} has not noticed`, words);
    } finally {
      await world.stop();
    }
  });

proofTest("an unbroken tree passes", () => undefined, {});
for (const { title, hurt, caught } of sabotages) proofTest(`caught: ${title}`, hurt, caught);

/** All that is done with a golden, to the end whatever fails; gives the failures. After a failed apply there is no more. */
async function prove(world: World): Promise<Partial<Record<Step, string>>> {
  const before = stateOf(world.proxmox, world.config);
  const work: Record<Step, () => unknown> = {
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
  };
  const failures: Partial<Record<Step, string>> = {};
  for (const step of steps) {
    try {
      await work[step]();
    } catch (error) {
      failures[step] = essence(error as Error & { details?: string });
      if (step === "apply") break;
    }
  }
  return failures;
}

/** What differs, or what tofu complains of: neither what is as it should be nor what went before. */
function essence({ message, details = "" }: Error & { readonly details?: string }): string {
  const differences = details.split("\n").filter((line) => /^\W*(?:--|\+\+)/.test(line));
  return differences.length > 0
    ? differences.join("\n")
    : message.replace(/^.*?(?=\nError: )/s, "").replace(/\nLast requests to .*/s, "");
}

/** Breaks a file of a tree; fails if there was nothing to break. */
function edit(world: World, path: string, change: (text: string) => string): void {
  const text = world.read(path);
  const broken = change(text);
  assert.is.not(broken, text, `${path} is as it was`);
  world.write(path, broken);
}

function takeForeignId(text: string): string {
  return text.replace(/(vm_id +=) 142$/m, "$1 700");
}

test.run();
