import { free, ownedBy, uses } from "./allocation.ts";
import type { Call } from "./call.ts";
import type { Cluster, Vm } from "./cluster.ts";
import { isUnused } from "./drive.ts";
import { flag, natural, optional } from "./formats.ts";
import { isNetworkDevice, parseNetwork } from "./network.ts";
import { parseProperties } from "./property-string.ts";
import { hostPciFields, vmPlace } from "./qemu-options.ts";
import { failure } from "./refusal.ts";
import type { Route } from "./router.ts";
import { isTrue } from "./schema.ts";
import { findVolume, isAvailable, volumeId } from "./storage.ts";
import { runTask } from "./tasks.ts";
import { checkProtection, findVm, isTemplate, noteSharing, showToGuest, volumesOf } from "./vms.ts";

/** What must be there when a VM starts. */
function checkStart(cluster: Cluster, vm: Vm): void {
  if (vm.isRunning) throw failure(`VM ${vm.vmid} already running`);
  for (const [, volid] of volumesOf(vm)) findVolume(cluster, vm.node, volid);
  const bridges = cluster.nodes.get(vm.node)?.bridges ?? [];
  for (const [key, value] of vm.config) {
    if (isNetworkDevice(key)) {
      const bridge = parseNetwork(value).get("bridge");
      if (bridge !== undefined && !bridges.includes(bridge))
        throw failure(`bridge '${bridge}' does not exist`);
    }
    if (/^hostpci\d+$/.test(key)) checkDevice(cluster, vm, parseProperties(value, hostPciFields, key));
  }
}

function checkDevice(cluster: Cluster, vm: Vm, device: ReadonlyMap<string, string> | string): void {
  if (typeof device === "string") throw failure(device);
  if (isTrue(device.get("pcie")) && !/q35/.test(vm.config.get("machine") ?? ""))
    throw failure("q35 machine model is not enabled");
  const mapping = device.get("mapping");
  if (mapping === undefined) return;
  const devices = cluster.pciMappings.get(mapping)?.map ?? [];
  if (!devices.some((entry) => entry.split(",").includes(`node=${vm.node}`)))
    throw failure(`PCI device mapping not found for '${mapping}'`);
}

export function start(cluster: Cluster, vm: Vm): void {
  checkStart(cluster, vm);
  vm.isRunning = true;
  for (const [, volid] of volumesOf(vm)) showToGuest(cluster, vm, volid);
  noteSharing(cluster, vm);
  for (const listener of cluster.startListeners) listener(vm);
}

export function stop(cluster: Cluster, vm: Vm): void {
  if (!vm.isRunning) return;
  vm.isRunning = false;
  vm.guestSizes.clear();
  for (const listener of cluster.stopListeners) listener(vm);
}

/** Its own volumes go with it, attached ones of others stay. */
function destroy(call: Call, vm: Vm): void {
  const { cluster } = call;
  const referenced = new Set([...vm.config].filter(([key]) => isUnused(key)).map(([, volid]) => volid));
  const owned = ownedBy(cluster, vm.vmid, vm.node).filter(
    (volume) =>
      call.isSet("destroy-unreferenced-disks") ||
      referenced.has(volumeId(volume)) ||
      uses(cluster, vm, volume),
  );
  for (const volume of owned) {
    try {
      if (isAvailable(cluster.storages.get(volume.storage)!, vm.node))
        free(cluster, vm.node, volumeId(volume));
    } catch (error) {
      if (isTemplate(vm)) throw error;
    }
  }
  cluster.vms.delete(vm.vmid);
  cluster.destroyed.add(vm.vmid);
  for (const entry of cluster.acl) if (entry.path === `/vms/${vm.vmid}`) cluster.acl.delete(entry);
  for (const pool of cluster.pools.values()) pool.vms.delete(vm.vmid);
}

function status(call: Call): unknown {
  const vm = findVm(call);
  const memory = Number((vm.config.get("memory") ?? "512").replace("current=", ""));
  return {
    vmid: vm.vmid,
    name: vm.config.get("name") ?? `VM ${vm.vmid}`,
    status: vm.isRunning ? "running" : "stopped",
    qmpstatus: vm.isRunning ? "running" : "stopped",
    cpus: Number(vm.config.get("cores") ?? 1) * Number(vm.config.get("sockets") ?? 1),
    maxmem: memory * 1024 * 1024,
    uptime: vm.isRunning ? 60 : 0,
    ha: { managed: 0 },
    ...(vm.isRunning ? { pid: 4242 } : {}),
    ...(isTemplate(vm) ? { template: 1 } : {}),
  };
}

const seconds = optional(natural);
const mayPower = (call: Call): void => call.check(`/vms/${call.vmid}`, "VM.PowerMgmt");

/** A change of power: what is refused at once, and what the task does. */
function power(
  action: string,
  type: string,
  parameters: Route["parameters"],
  refuse: (vm: Vm) => string | undefined,
  work: (cluster: Cluster, vm: Vm) => void,
): Route {
  return {
    method: "POST",
    path: `nodes/{node}/qemu/{vmid}/status/${action}`,
    parameters: { ...vmPlace, skiplock: optional(flag), ...parameters },
    allow: mayPower,
    answer: (call) => {
      const vm = findVm(call);
      const reason = refuse(vm);
      if (reason !== undefined) throw failure(reason);
      return runTask(call, call.node, type, String(vm.vmid), () => work(call.cluster, vm));
    },
  };
}

const refuseStopped = (vm: Vm): string | undefined =>
  vm.isRunning ? undefined : `VM ${vm.vmid} not running`;
const refuseTemplate = (vm: Vm): string | undefined =>
  isTemplate(vm) ? "you can't start a vm if it's a template" : undefined;
const never = (): undefined => undefined;

export const lifecycleRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "nodes/{node}/qemu/{vmid}/status/current",
    parameters: vmPlace,
    allow: (call) => call.check(`/vms/${call.vmid}`, "VM.Audit"),
    answer: status,
  },
  power("start", "qmstart", { timeout: seconds }, refuseTemplate, start),
  power("stop", "qmstop", { timeout: seconds, keepActive: optional(flag) }, never, stop),
  power("shutdown", "qmshutdown", { timeout: seconds, forceStop: optional(flag) }, refuseStopped, stop),
  power("reboot", "qmreboot", { timeout: seconds }, refuseStopped, (cluster, vm) => {
    stop(cluster, vm);
    start(cluster, vm);
  }),
  {
    method: "DELETE",
    path: "nodes/{node}/qemu/{vmid}",
    parameters: {
      ...vmPlace,
      skiplock: optional(flag),
      purge: optional(flag),
      "destroy-unreferenced-disks": optional(flag),
    },
    allow: (call) => call.check(`/vms/${call.vmid}`, "VM.Allocate"),
    answer: (call) => {
      const vm = findVm(call);
      checkProtection(vm, `can't remove VM ${vm.vmid}`);
      if (vm.isRunning) throw failure(`VM ${vm.vmid} is running - destroy failed`);
      return runTask(call, call.node, "qmdestroy", String(vm.vmid), () => destroy(call, vm));
    },
  },
];
