/** The trees of cloned VMs: what a plan creates, which template it takes, and what must stop it, with which words. */
import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { caseOf, casesOf, type Case } from "../golden/cases.ts";
import { needsRoot, readVms, type Vm } from "../kinds/talos-vm/expected.ts";
import { lacks } from "./includes.ts";
import { planJson, pointAt } from "./planning.ts";
import { startProxmoxStub, type ExistingVm } from "./proxmox-stub.ts";
import { copyOf, put, workspaceIn, type Workspace } from "./workspace.ts";

const ROOT = { TF_VAR_proxmox_username: "root@pam", TF_VAR_proxmox_password: "secret" };

const stub = await startProxmoxStub();
const workspaces = new Map<string, Promise<Workspace>>();

function template(vmid: number, name: string, node: string): ExistingVm {
  return { vmid, name, node, tags: "", template: 1 };
}

/** One of each name and id that the goldens ask for. */
const TEMPLATES: readonly ExistingVm[] = [
  template(9000, "numbered-a", "pve3"),
  template(9001, "numbered-b", "pve3"),
  template(9012, "talos-v1.12.4-base", "pve1"),
  template(9013, "talos-v1.13.0-base", "pve1"),
];

for (const one of casesOf("talos-vm")) {
  test(`${one.name}: a plan creates exactly what the config says`, async () => {
    stub.vms = TEMPLATES;
    const { resource_changes } = await planJson(await plannable(one));
    const vms = readVms(one.config);
    const changes = new Map(resource_changes.map(({ address, change }) => [address, change]));
    assert.equal([...changes.keys()].sort(), Object.keys(vms).map(addressOf).sort());
    for (const [name, vm] of Object.entries(vms)) {
      const { actions, after } = changes.get(addressOf(name))!;
      assert.equal(actions, ["create"]);
      assert.equal(lacks(after, expectedVm(name, vm), name), []);
    }
  });
}

const BASE = "talos-v1.12.4-base";
const CHOICES: readonly [string, readonly ExistingVm[], number, string][] = [
  ["the only one", [template(9000, BASE, "pve1")], 9000, "pve1"],
  ["the only one, on another node", [template(9000, BASE, "pve2")], 9000, "pve2"],
  [
    "the one on the VM's own node",
    [template(9000, BASE, "pve2"), template(9001, BASE, "pve1"), template(9002, BASE, "pve3")],
    9001,
    "pve1",
  ],
  [
    "the one that is spelt the same",
    [template(9000, "Talos-v1.12.4-base", "pve1"), template(9001, BASE, "pve3")],
    9001,
    "pve3",
  ],
  [
    "the one that is a template",
    [{ vmid: 9000, name: BASE, node: "pve1", tags: "" }, template(9001, BASE, "pve3")],
    9001,
    "pve3",
  ],
  [
    "the one that a pattern would not have told from others",
    [
      template(9000, "talos-v1x12y4-base", "pve1"),
      template(9001, `${BASE}-2`, "pve1"),
      template(9002, BASE, "pve2"),
    ],
    9002,
    "pve2",
  ],
];

for (const [what, vms, vmid, node] of CHOICES) {
  test(`by name: ${what}`, async () => {
    stub.vms = vms;
    assert.equal(await cloneOf("talos-vm-one-vm", "talos-1"), [vmid, node]);
  });
}

test("by VMID, whatever the template is called", async () => {
  stub.vms = [...TEMPLATES, template(9002, "9000", "pve1")];
  assert.equal(await cloneOf("talos-vm-template-by-vmid", "as-number"), [9000, "pve3"]);
  assert.equal(await cloneOf("talos-vm-template-by-vmid", "as-text"), [9001, "pve3"]);
});

