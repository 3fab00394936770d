import { flag, listOf, mapOf, number, oneOf, record, text } from "../../form.ts";
import { ROLES } from "./role.ts";

/** Whether a value can be the `Memory` of a run. */
export const isMemory = record({
  cluster: record({
    name: text,
    dhcp: flag,
    cidr: text,
    vm_datastore: text,
    cloud_init_datastore: text,
    kubernetes_version: text,
    talos_machine_config_version: text,
  }),
  bootstrap_node: text,
  nodes: mapOf(
    record({ role: oneOf(...ROLES), host_node: text, vm_id: number, ip: text, mac_address: text }),
  ),
  released: listOf(text),
  image: text,
});
