import { quote } from "../../../problem.ts";
import { LAST_SLOT } from "../disks.ts";
import { disksOf } from "./disks.ts";
import { entries, rule } from "./rule.ts";

export const volumePlaceRules = [
  rule("volume-format", ({ config }, say) => {
    for (const [name, { type, format, datastore }] of entries(config.volumes)) {
      if (
        type !== "proxmox-csi" ||
        format !== "qcow2" ||
        datastore === undefined ||
        config.datastores === undefined
      )
        continue;
      const store = config.datastores[datastore];
      const isKnown = !Object.hasOwn(config.datastores, datastore) || store?.kind !== undefined;
      if (!isKnown || store?.kind === "file") continue;
      const message = `qcow2 needs a datastore of files, and ${quote(datastore)} is a block datastore`;
      say.error(["volumes", name, "format"], message, {
        hint: `leave format out, or, if it holds files, say so: datastores: { ${datastore}: { kind: file } }`,
      });
    }
  }),

  rule("volume-slots", ({ config }, say) => {
    for (const machine_type of ["controlplane", "worker"] as const) {
      const count = disksOf(config, { machine_type }).length;
      if (count <= LAST_SLOT) continue;
      const message = `each ${machine_type} would get ${count} disks, and a VM has ${LAST_SLOT} slots for them`;
      say.error(["volumes"], message, {
        at: "key",
        hint: "make fewer and larger volumes, or use proxmox-csi",
      });
    }
  }),

  rule("volume-host", ({ config }, say) => {
    const hosts = Object.values(config.nodes ?? {}).map((node) => node?.host_node);
    if (hosts.length === 0 || hosts.includes(undefined)) return;
    const known = new Set(hosts);
    for (const [name, { type, node, datastore }] of entries(config.volumes)) {
      if (type !== "proxmox-csi" || node === undefined || datastore === undefined || known.has(node))
        continue;
      if (
        config.datastores?.[datastore]?.shared !== false &&
        Object.hasOwn(config.datastores ?? {}, datastore)
      )
        continue;
      const message = `no machine runs on ${quote(node)}, and ${quote(datastore)} is not shared, so nothing can use this volume`;
      say.warning(["volumes", name, "node"], message, {
        hint: `put it where machines run, or, if all nodes see it, write datastores: { ${datastore}: { shared: true } }`,
      });
    }
  }),
];
