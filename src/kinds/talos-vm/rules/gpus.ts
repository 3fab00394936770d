import { list, quote, spell, type Path } from "../../../problem.ts";
import { entries } from "../../../rule.ts";
import { hasGpu, needsRoot } from "../gpu.ts";
import { rule, type Config } from "./rule.ts";

export const gpuRules = [
  rule("gpu-twice", ({ config }, say) => {
    for (const [name, { gpu_mapping, gpu_pci_bdf }] of entries(config.vms)) {
      if (typeof gpu_mapping !== "string" || typeof gpu_pci_bdf !== "string") continue;
      const other = ["vms", name, "gpu_mapping"];
      say.error(["vms", name, "gpu_pci_bdf"], `names a GPU, and so does ${spell(other)}`, {
        other,
        hint: "keep one of them; a mapping works with an API token",
      });
    }
  }),

  rule("gpu-option", ({ config, given }, say) => {
    for (const [name, vm] of entries(config.vms)) {
      const own = given.vms?.[name] ?? {};
      // A GPU that failed the schema is one that the user wanted.
      if (hasGpu(vm) || vm.gpu_mapping === undefined || vm.gpu_pci_bdf === undefined) continue;
      for (const key of ["gpu_pcie_mode", "gpu_rombar"] as const) {
        if (own[key] === undefined) continue;
        say.warning(["vms", name, key], "does nothing: the VM has no GPU", {
          at: "key",
          hint: "add gpu_mapping or gpu_pci_bdf, or leave it out",
        });
      }
    }
  }),

  rule("unique-gpu", ({ config }, say) => {
    const devices = new Map<string, { fn: string; path: Path }[]>();
    for (const [name, { node, gpu_pci_bdf }] of entries(config.vms)) {
      if (typeof gpu_pci_bdf !== "string" || node === undefined) continue;
      const path = ["vms", name, "gpu_pci_bdf"];
      const [device, fn = ""] = fullAddress(gpu_pci_bdf).split(".");
      const users = devices.get(`${node} ${device}`) ?? [];
      devices.set(`${node} ${device}`, users);
      // Without a function all of them are meant.
      const owner = users.find((user) => user.fn === fn || user.fn === "" || fn === "");
      if (owner === undefined) users.push({ fn, path });
      else {
        const message = `${gpu_pci_bdf} of Proxmox node ${quote(node)} is already used by ${spell(owner.path)}`;
        say.error(path, message, { other: owner.path });
      }
    }
  }),

  rule("shared-gpu-mapping", ({ config }, say) => {
    const owners = new Map<string, Path>();
    for (const [name, { node, gpu_mapping }] of entries(config.vms)) {
      if (typeof gpu_mapping !== "string" || node === undefined) continue;
      const path = ["vms", name, "gpu_mapping"];
      const key = `${node} ${gpu_mapping}`;
      const other = owners.get(key);
      if (other === undefined) owners.set(key, path);
      else {
        const message = `${gpu_mapping} of Proxmox node ${quote(node)} is already used by ${spell(other)}`;
        say.warning(path, message, {
          other,
          hint: "works only if the mapping has a GPU of that node for each of them",
        });
      }
    }
  }),

  rule("gpu-needs-root", ({ config }, say) => {
    const names = addressed(config);
    const [first] = names;
    if (first === undefined) return;
    const others = names.length > 4 ? [`${names.length - 1} others`] : names.slice(1).map(quote);
    const who = others.length === 0 ? "" : `, here and for ${list(others, "and")}`;
    say.warning(
      ["vms", first, "gpu_pci_bdf"],
      `only root@pam may pass a PCI address through, no API token may${who}`,
      {
        hint: "set TF_VAR_proxmox_username=root@pam and TF_VAR_proxmox_password when running tofu, or write gpu_mapping",
      },
    );
  }),
];

/** VMs that get their GPU by its address and by nothing else. */
function addressed(config: Config): string[] {
  return entries(config.vms)
    .filter(([, vm]) => needsRoot(vm) && typeof vm.gpu_mapping !== "string")
    .map(([name]) => name);
}

/** With the domain, which may be left out. */
function fullAddress(address: string): string {
  const lower = address.toLowerCase();
  return /^[0-9a-f]{4}:/.test(lower) ? lower : `0000:${lower}`;
}
