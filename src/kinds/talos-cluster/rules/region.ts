import { quote } from "../../../problem.ts";
import { rule } from "./rule.ts";

export const regionRules = [
  rule("region", ({ config }, say) => {
    const region = config.cluster?.proxmox_cluster;
    const name = config.proxmox?.cluster_name;
    if (region === undefined || name === undefined || region === name) return;
    const message = `${quote(name)} and ${quote(region)} cannot both be the Proxmox cluster's name: it is ${quote(region)} in cluster.proxmox_cluster`;
    const hint = "both are the region that Kubernetes and the CSI plugin know it by";
    say.error(["proxmox", "cluster_name"], message, { hint, other: ["cluster", "proxmox_cluster"] });
  }),
];