const NONE = `No template ${BASE} for talos-1; names are case-sensitive. Templates: `;
const STOPS: readonly [string, readonly ExistingVm[], string][] = [
  ["no template at all", [], `${NONE}none.`],
  [
    "templates of other names",
    [template(9000, "Talos-v1.12.4-base", "pve1"), template(9001, "ubuntu", "pve2")],
    `${NONE}Talos-v1.12.4-base (9000 on pve1), ubuntu (9001 on pve2).`,
  ],
  [
    "a VM of that name that is no template",
    [{ vmid: 9000, name: BASE, node: "pve1", tags: "" }],
    `${NONE}none.`,
  ],
  [
    "two templates on other nodes",
    [template(9000, BASE, "pve2"), template(9001, BASE, "pve3")],
    `2 templates are called ${BASE}: 9000 on pve2, 9001 on pve3. Give talos-1 the VMID instead.`,
  ],
  [
    "two templates on the VM's own node",
    [template(9000, BASE, "pve1"), template(9001, BASE, "pve1"), template(9002, BASE, "pve2")],
    `2 templates are called ${BASE}: 9000 on pve1, 9001 on pve1. Give talos-1 the VMID instead.`,
  ],
];

for (const [what, vms, words] of STOPS) {
  test(`stops: ${what}`, async () => {
    stub.vms = vms;
    assert.match(await stopped(await plannable(caseOf("talos-vm-one-vm"))), words);
  });
}

test("stops: a VMID that no template has", async () => {
  stub.vms = [template(9012, BASE, "pve1"), { vmid: 9000, name: "no-template", node: "pve1", tags: "" }];
  const said = await stopped(await plannable(caseOf("talos-vm-template-by-vmid")));
  assert.match(
    said,
    `No template 9000 for as-number; names are case-sensitive. Templates: ${BASE} (9012 on pve1).`,
  );
  assert.match(said, "No template 9001 for as-text");
});

test("stops: a GPU by its address without root@pam", async () => {
  stub.vms = TEMPLATES;
  const { folder } = await plannable(caseOf("talos-vm-gpu-by-address"));
  const words =
    "Only root@pam may pass a PCI address through, no API token may: k3s-dev-gpu-1. Set TF_VAR_proxmox_username=root@pam and TF_VAR_proxmox_password, or use gpu_mapping.";
  assert.match(await stopped(workspaceIn(folder)), words);
  assert.match(await stopped(workspaceIn(folder, { ...ROOT, TF_VAR_proxmox_username: "admin@pve" })), words);
});

test("stops: no credentials, half of them, or a token of another form, which is not shown", async () => {
  stub.vms = TEMPLATES;
  const { folder } = await plannable(caseOf("talos-vm-one-vm"));
  const noToken = { TF_VAR_proxmox_api_token: undefined };
  const need = "No API token, or not of the form user@realm!name=secret.";
  assert.match(await stopped(workspaceIn(folder, noToken)), need);
  const said = await stopped(workspaceIn(folder, { TF_VAR_proxmox_api_token: "PVEAPIToken=0123-4567" }));
  assert.match(said, need);
  assert.not.match(said, "0123-4567");
  const half = "A password needs a user and a user needs a password";
  for (const key of Object.keys(ROOT))
    assert.match(await stopped(workspaceIn(folder, { [key]: "x@pam" })), half);
});

test("a password is used where a token is there too, and nothing but the list of VMs is asked for", async () => {
  stub.vms = TEMPLATES;
  const { folder } = await plannable(caseOf("talos-vm-one-vm"));
  stub.requests.length = 0;
  await workspaceIn(folder, ROOT).must("plan", "-no-color", "-input=false");
  assert.equal([...new Set(stub.requests.map((request) => request.replace(/pve\d/, "<node>")))].sort(), [
    "GET /api2/json/nodes",
    "GET /api2/json/nodes/<node>/qemu",
    "POST /api2/json/access/ticket",
  ]);
});

