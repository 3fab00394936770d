import { mapOf, number, record, text } from "../../form.ts";

/** Whether a value can be the `Memory` of a run. */
export const isMemory = record({
  vms: mapOf(record({ node: text, disk_pool: text, disk_gb: number, template: text })),
});
