import type { Generated, Surroundings } from "../../kind.ts";
import { renderFolder } from "../../rendering/render-folder.ts";
import { allocations } from "./allocations.ts";
import type { TemplateCluster } from "./config.ts";
import type { Memory } from "./memory.ts";
import { notes } from "./notes.ts";
import { resolve } from "./resolve.ts";
import { views } from "./views.ts";

/** Where control planes are moved between the resource with protection and the one without. */
const MOVED = "proxmox-infrastructure/moved.tf";

/** The tree of a config. */
export function generate(config: TemplateCluster, surroundings: Surroundings): Generated {
  const model = resolve(config, surroundings);
  const files = renderFolder("template-cluster/", views(model), model.source);
  files.set("allocations.auto.tfvars.json", { text: allocations(model), once: false });
  if (model.moves.length === 0) files.delete(MOVED);
  return {
    tree: new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1))),
    memory: model.memory,
    notes: notes(model, surroundings.memory as Memory | undefined),
  };
}
