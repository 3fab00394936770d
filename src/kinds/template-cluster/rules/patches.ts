import { refusePatch } from "../../../domain/patch-yaml.ts";
import { rule } from "./rule.ts";

export const patchRules = [
  rule("patch-yaml", ({ config }, say) => {
    for (const who of ["all", "controlplane", "worker"] as const) {
      const texts = config.cluster_config?.config_patches?.[who] ?? [];
      texts.forEach((text, index) => {
        refusePatch(["cluster_config", "config_patches", who, index], text, say);
      });
    }
  }),
];
