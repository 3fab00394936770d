import { flag, listOf, mapOf, number, oneOf, optional, record, text } from "../../form.ts";

const place = { slot: number, vm_id: number };
const disk = record(place);
const retiredDisk = record({ ...place, host_node: text, datastore: text, size_mib: number });

/** Whether a value can be the `Memory` of a run. */
export const isMemory = record({
  cluster: record({
    name: text,
    env: text,
    proxmox_cluster: optional(text),
    endpoint: optional(text),
    talos_machine_config_version: text,
  }),
  bootstrap_node: text,
  images: optional(listOf(text)),
  nodes: mapOf(
    record({
      vm_id: number,
      host_node: text,
      datastore: text,
      disk_size: number,
      machine_type: oneOf("controlplane", "worker"),
      ip: text,
      image: text,
    }),
  ),
  volumes: mapOf(
    record({
      type: oneOf("directory", "disk", "proxmox-csi"),
      size_mib: number,
      datastore: text,
      node: text,
      shared: optional(flag),
      format: text,
      disk: text,
      serial: text,
    }),
  ),
  disks: mapOf(disk),
  retired: record({ disks: optional(mapOf(retiredDisk)) }),
});
