import { list, quote } from "../../../problem.ts";
import { entries, rule } from "./rule.ts";
import type { Volume } from "./rule.ts";

/** The documented table: which keys each type uses beside `size` and `type`. */
const USED: Readonly<Record<NonNullable<Volume["type"]>, readonly (keyof Volume)[]>> = {
  directory: ["machine_type"],
  disk: ["machine_type", "datastore"],
  partition: ["machine_type"],
  "proxmox-csi": ["datastore", "format", "node", "vmid"],
};
const KEYS: readonly (keyof Volume)[] = ["machine_type", "datastore", "format", "node", "vmid"];

export const volumeKeyRules = [
  rule("volume-type", ({ config }, say) => {
    for (const [name, { type }] of entries(config.volumes)) {
      if (type !== "partition") continue;
      say.error(["volumes", name, "type"], "partition volumes are not available yet", {
        hint: 'use "disk", or "directory" where no quota is needed',
      });
    }
  }),

  rule("volume-key", ({ config, given }, say) => {
    for (const [name, volume] of entries(given.volumes)) {
      const type = config.volumes?.[name]?.type;
      if (type === undefined) continue;
      const default_ = Object.hasOwn(volume, "type") ? "" : ", which is the type where none is given,";
      for (const key of KEYS) {
        if (!Object.hasOwn(volume, key) || USED[type].includes(key)) continue;
        const types = Object.entries(USED).flatMap(([other, keys]) =>
          keys.includes(key) ? [quote(other)] : [],
        );
        const message = `a volume of type ${quote(type)}${default_} does not use ${key}; it is for ${list(types, "and")}`;
        say.error(["volumes", name, key], message, { at: "key", hint: "remove it, or set another type" });
      }
      if (type === "proxmox-csi" && !Object.hasOwn(volume, "node")) {
        const message = `needs the key "node": a volume of type "proxmox-csi"${default_} is on one Proxmox node`;
        say.error(["volumes", name], message, { at: "key", hint: 'add node: "pve1", with your value' });
      }
    }
  }),
];