const EDITS: readonly [string, string, RegExp, string, string][] = [
  ["two VMs with one MAC address", "several-hosts", /:12"/, ':11"', "Two VMs have one mac_address."],
  [
    "two VMs with one GPU",
    "gpu-by-address",
    /("k3s-dev-control-1" = \{\n)/,
    '$1    gpu_pci_bdf = "0000:01:00.0"\n',
    "Two VMs of one Proxmox node have one GPU.",
  ],
  [
    "a GPU in two ways",
    "gpu-by-address",
    /(gpu_mapping *= )null/,
    '$1"gpu"',
    "by address or by mapping, not by both.",
  ],
  ["no PCI address", "gpu-by-address", /"0000:01:00.0"/, '"GPU-1"', "A PCI address looks like 0000:01:00.0."],
];

for (const [what, name, old, replacement, words] of EDITS) {
  test(`stops a tree whose values were edited: ${what}`, async () => {
    stub.vms = TEMPLATES;
    const workspace = await plannable(caseOf(`talos-vm-${name}`));
    const path = "terraform.tfvars";
    const text = readFileSync(`${workspace.folder}/${path}`, "utf8");
    assert.match(text, old);
    put(workspace, path, text.replace(old, replacement));
    const said = await stopped(workspace).finally(() => put(workspace, path, text));
    assert.match(said, words);
  });
}

test.after(() => stub.close());

/** A copy of a golden tree, initialized once, with the stub as its Proxmox and the credentials that it needs. */
function plannable(one: Case): Promise<Workspace> {
  const known = workspaces.get(one.name);
  if (known !== undefined) return known;
  const fresh = (async () => {
    const { folder } = copyOf(one);
    const workspace = workspaceIn(folder, needsRoot(readVms(one.config)) ? ROOT : {});
    pointAt(workspace, one, stub);
    await workspace.must("init", "-no-color", "-input=false");
    return workspace;
  })();
  workspaces.set(one.name, fresh);
  return fresh;
}

function addressOf(name: string): string {
  return `module.vm["${name}"].proxmox_virtual_environment_vm.this`;
}

/** What has to be planned for a VM. Whatever is not named may be as it likes. */
function expectedVm(name: string, vm: Vm): object {
  const source = TEMPLATES.find(
    (one) => one.name === vm.template || String(one.vmid) === String(vm.template),
  )!;
  const hasGpu = vm.gpu_pci_bdf !== null || vm.gpu_mapping !== null;
  const gpu = {
    device: "hostpci0",
    id: vm.gpu_pci_bdf,
    mapping: vm.gpu_mapping,
    pcie: vm.gpu_pcie_mode,
    rombar: vm.gpu_rombar,
    xvga: false,
  };
  return {
    name,
    node_name: vm.node,
    machine: hasGpu && vm.gpu_pcie_mode ? "q35" : null,
    on_boot: vm.onboot,
    started: true,
    migrate: true,
    reboot_after_update: false,
    stop_on_destroy: true,
    clone: [{ vm_id: source.vmid, node_name: source.node, full: true, retries: 1, datastore_id: null }],
    agent: [{ enabled: false }],
    cpu: [{ cores: vm.cores, sockets: 1, type: "x86-64-v2-AES" }],
    memory: [{ dedicated: vm.memory_mb, floating: 0 }],
    disk: [{ interface: "scsi0", datastore_id: vm.disk_pool, size: vm.disk_gb }],
    network_device: [
      {
        bridge: vm.network_bridge,
        ...(vm.mac_address === null ? {} : { mac_address: vm.mac_address.toUpperCase() }),
      },
    ],
    operating_system: [{ type: "l26" }],
    hostpci: hasGpu ? [gpu] : [],
    initialization: [],
  };
}

/** Id and node of the template that a VM would be cloned from. */
async function cloneOf(name: string, vm: string): Promise<unknown> {
  const { resource_changes } = await planJson(await plannable(caseOf(name)));
  const { after } = resource_changes.find(({ address }) => address === addressOf(vm))!.change;
  const [clone] = (after as { clone: { vm_id: number; node_name: string }[] }).clone;
  return [clone?.vm_id, clone?.node_name];
}

/** What tofu says when it refuses to plan, on one line. */
async function stopped({ tofu }: Workspace): Promise<string> {
  const { exitCode, stdout, stderr } = await tofu("plan", "-no-color", "-input=false");
  assert.is(exitCode, 1, stdout);
  return stderr.replace(/[│╷╵\s]+/g, " ");
}

test.run();
