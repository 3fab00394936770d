import { quote } from "../../../problem.ts";
import { entries, rule } from "./rule.ts";

export const datastoreRules = [
  rule("shared-image-datastore", ({ config, given }, say) => {
    const datastore = config.image?.datastore;
    if (datastore === undefined || config.datastores?.[datastore]?.shared !== true) return;
    const path = given.image?.datastore === undefined ? ["image"] : ["image", "datastore"];
    const message = `${quote(datastore)} is shared, and each Proxmox node downloads the image to it: they get in each other's way`;
    const hosts = new Set(entries(config.nodes).map(([, node]) => node.host_node));
    const tell = hosts.size > 1 ? say.error : say.warning;
    tell(path, message, { hint: "use a local one", at: path.length === 1 ? "key" : "value" });
  }),

  rule("unused-datastore", ({ config }, say) => {
    const volumes = Object.values(config.volumes ?? {});
    if (volumes.some((volume) => volume?.datastore === undefined)) return;
    const used = new Set([config.image?.datastore, ...volumes.map((volume) => volume?.datastore)]);
    for (const [name] of entries(config.datastores)) {
      if (used.has(name)) continue;
      say.warning(["datastores", name], "no volume is on this datastore, so this changes nothing", {
        at: "key",
      });
    }
  }),
];
