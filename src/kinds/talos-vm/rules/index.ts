import { withDefaults } from "../../../config/defaults.ts";
import type { Surroundings } from "../../../kind.ts";
import type { Finding } from "../../../problem.ts";
import schema from "../../../../schema/talos-vm.schema.json" with { type: "json" };
import type { Memory } from "../memory.ts";
import { changedRules } from "./changed.ts";
import { gpuRules } from "./gpus.ts";
import type { Config, Rule } from "./rule.ts";
import { vmRules } from "./vms.ts";

/** Everything about the VMs that no single value shows. */
const rules: readonly Rule[] = [...vmRules, ...gpuRules, ...changedRules];

export const ruleIds: readonly string[] = rules.map(({ id }) => id);

/** Runs every rule on whatever passed the schema. */
export function check(given: Config, surroundings: Surroundings): readonly Finding[] {
  const config = withDefaults(given, schema);
  const memory = surroundings.memory as Memory | undefined;
  return rules.flatMap((rule) => rule.check({ given, config, memory, surroundings }));
}
