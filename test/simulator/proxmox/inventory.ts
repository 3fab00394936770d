import type { Call } from "./call.ts";
import type { Storage, Vm } from "./cluster.ts";
import { flag, nodeName, optional, storageId, text, vmid } from "./formats.ts";
import { parseNetwork } from "./network.ts";
import { vmPlace } from "./qemu-options.ts";
import { failure, invalid } from "./refusal.ts";
import type { Route } from "./router.ts";
import { gib } from "./sizes.ts";
import { findStorage, isAvailable } from "./storage.ts";
import { findVm, isTemplate } from "./vms.ts";

/** What there is: nodes, VMs, storages. */
const version = { release: "9.0", repoid: "3f9a2c1e", version: "9.0.4" };

const describeVm = (vm: Vm): Readonly<Record<string, unknown>> => ({
  vmid: vm.vmid,
  name: vm.config.get("name") ?? `VM ${vm.vmid}`,
  status: vm.isRunning ? "running" : "stopped",
  maxcpu: Number(vm.config.get("cores") ?? 1),
  ...(vm.config.has("tags") ? { tags: vm.config.get("tags") } : {}),
});

const describeStorage = (storage: Storage): Readonly<Record<string, unknown>> => ({
  storage: storage.id,
  type: storage.type,
  content: storage.content.join(","),
  shared: storage.isShared ? 1 : 0,
  active: 1,
  enabled: 1,
  total: 1000 * gib,
  used: 100 * gib,
  avail: 900 * gib,
});

const visible = (call: Call): readonly Vm[] =>
  [...call.cluster.vms.values()].filter((vm) => call.may(`/vms/${vm.vmid}`, "VM.Audit"));

const mayStore = (call: Call, id: string): boolean =>
  call.mayAny(`/storage/${id}`, "Datastore.Audit", "Datastore.AllocateSpace");

function resources(call: Call): readonly unknown[] {
  const type = call.get("type");
  const vms = visible(call).map((vm) => ({
    ...describeVm(vm),
    id: `qemu/${vm.vmid}`,
    type: "qemu",
    node: vm.node,
    template: isTemplate(vm) ? 1 : 0,
  }));
  const nodes = [...call.cluster.nodes.keys()].map((node) => ({
    id: `node/${node}`,
    type: "node",
    node,
    status: "online",
  }));
  const storages = [...call.cluster.storages.values()]
    .filter(({ id }) => mayStore(call, id))
    .flatMap((storage) =>
      [...call.cluster.nodes.keys()]
        .filter((node) => isAvailable(storage, node))
        .map((node) => ({
          ...describeStorage(storage),
          id: `storage/${node}/${storage.id}`,
          type: "storage",
          node,
        })),
    );
  return [
    ...(type === undefined || type === "vm" ? vms : []),
    ...(type === undefined || type === "node" ? nodes : []),
    ...(type === undefined || type === "storage" ? storages : []),
  ];
}

function nextId(call: Call): string {
  const wanted = call.get("vmid");
  if (wanted !== undefined) {
    if (call.cluster.vms.has(Number(wanted))) throw invalid({ vmid: `VM ${wanted} already exists` });
    return wanted;
  }
  let id = 100;
  while (call.cluster.vms.has(id)) id += 1;
  return String(id);
}

/** Talos lists the loopback device first. */
function interfaces(call: Call): unknown {
  const vm = findVm(call);
  const isEnabled = /(^|,)(enabled=)?1(,|$)/.test(vm.config.get("agent") ?? "");
  if (!isEnabled) throw failure("No QEMU guest agent configured");
  if (!vm.isRunning) throw failure(`VM ${vm.vmid} is not running`);
  const address = (ip: string, prefix: number) => ({ "ip-address": ip, "ip-address-type": "ipv4", prefix });
  const [, ip = vm.address, prefix = 24] =
    /(?:^|,)ip=([\d.]+)\/(\d+)/.exec(vm.config.get("ipconfig0") ?? "") ?? [];
  const mac = parseNetwork(vm.config.get("net0") ?? "").get("macaddr") ?? "00:00:00:00:00:00";
  const own = ip === undefined ? [] : [address(ip, Number(prefix))];
  return {
    result: [
      { name: "lo", "hardware-address": "00:00:00:00:00:00", "ip-addresses": [address("127.0.0.1", 8)] },
      { name: "eth0", "hardware-address": mac.toLowerCase(), "ip-addresses": own },
    ],
  };
}

