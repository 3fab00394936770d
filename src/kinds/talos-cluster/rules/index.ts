import schema from "../../../../schema/talos-cluster.schema.json" with { type: "json" };
import { withDefaults } from "../../../config/defaults.ts";
import type { Surroundings } from "../../../kind.ts";
import type { Finding } from "../../../problem.ts";
import type { Memory } from "../memory.ts";
import { addressRules } from "./addresses.ts";
import { changedClusterRules } from "./changed-cluster.ts";
import { changedNodeRules } from "./changed-nodes.ts";
import { changedVolumeRules } from "./changed-volumes.ts";
import { datastoreRules } from "./datastores.ts";
import { destroyedRules } from "./destroyed.ts";
import { idRules } from "./ids.ts";
import { imageRules } from "./image.ts";
import { nameRules } from "./names.ts";
import { nodeRules } from "./nodes.ts";
import { patchRules } from "./patches.ts";
import { pathRules } from "./paths.ts";
import { regionRules } from "./region.ts";
import type { Config, Rule } from "./rule.ts";
import { rebuiltRules } from "./rebuilt.ts";
import { updateRules } from "./update.ts";
import { versionRules } from "./versions.ts";
import { volumeKeyRules } from "./volume-keys.ts";
import { volumeNameRules } from "./volume-names.ts";
import { volumePlaceRules } from "./volume-places.ts";
import { volumeSizeRules } from "./volume-sizes.ts";

/** Everything about a cluster that no single value shows. */
const rules: readonly Rule[] = [
  ...nodeRules,
  ...nameRules,
  ...addressRules,
  ...idRules,
  ...regionRules,
  ...imageRules,
  ...versionRules,
  ...updateRules,
  ...volumeKeyRules,
  ...volumeNameRules,
  ...volumeSizeRules,
  ...volumePlaceRules,
  ...datastoreRules,
  ...pathRules,
  ...patchRules,
  ...changedClusterRules,
  ...changedNodeRules,
  ...changedVolumeRules,
  ...rebuiltRules,
  ...destroyedRules,
];

export const ruleIds: readonly string[] = rules.map(({ id }) => id);

/** Runs every rule on whatever passed the schema. */
export function check(given: Config, surroundings: Surroundings): readonly Finding[] {
  const config = withDefaults(given, schema);
  const memory = surroundings.memory as Memory | undefined;
  return rules.flatMap((rule) => rule.check({ given, config, memory, surroundings }));
}
