import { nameFault, nameHint } from "../../../domain/dns-name.ts";
import { macRules } from "../../../domain/mac-rules.ts";
import { quote } from "../../../problem.ts";
import { refuseOldProxmox } from "../../../domain/proxmox-provider.ts";
import { entries } from "../../../rule.ts";
import type { Memory } from "../memory.ts";
import { isVmid } from "../template.ts";
import { rule, type Config } from "./rule.ts";

/** How templates are called that were prepared for this. */
const TEMPLATE_NAME = /^talos-v[0-9]+\.[0-9]+\.[0-9]+-base$/;
/** What Talos asks for; a control plane needs more than a worker. */
const LEAST_DISK_GIB = 10;
const LEAST_CORES = 2;
const LEAST_MEMORY_MIB = 2048;

export const vmRules = [
  rule("vm-name", ({ config }, say) => {
    for (const name of Object.keys(config.vms ?? {})) {
      const fault = nameFault(name);
      if (fault === undefined) continue;
      say.error(["vms", name], `is no name for a VM: ${fault}`, { at: "key", ...nameHint(name) });
    }
  }),

  rule("template-name", ({ config }, say) => {
    for (const [name, { template }] of entries(config.vms)) {
      if (typeof template !== "string" || isVmid(template) || TEMPLATE_NAME.test(template)) continue;
      const message = `${quote(template)} is not called talos-v<major>.<minor>.<patch>-base, as prepared Talos templates are`;
      say.warning(["vms", name, "template"], message, {
        hint: "is it a template with Talos and without cloud-init and machine configuration?",
      });
    }
  }),

  rule("small-vm", ({ config }, say) => {
    for (const [name, { cores, memory_mb, disk_gb }] of entries(config.vms)) {
      const warn = (key: string, message: string): void => say.warning(["vms", name, key], message);
      if (cores !== undefined && cores < LEAST_CORES)
        warn("cores", `a control plane needs ${LEAST_CORES} cores at least; ${cores} will do for a worker`);
      if (memory_mb !== undefined && memory_mb < LEAST_MEMORY_MIB)
        warn(
          "memory_mb",
          `a control plane needs ${LEAST_MEMORY_MIB} MiB at least; ${memory_mb} will do for a worker`,
        );
      if (disk_gb !== undefined && disk_gb < LEAST_DISK_GIB)
        warn("disk_gb", `Talos asks for ${LEAST_DISK_GIB} GiB at least, not ${disk_gb}`);
    }
  }),

  ...macRules<Config, Memory>(({ vms }) =>
    entries(vms).map(([name, { mac_address }]) => [["vms", name, "mac_address"], mac_address]),
  ),

  rule("provider-too-old", ({ config }, say) => refuseOldProxmox(config.providers?.proxmox, say)),
];