const get = (
  path: string,
  parameters: Route["parameters"],
  answer: Route["answer"],
  allow?: Route["allow"],
): Route => ({
  method: "GET",
  path,
  parameters,
  answer,
  ...(allow ? { allow } : {}),
});

const audit = (call: Call): void => call.check(`/nodes/${call.node}`, "Sys.Audit");

export const inventoryRoutes: readonly Route[] = [
  get("version", {}, () => version),
  get("nodes", {}, ({ cluster }) =>
    [...cluster.nodes.keys()].map((node) => ({
      node,
      status: "online",
      uptime: 3600,
      maxcpu: 8,
      maxmem: 64 * gib,
    })),
  ),
  get(
    "nodes/{node}/status",
    { node: nodeName },
    () => ({
      uptime: 3600,
      cpu: 0.1,
      cpuinfo: { cores: 4, cpus: 8, sockets: 1, model: "Simulated" },
      memory: { free: 32 * gib, used: 32 * gib, total: 64 * gib },
    }),
    audit,
  ),
  get("nodes/{node}/network", { node: nodeName, type: optional(text) }, (call) =>
    call.cluster.nodes.get(call.node)!.bridges.map((iface) => ({ iface, type: "bridge", active: 1 })),
  ),
  get("nodes/{node}/qemu", { node: nodeName, full: optional(flag) }, (call) =>
    visible(call)
      .filter((vm) => vm.node === call.node)
      .map((vm) => ({ ...describeVm(vm), ...(isTemplate(vm) ? { template: 1 } : {}) })),
  ),
  get(
    "nodes/{node}/storage",
    {
      node: nodeName,
      content: optional(text),
      enabled: optional(flag),
      format: optional(flag),
      storage: optional(storageId),
      target: optional(nodeName),
    },
    (call) =>
      [...call.cluster.storages.values()]
        .filter((storage) => isAvailable(storage, call.node) && mayStore(call, storage.id))
        .filter(({ id }) => (call.get("storage") ?? id) === id)
        .map(describeStorage),
  ),
  get(
    "nodes/{node}/storage/{storage}/status",
    { node: nodeName, storage: storageId },
    (call) => describeStorage(findStorage(call.cluster, call.need("storage"))),
    (call) => call.checkAny(`/storage/${call.need("storage")}`, "Datastore.Audit", "Datastore.AllocateSpace"),
  ),
  get("nodes/{node}/qemu/{vmid}/agent/network-get-interfaces", vmPlace, interfaces, (call) =>
    call.checkAny(`/vms/${call.vmid}`, "VM.GuestAgent.Audit", "VM.GuestAgent.Unrestricted"),
  ),
  get(
    "cluster/ha/resources/{sid}",
    { sid: text },
    (call) => {
      throw failure(`no such resource '${call.need("sid")}'`);
    },
    (call) => call.check("/", "Sys.Audit"),
  ),
  get("cluster/nextid", { vmid: optional(vmid) }, nextId),
  get("cluster/resources", { type: optional({ values: ["vm", "storage", "node", "sdn"] }) }, resources),
  get(
    "cluster/status",
    {},
    ({ cluster }) => [
      { type: "cluster", id: "cluster", name: cluster.name, nodes: cluster.nodes.size, quorate: 1 },
      ...[...cluster.nodes.keys()].map((name) => ({ type: "node", id: `node/${name}`, name, online: 1 })),
    ],
    (call) => call.check("/", "Sys.Audit"),
  ),
];
