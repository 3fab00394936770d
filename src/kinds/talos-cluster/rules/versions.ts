import type { Path } from "../../../problem.ts";
import { rule } from "./rule.ts";
import type { Config } from "./rule.ts";
import { refuseOldProxmox } from "../../../domain/proxmox-provider.ts";
import {
  outsideOfWindow,
  refuseNewTalos,
  refuseOldTalos,
  refuseOldTalosProvider,
  warnOfUnknownTalosProvider,
} from "../../../domain/talos-releases.ts";
import type { TalosVersion } from "../../../domain/talos-releases.ts";
import { compare, parseVersion } from "../../../domain/version.ts";
import { runningVersions } from "./running.ts";

export const versionRules = [
  rule("talos-too-old", ({ config }, say) => {
    refuseOldTalos(talosVersions(config), "volumes and addresses", say);
  }),

  rule("talos-too-new", ({ config }, say) => {
    refuseNewTalos(talosVersions(config), config.providers?.talos, say);
  }),

  rule("provider-too-old", ({ config }, say) => {
    refuseOldProxmox(config.providers?.proxmox, say);
    refuseOldTalosProvider(config.providers?.talos, say);
  }),

  rule("restapi-loses-changes", ({ config }, say) => {
    const restapi = config.providers?.restapi;
    if (restapi === undefined || (parseVersion(restapi)?.[0] ?? 0) < 3) return;
    const message = `restapi ${restapi} plans changes and then loses them without a word`;
    say.error(["providers", "restapi"], message, { hint: "stay at 2.0.1, or leave the key out" });
  }),

  rule("unknown-provider", ({ config }, say) => {
    warnOfUnknownTalosProvider(config.providers?.talos, say);
  }),

  rule("kubernetes-window", ({ config }, say) => {
    const kubernetes = config.cluster?.kubernetes_version;
    if (kubernetes === undefined) return;
    for (const { version, who } of runningVersions(config)) {
      const window = outsideOfWindow(kubernetes, version);
      if (window === undefined) continue;
      const message = `Kubernetes ${kubernetes} is outside of what Talos ${version}, which ${who}, supports: ${window}`;
      say.warning(["cluster", "kubernetes_version"], message);
    }
  }),

  rule("machine-config-version", ({ config }, say) => {
    const wanted = config.cluster?.talos_machine_config_version;
    if (typeof wanted !== "string") return;
    for (const { version, who } of runningVersions(config)) {
      if (compare(wanted, version) <= 0) continue;
      const message = `is ${wanted}, newer than Talos ${version}, which ${who}: it may not understand its configuration`;
      say.warning(["cluster", "talos_machine_config_version"], message, {
        hint: "keep it at the release that the cluster was created with",
      });
    }
  }),
];

/** Every place where the config names a Talos release. */
function talosVersions({ image, cluster }: Config): TalosVersion[] {
  const places: [Path, string | null | undefined][] = [
    [["image", "version"], image?.version],
    [["image", "update_version"], image?.update_version],
    [["cluster", "talos_machine_config_version"], cluster?.talos_machine_config_version],
  ];
  return places.flatMap(([path, text]) => (typeof text === "string" ? [{ path, text }] : []));
}
