import { quote } from "../../../problem.ts";
import { distributionOf, templateNodeOf, total } from "../distribution.ts";
import { ROLES } from "../role.ts";
import { placeOf } from "./place.ts";
import { rule } from "./rule.ts";

export const nodeRules = [
  rule("control-plane", ({ config }, say) => {
    const distribution = distributionOf(config);
    if (distribution === undefined || total(distribution, "controlplane") > 0) return;
    const hint = "give one of them, or three for high availability, controlplane_count: 1";
    say.error(["node_distribution"], "no Proxmox node hosts a control plane", { at: "key", hint });
  }),

  rule("even-control-planes", ({ config, given }, say) => {
    const distribution = distributionOf(config);
    const count = distribution === undefined ? 1 : total(distribution, "controlplane");
    if (count === 0 || count % 2 === 1) return;
    const isShared = given.node_distribution !== undefined;
    const { path, at } = isShared
      ? ({ path: ["node_distribution"], at: "key" } as const)
      : placeOf(given, ["node_config", "controlplane_count"]);
    const reason = `etcd needs more than half of them to agree, so ${count} survive no more failures than ${count - 1}`;
    say.error(path, `there are ${count} control planes; ${reason}`, { at, hint: "use an odd number" });
  }),

  rule("counts", ({ config, given }, say) => {
    const distribution = given.node_distribution === undefined ? undefined : distributionOf(config);
    for (const role of distribution === undefined ? [] : ROLES) {
      const count = given.node_config?.[`${role}_count`];
      const sum = total(distribution ?? {}, role);
      if (count === undefined || count === sum) continue;
      say.error(["node_config", `${role}_count`], `is ${count}, and ${sum} in all of node_distribution`, {
        other: ["node_distribution"],
        hint: "leave it out, or make them agree",
      });
    }
  }),

  rule("template-node", ({ config, given }, say) => {
    const isUnknown = Object.hasOwn(given, "node_distribution") || templateNodeOf(config) !== undefined;
    const isWrong =
      config.template_config === undefined || Object.hasOwn(config.template_config, "template_node");
    if (isUnknown || isWrong) return;
    const { path, at } = placeOf(given, ["template_config"]);
    const message = `${path.length === 0 ? "template_config " : ""}needs the key "template_node", since there is no node_distribution`;
    const hint = 'add template_node: "pve1", with the name of your Proxmox node';
    say.error(path, message, { at: at === "value" ? "key" : at, hint });
  }),

  rule("image-node", ({ config }, say) => {
    const image = config.proxmox_config?.image_download_node;
    const template = templateNodeOf(config);
    if (image === undefined || template === undefined || image === template) return;
    const datastore = config.proxmox_config?.iso_datastore;
    const message = `the image is downloaded to ${quote(image)}, and the templates are made on ${quote(template)}`;
    say.warning(["proxmox_config", "image_download_node"], message, {
      hint: `leave it out, unless both see the same ${quote(datastore)}`,
    });
  }),
];
