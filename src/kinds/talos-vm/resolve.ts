import { withDefaults, type Complete } from "../../config/defaults.ts";
import type { Surroundings } from "../../kind.ts";
import schema from "../../../schema/talos-vm.schema.json" with { type: "json" };
import type { TalosVm } from "./config.ts";
import type { Memory } from "./memory.ts";
import type { CompleteVm, Model } from "./model.ts";

/** Fills in defaults. */
export function resolve(given: TalosVm, { source }: Surroundings): Model {
  const config = withDefaults(given, schema) as Complete<TalosVm>;
  return {
    source: source ?? "the built-in example",
    isExample: source === null,
    config,
    vms: Object.entries(config.vms).map(([name, vm]) => ({ ...vm, name, template: String(vm.template) })),
  };
}

/** What the next run must know. */
export function remember({ vms }: Model): Memory {
  return {
    vms: Object.fromEntries(
      vms.map(({ name, node, disk_pool, disk_gb, template }: CompleteVm) => [
        name,
        { node, disk_pool, disk_gb, template },
      ]),
    ),
  };
}
