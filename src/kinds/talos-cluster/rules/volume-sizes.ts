import { quote } from "../../../problem.ts";
import { fittingSize, sizeMib } from "../sizes.ts";
import { entries, rule } from "./rule.ts";

export const volumeSizeRules = [
  rule("volume-size", ({ config }, say) => {
    for (const [name, { size, type }] of entries(config.volumes)) {
      if (size === undefined || type === undefined || type === "partition") continue;
      if (sizeMib({ size, type }) !== undefined) continue;
      const isBare = /^[0-9]+$/.test(String(size));
      const message = isBare
        ? `${quote(size)} has no unit, and Proxmox would read it as KiB`
        : type === "proxmox-csi"
          ? `${quote(size)} must be in M or G (binary: MiB or GiB)`
          : `${quote(size)} must be a number of G (binary: GiB) for the type ${quote(type)}`;
      const fitting = fittingSize({ size, type });
      const hint = fitting === undefined ? {} : { hint: `write ${quote(fitting)}` };
      say.error(["volumes", name, "size"], message, hint);
    }
  }),

  rule("directory-size", ({ config }, say) => {
    for (const [name, { size, type }] of entries(config.volumes)) {
      if (type !== "directory" || size === undefined) continue;
      const message = "Talos does not enforce the size of a directory: it can fill all of /var";
      say.warning(["volumes", name, "size"], message, { hint: 'use "disk" where a limit is needed' });
    }
  }),
];
