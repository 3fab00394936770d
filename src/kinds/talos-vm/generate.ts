import type { Generated, Surroundings } from "../../kind.ts";
import { renderFolder } from "../../rendering/render-folder.ts";
import type { TalosVm } from "./config.ts";
import type { Memory } from "./memory.ts";
import { notes } from "./notes.ts";
import { remember, resolve } from "./resolve.ts";
import { views } from "./views.ts";

/** The tree of a config. */
export function generate(config: TalosVm, surroundings: Surroundings): Generated {
  const model = resolve(config, surroundings);
  const memory = remember(model);
  return {
    tree: renderFolder("talos-vm/", views(model), model.source),
    memory,
    notes: notes(memory, surroundings.memory as Memory | undefined),
  };
}
