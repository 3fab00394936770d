import { refuseDecodedPatch } from "../../../domain/patch-yaml.ts";
import { rule } from "./rule.ts";

export const patchRules = [
  rule("patch-yaml", ({ config }, say) => {
    for (const key of ["api_server", "kubelet", "machine_features"] as const) {
      const text = config.cluster?.[key];
      if (typeof text === "string") refuseDecodedPatch(["cluster", key], text, say);
    }
  }),
];
