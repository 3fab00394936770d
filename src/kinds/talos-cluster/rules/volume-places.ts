import { list, quote } from "../../../problem.ts";
import { LAST_SLOT } from "../disks.ts";
import { disksOf } from "./disks.ts";
import type { Memory } from "../memory.ts";
import { entries, rule, type Config } from "./rule.ts";

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

  rule("volume-slots", ({ config, memory }, say) => {
    for (const machine_type of ["controlplane", "worker"] as const) {
      const count = disksOf(config, { machine_type }).length;
      if (count <= LAST_SLOT) continue;
      const message = `each ${machine_type} would get ${count} disks, and a VM has ${LAST_SLOT} slots for them`;
      say.error(["volumes"], message, {
        at: "key",
        hint: "make fewer and larger volumes, or use proxmox-csi",
      });
    }
    for (const { name, added, gone } of crowded(config, memory)) {
      const message = `all ${LAST_SLOT} slots of ${quote(name)} are taken until ${list(gone.map(quote), "and")} ${gone.length === 1 ? "is" : "are"} unplugged`;
      say.error(["volumes", added], message, {
        at: "key",
        hint: "apply what is taken out first, then put this in",
      });
      return;
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

/** Nodes with a disk for which only the slot of one is left that goes in the same apply, which would unplug both. */
function* crowded(config: Config, memory: Memory | undefined) {
  const plugged = new Map<string, string[]>();
  for (const key of Object.keys(memory?.disks ?? {})) {
    const [name, volume] = [key.slice(0, key.lastIndexOf("/")), key.slice(key.lastIndexOf("/") + 1)];
    plugged.set(name, [...(plugged.get(name) ?? []), volume]);
  }
  for (const [name, volumes] of plugged) {
    const wanted = disksOf(config, config.nodes?.[name] ?? {});
    const gone = volumes.filter((volume) => !wanted.includes(volume));
    const added = wanted.find((volume) => !volumes.includes(volume));
    const isFull = wanted.length + gone.length > LAST_SLOT && wanted.length <= LAST_SLOT;
    if (isFull && added !== undefined) yield { name, added, gone };
  }
}
