import { suitsArch } from "../../../domain/cpu-type.ts";
import { quote } from "../../../problem.ts";
import { entries, rule } from "./rule.ts";

export const imageRules = [
  rule("cpu-arch", ({ config, given }, say) => {
    const arch = config.image?.arch;
    for (const [name, { cpu_type }] of arch === undefined ? [] : entries(config.nodes)) {
      if (cpu_type === undefined || suitsArch(cpu_type, arch ?? "")) continue;
      const isGiven = given.nodes?.[name]?.cpu_type !== undefined;
      const message = `image.arch is ${arch}, and the CPU type ${quote(cpu_type)}${isGiven ? "" : ", the default,"} is not`;
      const hint = `write cpu_type: host, on a Proxmox node with ${arch === "arm64" ? "an ARM" : "an x86"} processor`;
      const path = isGiven ? ["nodes", name, "cpu_type"] : ["nodes", name];
      say.error(path, message, { at: isGiven ? "value" : "key", hint });
    }
  }),

  rule("platform", ({ config }, say) => {
    const platform = config.image?.platform;
    if (platform === undefined || platform === "nocloud") return;
    const message = `the platform ${quote(platform)} does not read the addresses that Proxmox hands over, so machines will not get theirs`;
    say.warning(["image", "platform"], message, { hint: 'leave it out, or write "nocloud"' });
  }),
];
