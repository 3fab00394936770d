import { test } from "uvu";
import * as assert from "uvu/assert";
import { ask, type Answer, type Asked } from "./client.ts";
import { caller, startFixture } from "./rules/fixture.ts";
import { get, post, put, remove } from "./rules/rule.ts";
import type { ProxmoxSimulator } from "./simulator.ts";

/** What tests can do to the simulator, and what it tells them. */
let simulator: ProxmoxSimulator;
let send: (asked: Asked) => Promise<Answer>;

test.before.each(async () => {
  simulator = await startFixture();
  const headers = caller(simulator, "tofu@pve!test");
  send = (asked) => ask(simulator.endpoint, headers, asked);
});

test.after.each(() => simulator.stop());

const memory = put("nodes/pve1/qemu/100/config", { memory: 4096 });

test("an unexpected refusal is thrown with the requests that led to it", async () => {
  await send(get("version"));
  await send(memory);
  await send(post("nodes/pve1/qemu", { vmid: 100 }));
  assert.throws(
    () => simulator.assertNoRefusals(),
    (error: Error) => {
      assert.is(
        error.message,
        [
          "the Proxmox simulator refused 1 request(s), each last of:",
          "  1. GET /version -> 200",
          '  2. PUT /nodes/pve1/qemu/100/config {"memory":"4096"} -> 200',
          `  3. POST /nodes/pve1/qemu {"vmid":"100"} -> 500 (unable to create VM 100 - VM 100 already exists on node 'pve1')`,
        ].join("\n"),
      );
      return true;
    },
  );
  simulator.expectRefusals(/already exists on node/);
  simulator.assertNoRefusals();
});

test("writing requests are told apart, from a mark on", async () => {
  await send(memory);
  const mark = simulator.mark();
  await send(get("nodes"));
  await send({ ...memory, isJson: true });
  assert.is(simulator.since(mark).length, 2);
  assert.equal(
    simulator.writes(mark).map(({ method, path, body, status }) => ({ method, path, body, status })),
    [{ method: "PUT", path: "/nodes/pve1/qemu/100/config", body: { memory: "4096" }, status: 200 }],
  );
});

test("the n-th writing call fails once, and is not done", async () => {
  const before = simulator.snapshot();
  simulator.failCall(2);
  assert.is((await send(put("nodes/pve1/qemu/101/config", { memory: 2048 }))).status, 200);
  assert.is((await send(get("version"))).status, 200);
  assert.is((await send(memory)).status, 500);
  assert.not(simulator.hasPendingFault);
  assert.equal(simulator.snapshot(), before);
  assert.is((await send(memory)).status, 200);
  simulator.assertNoRefusals();
});

test("a connection is cut before a call or after it", async () => {
  simulator.failCall(1, { fault: "drop", counts: "all" });
  await rejects(send(memory));
  assert.is(simulator.vm(100)?.config.get("memory"), "2048");
  simulator.failCall(1, { fault: "lost" });
  await rejects(send(memory));
  assert.is(simulator.vm(100)?.config.get("memory"), "4096");
});

test("CSI takes the first free slot from scsi1 on, and the guest sees the disk", async () => {
  simulator.vm(101)?.config.set("scsi1", "local-zfs:vm-1000-disk-0,size=20G");
  const volid = simulator.addCsiVolume("pve1", "local-zfs", 9999, "vm-9999-pvc-1", 3);
  assert.is(simulator.attachCsiVolume(101, volid), "scsi2");
  const disk = simulator.disksOf(101).find(({ slot }) => slot === "scsi2");
  assert.is(disk?.volid, "local-zfs:vm-9999-pvc-1");
  assert.is(disk?.sizeBytes, 3 * 2 ** 30);
  assert.is((await send(get("nodes/pve1/qemu/101/config"))).status, 200);
});

test("a marker stays with its volume and ends with it", async () => {
  simulator.putMarker("local-zfs:vm-100-disk-0", "data");
  await send(put("nodes/pve1/qemu/100/resize", { disk: "scsi0", size: "20G" }));
  await send(post("nodes/pve1/qemu/100/migrate", { target: "pve2" }));
  assert.equal(simulator.markers(), { "local-zfs:vm-100-disk-0": "data" });
  await send(remove("nodes/pve2/qemu/100/"));
  assert.equal(simulator.markers(), {});
  assert.is(simulator.marker("local-zfs:vm-100-disk-0"), undefined);
});

test("listeners hear of starts and stops", async () => {
  const heard: string[] = [];
  simulator.onVmStarted((vm) => heard.push(`start ${vm.vmid}`));
  simulator.onVmStopped((vm) => heard.push(`stop ${vm.vmid}`));
  await send(post("nodes/pve1/qemu/100/status/start"));
  await send(post("nodes/pve1/qemu/100/status/reboot"));
  await send(post("nodes/pve1/qemu/100/status/stop"));
  assert.equal(heard, ["start 100", "stop 100", "start 100", "stop 100"]);
});

test("what the server lets pass but harms is on record", async () => {
  await send(put("nodes/pve1/qemu/101/config", { virtio1: "local-zfs:5" }));
  await send(put("nodes/pve1/qemu/101/config", { virtio2: "local-zfs:vm-101-disk-1" }));
  await send(put("nodes/pve1/qemu/100/config", { scsi1: "local-zfs:vm-101-disk-1" }));
  await send(post("nodes/pve1/qemu/100/status/start"));
  assert.equal(
    simulator.log.refusals().flatMap(({ problems }) => problems),
    [
      "hazard: slot virtio1 of VM 101 held local-zfs:vm-1000-disk-0, now it holds local-zfs:vm-101-disk-1",
      "hazard: VM 101 has local-zfs:vm-101-disk-1 twice, at virtio1 and virtio2",
      "hazard: VMs 101 and 100 both run with local-zfs:vm-101-disk-1",
    ],
  );
});

test("roles propagate down the tree, and a separated token has only what it was given", async () => {
  const audit = simulator.grant({ token: "a@pve!t", path: "/vms", privileges: ["VM.Audit"] });
  const separated = simulator.grant({
    token: "b@pve!t",
    path: "/vms/100",
    privileges: ["VM.Audit"],
    isSeparated: true,
  });
  const powerless = simulator.grant({ token: "b@pve!u", path: "/vms", privileges: [] });
  const status = async (token: string, vmid: number) => {
    const headers = { authorization: `PVEAPIToken=${token}` };
    return (await ask(simulator.endpoint, headers, get(`nodes/pve1/qemu/${vmid}/config`))).status;
  };
  assert.equal([await status(audit, 100), await status(audit, 101)], [200, 200]);
  assert.equal([await status(separated, 100), await status(separated, 101)], [200, 403]);
  assert.is(await status(powerless, 100), 200);
  simulator.cluster.users.get("b@pve")!.tokens.get("u")!.isSeparated = true;
  assert.is(await status(powerless, 100), 403);
});

async function rejects(promise: Promise<unknown>): Promise<void> {
  let isRejected = false;
  await promise.catch(() => (isRejected = true));
  assert.ok(isRejected);
}

test.run();
