import { get, post, put, remove, unknownProperty, type Rule } from "./rule.ts";

/** How requests are read, and who is let in. */
export const transportRules: readonly Rule[] = [
  {
    rule: "a path that does not exist is not implemented",
    request: get("nodes/pve1/nothing"),
    status: 501,
    message: "Method 'GET /nodes/pve1/nothing' not implemented",
  },
  {
    rule: "a method that does not exist is not implemented",
    request: post("nodes/pve1/qemu/100/resize"),
    status: 501,
    message: "Method 'POST /nodes/pve1/qemu/100/resize' not implemented",
  },
  {
    rule: "without token or ticket nobody is let in",
    as: "anonymous",
    request: get("version"),
    status: 401,
    message: "No ticket",
  },
  {
    rule: "a token with another secret is refused",
    as: "stranger",
    request: get("version"),
    status: 401,
    message: "invalid token value!",
  },
  {
    rule: "a wrong password gets no ticket",
    as: "anonymous",
    request: post("access/ticket", { username: "root@pam", password: "wrong" }),
    status: 401,
    message: "authentication failure",
  },
  {
    rule: "the version is semantic",
    request: get("version"),
    status: 200,
    data: { release: "9.0", repoid: "3f9a2c1e", version: "9.0.4" },
  },
  {
    rule: "an unknown parameter is refused",
    request: get("cluster/nextid", { id: 5 }),
    status: 400,
    message: "Parameter verification failed.",
    errors: { id: unknownProperty },
  },
  {
    rule: "all complaints come at once",
    request: post("access/roles", { privs: "VM.Fly", color: "red" }),
    status: 400,
    errors: {
      privs: "invalid format - invalid privilege 'VM.Fly'\n",
      color: unknownProperty,
      roleid: "property is missing and it is not optional",
    },
  },
  {
    rule: "a parameter of the path may be sent again with the same value",
    request: {
      ...put("nodes/pve1/storage/local-zfs/content/local-zfs:vm-100-disk-0", { node: "pve1" }),
      isJson: true,
    },
    status: 200,
    data: null,
  },
  {
    rule: "but not with another",
    request: put("nodes/pve1/storage/local-zfs/content/local-zfs:vm-100-disk-0", { node: "pve2" }),
    status: 400,
    errors: { node: "duplicate parameter (already defined in URI) with conflicting values!" },
  },
  {
    rule: "an unknown node cannot be reached",
    request: get("nodes/pve9/qemu"),
    status: 500,
    message:
      "hostname lookup 'pve9' failed - failed to get address info for: pve9: Name or service not known",
  },
  {
    rule: "a body may be JSON",
    request: { ...put("nodes/pve1/qemu/100/config", { memory: 4096 }), isJson: true },
    status: 200,
    data: null,
    leaves: [(simulator) => simulator.vm(100)?.config.get("memory"), "4096"],
  },
  {
    rule: "but what is to be deleted has no body",
    request: { ...remove("nodes/pve1/qemu/100/", { purge: 1 }), isJson: true },
    status: 501,
    message: "Unexpected content for method 'DELETE'",
  },
  {
    rule: "a VM id is an integer of at least 100",
    request: post("nodes/pve1/qemu", { vmid: 99 }),
    status: 400,
    errors: { vmid: "value must have a minimum value of 100" },
  },
  {
    rule: "and at most 999999999",
    request: post("nodes/pve1/qemu", { vmid: 1000000000 }),
    status: 400,
    errors: { vmid: "value must have a maximum value of 999999999" },
  },
  { rule: "the next id is the first free one", request: get("cluster/nextid"), status: 200, data: "102" },
  {
    rule: "a taken id is refused as the next",
    request: get("cluster/nextid", { vmid: 100 }),
    status: 400,
    errors: { vmid: "VM 100 already exists" },
  },
  {
    rule: "a task of another node is not found",
    request: get("nodes/pve2/tasks/UPID:pve1:00000001:00000001:00000001:qmstart:100:root@pam:/status"),
    status: 500,
    message: "no such task 'UPID:pve1:00000001:00000001:00000001:qmstart:100:root@pam:'",
  },
  {
    rule: "VMs that one may not audit are not listed",
    without: ["VM.Audit"],
    request: get("cluster/resources", { type: "vm" }),
    status: 200,
    data: [],
  },
];
