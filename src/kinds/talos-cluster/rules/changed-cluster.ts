import { quote } from "../../../problem.ts";
import { rule } from "./rule.ts";

export const changedClusterRules = [
  rule("changed-cluster", ({ config, given, memory, surroundings }, say) => {
    if (memory === undefined) return;
    const { name, env, proxmox_cluster } = memory.cluster;
    const region = config.cluster?.proxmox_cluster;
    const elsewhere = "another one is another cluster: generate it into a folder of its own";
    if (config.cluster?.name !== undefined && config.cluster.name !== name) {
      const message = `is ${quote(name)} and cannot become ${quote(config.cluster.name)}: the VMs are marked with it`;
      say.error(["cluster", "name"], message, { hint: `write ${quote(name)}; ${elsewhere}` });
    }
    if (config.env !== undefined && config.env !== env) {
      const subject = given.env === undefined ? "env " : "";
      const message = `${subject}is ${quote(env)} and cannot become ${quote(config.env)}: volumes, the CSI user and its role are named after it`;
      const path = given.env === undefined ? [] : ["env"];
      say.error(path, message, { hint: `write env: ${quote(env)}; ${elsewhere}` });
    }
    const isKnown = proxmox_cluster !== undefined && region !== undefined;
    if (isKnown && region !== proxmox_cluster && !surroundings.accept.has("proxmox_cluster")) {
      const message = `is ${quote(proxmox_cluster)} and cannot become ${quote(region)}: it is in the handle of every CSI volume, and Kubernetes would lose them all`;
      const hint = `write ${quote(proxmox_cluster)}; where nothing uses a CSI volume, run with --accept proxmox_cluster`;
      say.error(["cluster", "proxmox_cluster"], message, { hint });
    }
  }),
];
