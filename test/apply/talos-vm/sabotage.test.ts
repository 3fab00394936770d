import { test } from "uvu";
import * as assert from "uvu/assert";
import { edit, expectCaught, failuresOf, type Sabotage } from "../sabotage.ts";
import * as proofs from "./proofs.ts";
import { two } from "./two.ts";
import { World } from "./world.ts";

type Step = "apply" | "proxmox" | "templates" | "output" | "plan" | "template-change" | "destruction";

const module = "proxmox-talos-vm/main.tf";

const change = (from: string | RegExp, to: string) => (world: World) =>
  edit(world, module, (text) => text.replace(from, to));

const sabotages: readonly Sabotage<World, Step>[] = [
  {
    title: "a template that is picked by the beginning of its name",
    hurt: change("vm.name == var.template", "startswith(vm.name, var.template)"),
    caught: { apply: /2 templates are called talos-v1\.13\.0-base/ },
  },
  {
    title: "the first template whose name begins so",
    hurt: (world) => {
      change("vm.name == var.template", "startswith(vm.name, var.template)")(world);
      change("length(local.eligible) < 2", "true || length(local.eligible) < 2")(world);
    },
    caught: { templates: /--a.template.whose.name.begins.the.same/ },
  },
  {
    title: "names compared without case",
    hurt: (world) => {
      change("vm.name == var.template", "lower(vm.name) == lower(var.template)")(world);
      change("length(local.eligible) < 2", "true || length(local.eligible) < 2")(world);
    },
    caught: { templates: /--a.template.whose.name.is.spelt.in.capitals/ },
  },
  {
    title: "an id taken for a name",
    hurt: change("local.is_vmid ? tostring(vm.vm_id) == var.template : vm.name", "vm.name"),
    caught: { templates: /--a.template.whose.name.is.the.id.of.another/ },
  },
  {
    title: "PCI Express on another machine than q35",
    hurt: change(/(machine +=) .*/, "$1 null"),
    caught: { apply: /q35 machine model is not enabled/ },
  },
  {
    title: "a disk that does not grow",
    hurt: change(/(size +=) var.disk_gb/, "$1 5"),
    caught: { proxmox: /--.*vm-\d+-disk-0.*size=5G/ },
  },
  {
    title: "a second disk",
    hurt: change('"scsi0"\n', '"scsi1"\n'),
    caught: { proxmox: /--.*scsi1/ },
  },
  {
    title: "the id of another VM",
    hurt: change(/(name +=) var.name\n/, '$1 var.name\n  vm_id = var.name == "plain" ? 700 : null\n'),
    caught: { apply: /unable to create VM 700: config file\s+already exists/ },
  },
  {
    title: "an id in the name of volumes of others",
    hurt: change(/(name +=) var.name\n/, '$1 var.name\n  vm_id = var.name == "plain" ? 9999 : null\n'),
    caught: { destruction: /vm-9999-pvc-/ },
  },
  {
    title: "a MAC address that reads back in another spelling",
    hurt: change("upper(var.mac_address)", "var.mac_address"),
    caught: { plan: /mac_address += "BC:24:11:00:00:11" -> "bc:24:11:00:00:11"/ },
  },
  {
    title: "machines replaced when their template is another",
    hurt: change("[clone, disk]", "[disk]"),
    caught: { "template-change": /--.*DELETE.*\/nodes\/pve1\/qemu\/\d+\// },
  },
];

const proofTest = (title: string, { hurt, caught }: Pick<Sabotage<World, Step>, "hurt" | "caught">) =>
  test(title, async () => {
    const world = await World.start(two);
    try {
      const before = proofs.stateOf(world);
      const foreign = world.markers();
      hurt(world);
      const steps = {
        apply: async () => {
          await world.apply();
          world.assertNoRefusals();
        },
        proxmox: () => proofs.proveProxmox(world, before),
        templates: () => proofs.proveTemplates(world),
        output: () => proofs.proveOutput(world),
        plan: () => world.expectEmptyPlan(),
        "template-change": () => proveTemplateChange(world),
        destruction: () => proofs.proveDestruction(world, before, foreign),
      };
      expectCaught(await failuresOf<Step>(steps, Object.keys(caught)), caught);
    } finally {
      await world.stop();
    }
  });

proofTest("an unbroken tree passes", { hurt: () => undefined, caught: {} });
for (const sabotage of sabotages) proofTest(`caught: ${sabotage.title}`, sabotage);

/** What a VM was cloned from is history. */
async function proveTemplateChange(world: World): Promise<void> {
  edit(world, "terraform.tfvars", (text) => text.replace('"talos-v1.13.0-base"', '"9000"'));
  const mark = world.mark();
  await world.apply();
  assert.equal(world.writes(mark), []);
}

test.run();
