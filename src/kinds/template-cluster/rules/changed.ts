import { quote } from "../../../problem.ts";
import { placeOf } from "./place.ts";
import { rule } from "./rule.ts";

const ELSEWHERE = "another one is another cluster: generate it into a folder of its own";

export const changedRules = [
  rule("changed-cluster", ({ config, given, memory }, say) => {
    const name = config.cluster_config?.name;
    if (memory === undefined || name === undefined || name === memory.cluster.name) return;
    const { path, at, subject } = placeOf(given, ["cluster_config", "name"]);
    const message = `${subject}is ${quote(memory.cluster.name)} and cannot become ${quote(name)}: the machines are named after it`;
    say.error(path, message, { at, hint: `write name: ${quote(memory.cluster.name)}; ${ELSEWHERE}` });
  }),

  rule("changed-network", ({ config, given, memory }, say) => {
    const { dhcp, cidr } = config.network_config ?? {};
    if (memory === undefined || dhcp === undefined) return;
    const before = memory.cluster;
    if (dhcp !== before.dhcp) {
      const { path, at, subject } = placeOf(given, ["network_config", "dhcp"]);
      const message = `${subject}is ${before.dhcp} and cannot become ${dhcp}: the machines have their addresses`;
      say.error(path, message, { at, hint: `write dhcp: ${before.dhcp}; ${ELSEWHERE}` });
    } else if (cidr !== undefined && cidr !== before.cidr && !dhcp) {
      const message = `is ${quote(before.cidr)} and cannot become ${quote(cidr)}: the machines have their addresses`;
      say.error(["network_config", "cidr"], message, { hint: `write ${quote(before.cidr)}; ${ELSEWHERE}` });
    }
  }),

  rule("changed-datastore", ({ config, given, memory, surroundings: { accept } }, say) => {
    const proxmox = config.proxmox_config;
    if (memory === undefined || proxmox === undefined) return;
    const ids = Object.values(memory.nodes).map(({ vm_id }) => vm_id);
    const [first = 0] = ids;
    const each = ids.length === 1 ? "" : ", and so for each machine";
    const refuse = (
      key: "vm_datastore" | "cloud_init_datastore",
      now: string,
      by: string,
      why: string,
    ): void => {
      if (now === memory.cluster[key] || accept.has(key)) return;
      const { path, at, subject } = placeOf(given, ["proxmox_config", key]);
      const message = `${subject}is ${quote(memory.cluster[key])} and cannot become ${quote(now)}: ${why}`;
      say.error(path, message, { at, hint: `by hand: ${by}${each}; then run with --accept ${key}` });
    };
    const { vm_datastore: disks } = proxmox;
    if (disks === undefined) return;
    refuse(
      "vm_datastore",
      disks,
      `qm disk move ${first} virtio0 ${disks} --delete 1`,
      "machines would stay where they are",
    );
    const drives = Object.hasOwn(proxmox, "cloud_init_datastore") ? proxmox.cloud_init_datastore : disks;
    if (drives === undefined) return;
    const by = `qm set ${first} --delete ide2 && qm set ${first} --ide2 ${drives}:cloudinit`;
    refuse(
      "cloud_init_datastore",
      drives,
      by,
      "the drives of running machines would be made anew, all at once",
    );
  }),
];
