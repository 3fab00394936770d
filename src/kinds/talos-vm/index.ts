import { validate } from "../../generated/talos-vm.validator.ts";
import type { Kind } from "../../kind.ts";
import { render } from "../../rendering/render.ts";
import schema from "../../../schema/talos-vm.schema.json" with { type: "json" };
import { generate } from "./generate.ts";
import { isMemory } from "./memory-form.ts";
import { check } from "./rules/index.ts";

/** Talos VMs that are cloned from templates; what they become is not decided here. */
export const talosVm: Kind = {
  name: "talos-vm",
  schema,
  validate,
  spellings: {
    bridge: "network_bridge",
    cpu: "cores",
    datastore: "disk_pool",
    disk_size: "disk_gb",
    host_node: "node",
    memory: "memory_mb",
    nodes: "vms",
    on_boot: "onboot",
    ram_dedicated: "memory_mb",
  },
  get example() {
    return render("config/talos-vm.example.yaml", {});
  },
  get starter() {
    return render("config/talos-vm.starter.yaml", {});
  },
  isMemory,
  check,
  generate,
};
