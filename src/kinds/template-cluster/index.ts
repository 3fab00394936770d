import { validate } from "../../generated/template-cluster.validator.ts";
import type { Kind } from "../../kind.ts";
import { render } from "../../rendering/render.ts";
import schema from "../../../schema/template-cluster.schema.json" with { type: "json" };
import { generate } from "./generate.ts";
import { isMemory } from "./memory-form.ts";
import { check } from "./rules/index.ts";

/** A Talos cluster whose machines are cloned from two templates. */
export const templateCluster: Kind = {
  name: "template-cluster",
  schema,
  validate,
  spellings: {
    cluster: "cluster_config",
    control_plane: "controlplane",
    cpu: "cpu_cores",
    datastore: "vm_datastore",
    disk: "disk_size",
    dns: "dns_servers",
    network: "network_config",
    network_cidr: "cidr",
    proxmox: "proxmox_config",
    ram: "memory",
    vip: "vip_ip",
    vlan: "vlan_id",
    workers: "worker",
  },
  get example() {
    return render("config/template-cluster.example.yaml", {});
  },
  get starter() {
    return render("config/template-cluster.starter.yaml", {});
  },
  isMemory,
  check,
  generate,
};
