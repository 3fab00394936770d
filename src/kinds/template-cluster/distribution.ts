import type { Sound } from "../../kind.ts";
import type { TemplateCluster } from "./config.ts";
import { ROLES, type Role } from "./role.ts";

/** How many machines of each role a Proxmox node hosts. */
export type Share = Readonly<Record<Role, number>>;

/** Proxmox node → what it hosts, sorted by name. */
export type Distribution = Readonly<Record<string, Share>>;

/** Where neither a count nor a distribution is given. */
const DEFAULT_COUNT = 3;

/** Who hosts how many; undefined where a part of it is wrong or missing. The config has its defaults. */
export function distributionOf(config: Sound<TemplateCluster>): Distribution | undefined {
  if (Object.hasOwn(config, "node_distribution")) return given(config);
  const host = templateNodeOf(config);
  const [controlplane, worker] = ROLES.map((role) => countOf(config, role));
  if (host === undefined || controlplane === undefined || worker === undefined) return undefined;
  return { [host]: { controlplane, worker } };
}

/** The Proxmox node of the templates: the one that is named, else the first of the distribution. */
export function templateNodeOf(config: Sound<TemplateCluster>): string | undefined {
  const { template_config, node_distribution } = config;
  if (template_config === undefined || Object.hasOwn(template_config, "template_node")) {
    return template_config?.template_node;
  }
  return Object.keys(node_distribution ?? {}).sort()[0];
}

/** Machines of a role in all. */
export function total(distribution: Distribution, role: Role): number {
  return Object.values(distribution).reduce((sum, share) => sum + share[role], 0);
}

function given({ node_distribution }: Sound<TemplateCluster>): Distribution | undefined {
  const distribution: Record<string, Share> = Object.create(null);
  for (const host of Object.keys(node_distribution ?? {}).sort()) {
    const { controlplane_count: controlplane, worker_count: worker } = node_distribution?.[host] ?? {};
    if (controlplane === undefined || worker === undefined) return undefined;
    distribution[host] = { controlplane, worker };
  }
  return node_distribution === undefined ? undefined : distribution;
}

function countOf({ node_config }: Sound<TemplateCluster>, role: Role): number | undefined {
  const key = `${role}_count` as const;
  if (node_config === undefined || Object.hasOwn(node_config, key)) return node_config?.[key];
  return DEFAULT_COUNT;
}
