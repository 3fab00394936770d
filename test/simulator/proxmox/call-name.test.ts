import { test } from "uvu";
import * as assert from "uvu/assert";
import { named, pattern } from "./call-name.ts";

/** A call as it is logged, what it is called, and what `failCall` matches. */
const calls = [
  {
    request: { method: "GET", path: "/cluster/resources?type=vm", body: { type: "vm" } },
    name: "GET /cluster/resources",
    wire: "GET /cluster/resources?type=vm ",
    other: "GET /cluster/resources/more ",
  },
  {
    request: {
      method: "GET",
      path: "/nodes/pve1/tasks/UPID:pve1:0000:0001:6AFD:qmcreate:142:talos@pve%21tofu:/status",
      body: {},
    },
    name: "GET /nodes/pve1/tasks/qmcreate:142/status",
    wire: "GET /nodes/pve1/tasks/UPID:pve1:0000:0001:6AFD:qmcreate:142:talos@pve%21tofu:/status ",
    other: "GET /nodes/pve1/tasks/UPID:pve1:0000:0001:6AFD:qmcreate:1421:talos@pve%21tofu:/status ",
  },
  {
    request: {
      method: "GET",
      path: "/nodes/pve1/tasks/UPID:pve1:0000:0001:6AFD:download:a.qcow2:talos@pve%21tofu:/status",
      body: {},
    },
    name: "GET /nodes/pve1/tasks/download/status",
    wire: "GET /nodes/pve1/tasks/UPID:pve1:0000:0001:6AFD:download:a.qcow2:talos@pve%21tofu:/status ",
    other: "GET /nodes/pve1/tasks/UPID:pve1:0000:0001:6AFD:resize:142:talos@pve%21tofu:/status ",
  },
  {
    request: { method: "POST", path: "/nodes/pve1/qemu", body: { name: "x", vmid: "142" } },
    name: "POST /nodes/pve1/qemu vmid=142",
    wire: "POST /nodes/pve1/qemu name=x&vmid=142",
    other: "POST /nodes/pve1/qemu name=x&vmid=1420",
  },
  {
    request: { method: "POST", path: "/nodes/pve1/qemu/998/clone", body: { newid: "3000" } },
    name: "POST /nodes/pve1/qemu/998/clone newid=3000",
    wire: "POST /nodes/pve1/qemu/998/clone full=1&newid=3000",
    other: "POST /nodes/pve1/qemu/998/clone full=1&newid=3001",
  },
  {
    request: { method: "POST", path: "/access/users", body: { userid: "csi@pve" } },
    name: "POST /access/users userid=csi@pve",
    wire: "POST /access/users enable=1&userid=csi%40pve",
    other: "POST /access/users enable=1&userid=ccm%40pve",
  },
  {
    request: {
      method: "PUT",
      path: "/nodes/pve1/qemu/142/resize",
      body: { disk: "scsi0", size: "5368709120" },
    },
    name: "PUT /nodes/pve1/qemu/142/resize disk=scsi0 size=5G",
    wire: "PUT /nodes/pve1/qemu/142/resize disk=scsi0&size=5368709120",
    other: "PUT /nodes/pve1/qemu/142/resize disk=scsi1&size=5368709120",
  },
  {
    request: { method: "PUT", path: "/nodes/pve1/qemu/142/config", body: { delete: "virtio1" } },
    name: "PUT /nodes/pve1/qemu/142/config delete=virtio1",
    wire: 'PUT /nodes/pve1/qemu/142/config {"delete":"virtio1"}',
    other: 'PUT /nodes/pve1/qemu/142/config {"virtio1":"none"}',
  },
];

for (const { request, name, wire, other } of calls)
  test(name, () => {
    assert.is(named(request), name);
    assert.match(wire, pattern(name));
    assert.not.match(other, pattern(name));
  });

test.run();
