import { nameFault, nameHint } from "../../../domain/dns-name.ts";
import type { Path } from "../../../problem.ts";
import { quote, spell } from "../../../problem.ts";
import { readYaml } from "../../../config/yaml.ts";
import { disksOf } from "./disks.ts";
import { entries, rule } from "./rule.ts";
import type { Config } from "./rule.ts";

export const nameRules = [
  rule("node-name", ({ config }, say) => {
    for (const name of Object.keys(config.nodes ?? {})) {
      const fault = nameFault(name) ?? nameFault(`${name}-data`);
      if (fault === undefined) continue;
      say.error(["nodes", name], `is no name for a VM, a Talos machine and a Kubernetes node: ${fault}`, {
        at: "key",
        ...nameHint(name),
      });
    }
  }),

  rule("unique-vm-name", ({ config }, say) => {
    const owners = new Map<string, { path: Path; what: string }>();
    const claim = (name: string, path: Path, what: string): void => {
      const owner = owners.get(name.toLowerCase());
      if (owner === undefined) {
        owners.set(name.toLowerCase(), { path, what });
        return;
      }
      const message = `${what} would be named ${quote(name)}, like ${owner.what} of ${spell(owner.path)}`;
      say.error(path, message, { at: "key", other: owner.path });
    };
    for (const name of Object.keys(config.nodes ?? {})) claim(name, ["nodes", name], "the VM");
    for (const name of Object.keys(config.nodes ?? {})) claim(`${name}-data`, ["nodes", name], "the data VM");
    for (const [name, node] of entries(config.nodes)) {
      for (const volume of disksOf(config, node)) {
        claim(`${name}-${volume}`, ["volumes", volume], `the disk's VM on node ${quote(name)}`);
      }
    }
  }),

  rule("unique-host-name", ({ config }, say) => {
    if (registersWithFqdn(config)) return;
    const owners = new Map<string, string>();
    for (const name of Object.keys(config.nodes ?? {})) {
      const label = name.split(".", 1)[0] ?? name;
      const owner = owners.get(label);
      if (owner === undefined) owners.set(label, name);
      else {
        const message = `is ${quote(label)} in Kubernetes, like ${spell(["nodes", owner])}`;
        say.error(["nodes", name], message, { at: "key", other: ["nodes", owner], hint: FQDN_HINT });
      }
    }
  }),
];

const FQDN_HINT =
  "a node is known by the part before the first dot, unless cluster.kubelet has registerWithFQDN: true";

function registersWithFqdn({ cluster }: Config): boolean {
  const yaml = typeof cluster?.kubelet === "string" ? readYaml(cluster.kubelet) : { faults: [] };
  return "data" in yaml && (yaml.data as Record<string, unknown>)["registerWithFQDN"] === true;
}
