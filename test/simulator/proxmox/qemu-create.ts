import { randomUUID } from "node:crypto";
import type { Call } from "./call.ts";
import type { Vm } from "./cluster.ts";
import { createDisks } from "./disks.ts";
import { checkDriveSyntax, checkStorageAccess } from "./drive-checks.ts";
import { configId, flag, natural, optional, storageId } from "./formats.ts";
import { checkBridgeAccess, isNetworkDevice, normalNetwork } from "./network.ts";
import { start } from "./qemu-lifecycle.ts";
import { isOption, optionSchema, vmPlace } from "./qemu-options.ts";
import { denied, failure } from "./refusal.ts";
import type { Route } from "./router.ts";
import { runTask } from "./tasks.ts";
import { checkOptionRights, checkValueRights, checkVm } from "./vm-rights.ts";
import { insist } from "./volume-access.ts";
import { noteSharing, uniqueTags } from "./vms.ts";

/** `POST nodes/{node}/qemu`. Rights and the id are checked at once, the disks are made in the task. */
async function create(call: Call): Promise<string> {
  const { cluster, node, vmid } = call;
  const pool = call.get("pool");
  const options = new Map(
    call.parameters.names.filter(isOption).map((name) => [name, call.need(name)] as const),
  );
  if (pool !== undefined && !cluster.pools.has(pool)) throw denied(`pool '${pool}' does not exist`);
  if (call.isSet("start")) checkVm(call, vmid, pool, "VM.PowerMgmt");
  insist(
    call.may(`/vms/${vmid}`, "VM.Allocate") ||
      (pool !== undefined && call.may(`/pool/${pool}`, "VM.Allocate")),
  );
  checkStorageAccess(call, vmid, options);
  checkOptionRights(call, vmid, pool, options.keys());
  checkValueRights(call, vmid, pool, options);
  checkBridgeAccess(call, options);
  checkDriveSyntax(options);

  const problem = `unable to create VM ${vmid} -`;
  const other = cluster.vms.get(vmid);
  if (other !== undefined) throw failure(`${problem} VM ${vmid} already exists on node '${other.node}'`);
  const vm: Vm = { vmid, node, config: options, isRunning: false, guestSizes: new Map() };
  return runTask(call, node, "qmcreate", String(vmid), () => {
    try {
      for (const [slot, value] of createDisks(call, vm, options)) options.set(slot, value);
    } catch (error) {
      throw failure(`${problem} ${(error as Error).message}`);
    }
    complete(options);
    cluster.vms.set(vmid, vm);
    cluster.destroyed.delete(vmid);
    if (pool !== undefined) cluster.pools.get(pool)!.vms.add(vmid);
    noteSharing(cluster, vm);
    if (call.isSet("start")) start(cluster, vm);
  });
}

/** What the server adds to a new configuration. */
function complete(config: Map<string, string>): void {
  for (const [key, value] of config) if (isNetworkDevice(key)) config.set(key, normalNetwork(value));
  const tags = config.get("tags");
  if (tags !== undefined) config.set("tags", uniqueTags(tags));
  if (!config.has("smbios1")) config.set("smbios1", `uuid=${randomUUID()}`);
  config.set("vmgenid", randomUUID());
  config.set("meta", "creation-qemu=10.0.2,ctime=1750000000");
}

export const createRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "nodes/{node}/qemu",
    parameters: {
      ...optionSchema,
      ...vmPlace,
      pool: optional(configId),
      storage: optional(storageId),
      start: optional(flag),
      unique: optional(flag),
      bwlimit: optional(natural),
      "import-working-storage": optional(storageId),
    },
    answer: create,
  },
];
