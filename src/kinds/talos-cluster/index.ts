import { validate } from "../../generated/talos-cluster.validator.ts";
import type { Kind } from "../../kind.ts";
import { render } from "../../rendering/render.ts";
import schema from "../../../schema/talos-cluster.schema.json" with { type: "json" };
import { generate } from "./generate.ts";
import { isMemory } from "./memory-form.ts";
import { check } from "./rules/index.ts";

/** A Talos cluster on VMs of its own, with separate data VMs. */
export const talosCluster: Kind = {
  name: "talos-cluster",
  schema,
  validate,
  spellings: {
    disksize: "disk_size",
    extraManifests: "extra_manifests",
    nodes: "node",
    "proxmox-volume": "proxmox-csi",
    qcow: "qcow2",
    vlan: "vlan_id",
  },
  get example() {
    return render("config/talos-cluster.example.yaml", {});
  },
  get starter() {
    return render("config/talos-cluster.starter.yaml", {});
  },
  isMemory,
  check,
  generate,
};
