import { needsRoot } from "./gpu.ts";
import type { Model } from "./model.ts";
import { isVmid } from "./template.ts";

/** Ids for templates that the config knows by name only. */
const FIRST_ID = 9000;

/** Everything tests/vms.tftest.hcl may say: the VMs that `tofu test` is to find, and templates for them. */
export function testView({ source, vms }: Model): object {
  return {
    source,
    needsRoot: vms.some(needsRoot),
    vms: vms.map(({ name, node, mac_address }) => ({
      name,
      node,
      macAddress: mac_address?.toUpperCase() ?? null,
    })),
    vmCount: vms.length,
    templates: templatesOf(vms),
  };
}

function templatesOf(vms: Model["vms"]): object[] {
  const nodes = new Map(vms.map(({ template, node }) => [template, node]));
  let next = FIRST_ID;
  return [...nodes].map(([template, node]) => {
    if (isVmid(template)) return { name: `template-${template}`, node, vmId: Number(template) };
    while (nodes.has(String(next))) next++;
    return { name: template, node, vmId: next++ };
  });
}
