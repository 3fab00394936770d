import { entries, rule } from "./rule.ts";
import { compare } from "../../../domain/version.ts";

export const updateRules = [
  rule("update-target", ({ config }, say) => {
    const { image } = config;
    if (image === undefined || image.update_version !== null || image.update_schematic_path !== null) return;
    for (const [name, { update }] of entries(config.nodes)) {
      if (update !== true) continue;
      say.error(["nodes", name, "update"], "there is nothing to update to", {
        hint: "set image.update_version or image.update_schematic_path, or leave update out",
      });
    }
  }),

  rule("downgrade", ({ config }, say) => {
    const { version, update_version } = config.image ?? {};
    if (version === undefined || typeof update_version !== "string" || compare(update_version, version) >= 0)
      return;
    const message = `Talos is not made to go back, and ${update_version} is older than ${version} in image.version`;
    say.warning(["image", "update_version"], message, { other: ["image", "version"] });
  }),
];
