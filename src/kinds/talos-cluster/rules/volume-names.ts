import { nameFault } from "../../../domain/dns-name.ts";
import { quote, spell } from "../../../problem.ts";
import { disksOf } from "./disks.ts";
import { entries, rule } from "./rule.ts";

/** Longest name of a logical volume in LVM. */
const LONGEST_DISK_NAME = 127;

export const volumeNameRules = [
  rule("volume-name", ({ config }, say) => {
    for (const [name, { type, vmid }] of entries(config.volumes)) {
      const refuse = (why: string): void => say.error(["volumes", name], why, { at: "key" });
      if ((type === "disk" || type === "directory") && !/^[A-Za-z0-9-]{1,34}$/.test(name)) {
        refuse("is no name for a Talos volume: it has 1 to 34 letters, digits and hyphens");
      } else if (type === "proxmox-csi") {
        const fault = nameFault(name);
        const disk = ["vm", vmid, ...(config.env === "" ? [] : [config.env]), name].join("-");
        if (fault !== undefined) refuse(`is no name for a PersistentVolume: ${fault}`);
        else if (disk.length > LONGEST_DISK_NAME) {
          refuse(
            `is too long: Proxmox takes ${LONGEST_DISK_NAME} characters at most, and ${disk} has ${disk.length}`,
          );
        }
      }
    }
  }),

  rule("disk-vm-name", ({ config }, say) => {
    const reported = new Set<string>();
    for (const [node, value] of entries(config.nodes)) {
      if (nameFault(node) !== undefined) continue;
      for (const volume of disksOf(config, value)) {
        const fault = nameFault(`${node}-${volume}`.toLowerCase());
        if (fault === undefined || reported.has(volume) || !/^[A-Za-z0-9-]{1,34}$/.test(volume)) continue;
        reported.add(volume);
        const message = `the disk's VM on ${spell(["nodes", node])} would be named ${quote(`${node}-${volume}`)}: ${fault}`;
        say.error(["volumes", volume], message, { at: "key" });
      }
    }
  }),
];
