import { refuseOldProxmox } from "../../../domain/proxmox-provider.ts";
import {
  isNewerThanKnown,
  outsideOfWindow,
  refuseNewTalos,
  refuseOldTalos,
  refuseOldTalosProvider,
  warnOfUnknownTalosProvider,
} from "../../../domain/talos-releases.ts";
import type { TalosVersion } from "../../../domain/talos-releases.ts";
import { rule } from "./rule.ts";
import type { Config } from "./rule.ts";

export const versionRules = [
  rule("talos-too-old", ({ config }, say) => {
    refuseOldTalos(talosVersions(config), "addresses", say);
  }),

  rule("talos-too-new", ({ config }, say) => {
    refuseNewTalos(talosVersions(config), config.providers?.talos, say);
  }),

  rule("provider-too-old", ({ config }, say) => {
    refuseOldProxmox(config.providers?.proxmox, say);
    refuseOldTalosProvider(config.providers?.talos, say);
  }),

  rule("unknown-provider", ({ config, memory }, say) => {
    warnOfUnknownTalosProvider(config.providers?.talos, say);
    const { cluster_config: cluster } = config;
    const talos = cluster?.talos_version;
    const isChosen = cluster === undefined || Object.hasOwn(cluster, "kubernetes_version");
    if (talos === undefined || isChosen || memory !== undefined || !isNewerThanKnown(talos)) return;
    const message = `which Kubernetes Talos ${talos} brings is not known here`;
    const hint = "add kubernetes_version: with the one you want";
    say.error(["cluster_config", "talos_version"], message, { hint });
  }),

  rule("kubernetes-window", ({ config, given, memory }, say) => {
    const { kubernetes_version: wanted, talos_version: talos } = config.cluster_config ?? {};
    const isGiven =
      given.cluster_config !== undefined && Object.hasOwn(given.cluster_config, "kubernetes_version");
    const kubernetes = isGiven ? wanted : memory?.cluster.kubernetes_version;
    if (kubernetes === undefined || talos === undefined) return;
    const window = outsideOfWindow(kubernetes, talos);
    if (window === undefined) return;
    const path = ["cluster_config", isGiven ? "kubernetes_version" : "talos_version"];
    say.warning(path, `Kubernetes ${kubernetes} is outside of what Talos ${talos} supports: ${window}`);
  }),
];

function talosVersions({ cluster_config }: Config): TalosVersion[] {
  const text = cluster_config?.talos_version;
  return text === undefined ? [] : [{ path: ["cluster_config", "talos_version"], text }];
}
