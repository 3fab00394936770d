import { get, post, put, remove, volumes, type Rule } from "./rule.ts";

const at = "nodes/pve1/qemu";
const start = post(`${at}/100/status/start`, { timeout: 1800 });
const change = (more: object) => put(`${at}/100/config`, { ...more });
const destroy = remove(`${at}/100/`, { "destroy-unreferenced-disks": 1, purge: 1 });

/** Power, and the end of VMs. */
export const lifecycleRules: readonly Rule[] = [
  {
    rule: "a VM starts in a task",
    request: start,
    status: 200,
    task: "OK",
    leaves: [(simulator) => simulator.vm(100)?.isRunning, true],
  },
  {
    rule: "one that runs does not start",
    request: post(`${at}/101/status/start`),
    status: 200,
    task: "VM 101 already running",
  },
  {
    rule: "a template does not start",
    request: post(`${at}/900/status/start`),
    status: 500,
    message: "you can't start a vm if it's a template",
  },
  {
    rule: "a bridge must be there",
    after: [change({ net0: "model=virtio,bridge=vmbr7" })],
    request: start,
    status: 200,
    task: "bridge 'vmbr7' does not exist",
  },
  {
    rule: "a mapped device must be there",
    after: [change({ hostpci0: "mapping=gpu" })],
    request: start,
    status: 200,
    task: "PCI device mapping not found for 'gpu'",
  },
  {
    rule: "PCI Express needs q35",
    after: [change({ hostpci0: "mapping=iGPU,pcie=1" })],
    request: start,
    status: 200,
    task: "q35 machine model is not enabled",
  },
  {
    rule: "starting takes VM.PowerMgmt",
    without: ["VM.PowerMgmt"],
    request: start,
    status: 403,
    message: "Permission check failed (/vms/100, VM.PowerMgmt)",
  },
  {
    rule: "stopping a stopped VM is nothing",
    request: post(`${at}/100/status/stop`),
    status: 200,
    task: "OK",
  },
  {
    rule: "shutting one down is refused",
    request: post(`${at}/100/status/shutdown`, { forceStop: 1, timeout: 5 }),
    status: 500,
    message: "VM 100 not running",
  },
  {
    rule: "rebooting one, too",
    request: post(`${at}/100/status/reboot`, { timeout: 5 }),
    status: 500,
    message: "VM 100 not running",
  },
  {
    rule: "the agent answers when it is enabled",
    request: get(`${at}/101/agent/network-get-interfaces`),
    status: 500,
    message: "No QEMU guest agent configured",
  },
  {
    rule: "asking it takes VM.GuestAgent.Audit",
    without: ["VM.GuestAgent.Audit", "VM.GuestAgent.Unrestricted"],
    request: get(`${at}/101/agent/network-get-interfaces`),
    status: 403,
    message: "Permission check failed (/vms/101, VM.GuestAgent.Audit|VM.GuestAgent.Unrestricted)",
  },
  {
    rule: "a running VM is not destroyed",
    request: remove(`${at}/101/`, { purge: 1 }),
    status: 500,
    message: "VM 101 is running - destroy failed",
  },
  {
    rule: "nor a protected one",
    after: [change({ protection: 1 })],
    request: destroy,
    status: 500,
    message: "can't remove VM 100 - protection mode enabled",
  },
  {
    rule: "destroying takes VM.Allocate",
    without: ["VM.Allocate"],
    request: destroy,
    status: 403,
    message: "Permission check failed (/vms/100, VM.Allocate)",
  },
  {
    rule: "a VM takes its own disks along",
    request: remove(`${at}/100/`),
    status: 200,
    task: "OK",
    leaves: [volumes(100), []],
  },
  {
    rule: "and leaves those of others",
    after: [post(`${at}/101/status/stop`)],
    request: remove(`${at}/101/`, { "destroy-unreferenced-disks": 1 }),
    status: 200,
    task: "OK",
    leaves: [
      (simulator) => [volumes(101)(simulator), volumes(1000)(simulator)],
      [[], ["local-zfs:vm-1000-disk-0"]],
    ],
  },
  {
    rule: "unreferenced disks stay unless told",
    after: [post("nodes/pve1/storage/local-zfs/content", { vmid: 100, filename: "vm-100-pvc", size: "1G" })],
    request: remove(`${at}/100/`, { purge: 1 }),
    status: 200,
    task: "OK",
    leaves: [volumes(100), ["local-zfs:vm-100-pvc"]],
  },
  {
    rule: "and go when told",
    after: [post("nodes/pve1/storage/files/content", { vmid: 100, filename: "vm-100-pvc.raw", size: "1G" })],
    request: destroy,
    status: 200,
    task: "OK",
    leaves: [volumes(100), []],
  },
  {
    rule: "a VM that is gone has no configuration",
    after: [destroy],
    request: get(`${at}/100/status/current`),
    status: 500,
    message: "Configuration file 'nodes/pve1/qemu-server/100.conf' does not exist",
  },
  {
    rule: "no VM is managed for high availability",
    request: get("cluster/ha/resources/vm:100"),
    status: 500,
    message: "no such resource 'vm:100'",
  },
];
