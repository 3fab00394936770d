import type { Generated, Surroundings } from "../../kind.ts";
import { renderFolder } from "../../rendering/render-folder.ts";
import type { TalosCluster } from "./config.ts";
import type { Memory } from "./memory.ts";
import { allocations } from "./allocations.ts";
import { notes } from "./notes.ts";
import { DEFAULT_SCHEMATIC } from "./new-schematic.ts";
import { resolve } from "./resolve.ts";
import { views } from "./views.ts";

/** The tree of a config: each template below the kind's folder becomes the file of the same path. */
export function generate(config: TalosCluster, surroundings: Surroundings): Generated {
  const model = resolve(config, surroundings);
  const files = renderFolder("talos-cluster/", views(model), model.source);
  files.set("allocations.auto.tfvars.json", { text: allocations(model), once: false });
  if (model.newSchematic === null) files.delete(DEFAULT_SCHEMATIC);
  else files.set(DEFAULT_SCHEMATIC, { text: model.newSchematic, once: true });
  return {
    tree: new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1))),
    memory: model.memory,
    notes: notes(model, surroundings.memory as Memory | undefined),
  };
}
