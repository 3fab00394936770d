import { suitsArch } from "../../../domain/cpu-type.ts";
import { quote } from "../../../problem.ts";
import { GUEST_AGENT } from "../image.ts";
import { placeOf } from "./place.ts";
import { rule } from "./rule.ts";

export const imageRules = [
  rule("guest-agent", ({ config }, say) => {
    const extensions = config.cluster_config?.extensions;
    if (extensions === undefined || extensions.includes(GUEST_AGENT)) return;
    const message = `${quote(GUEST_AGENT)} is missing, and Proxmox is told that the agent is there`;
    say.error(["cluster_config", "extensions"], message, { hint: "add it to the list" });
  }),

  rule("cpu-arch", ({ config, given }, say) => {
    const arch = config.cluster_config?.arch;
    const cpuType = config.resource_config?.cpu_type;
    if (arch === undefined || cpuType === undefined || suitsArch(cpuType, arch)) return;
    const { at } = placeOf(given, ["resource_config", "cpu_type"]);
    const isGiven = at === "value";
    const path = isGiven ? ["resource_config", "cpu_type"] : ["cluster_config", "arch"];
    const message = isGiven
      ? `${quote(cpuType)} is no CPU of cluster_config.arch, ${arch}`
      : `is ${arch}, and the CPU type ${quote(cpuType)}, the default, is not`;
    const hint = `write resource_config.cpu_type: host, on a Proxmox node with ${arch === "arm64" ? "an ARM" : "an x86"} processor`;
    say.error(path, message, { hint });
  }),

  rule("platform", ({ config }, say) => {
    const platform = config.cluster_config?.platform;
    if (platform === undefined || platform === "nocloud") return;
    const message = `the platform ${quote(platform)} does not read the addresses that Proxmox hands over, so machines will not get theirs`;
    say.warning(["cluster_config", "platform"], message, { hint: 'leave it out, or write "nocloud"' });
  }),
];
