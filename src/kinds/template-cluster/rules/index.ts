import { withDefaults } from "../../../config/defaults.ts";
import type { Surroundings } from "../../../kind.ts";
import type { Finding } from "../../../problem.ts";
import schema from "../../../../schema/template-cluster.schema.json" with { type: "json" };
import type { Memory } from "../memory.ts";
import { changedRules } from "./changed.ts";
import { destroyedRules } from "./destroyed.ts";
import { endpointRules } from "./endpoint.ts";
import { idRules } from "./ids.ts";
import { imageRules } from "./image.ts";
import { networkRules } from "./network.ts";
import { nodeRules } from "./nodes.ts";
import { patchRules } from "./patches.ts";
import type { Config, Rule } from "./rule.ts";
import { versionRules } from "./versions.ts";

/** Everything about a cluster that no single value shows. */
const rules: readonly Rule[] = [
  ...nodeRules,
  ...networkRules,
  ...endpointRules,
  ...idRules,
  ...imageRules,
  ...versionRules,
  ...patchRules,
  ...changedRules,
  ...destroyedRules,
];

export const ruleIds: readonly string[] = rules.map(({ id }) => id);

/** Runs every rule on whatever passed the schema. */
export function check(given: Config, surroundings: Surroundings): readonly Finding[] {
  const config = withDefaults(given, schema);
  const memory = surroundings.memory as Memory | undefined;
  return rules.flatMap((rule) => rule.check({ given, config, memory, surroundings }));
}
