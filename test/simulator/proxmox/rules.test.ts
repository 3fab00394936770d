import { test } from "uvu";
import * as assert from "uvu/assert";
import { ask, type Answer } from "./client.ts";
import { accessRules } from "./rules/access.ts";
import { caller, startFixture } from "./rules/fixture.ts";
import { changeRules } from "./rules/qemu-change.ts";
import { createRules } from "./rules/qemu-create.ts";
import { lifecycleRules } from "./rules/qemu-lifecycle.ts";
import type { Rule } from "./rules/rule.ts";
import { storageRules } from "./rules/storage.ts";
import { transportRules } from "./rules/transport.ts";
import type { ProxmoxSimulator } from "./simulator.ts";

const groups: Readonly<Record<string, readonly Rule[]>> = {
  transport: transportRules,
  access: accessRules,
  storage: storageRules,
  create: createRules,
  change: changeRules,
  lifecycle: lifecycleRules,
};

for (const [group, rules] of Object.entries(groups)) {
  for (const rule of rules) test(`${group}: ${rule.rule}`, () => prove(rule));
}

async function prove(rule: Rule): Promise<void> {
  const simulator = await startFixture();
  try {
    rule.given?.(simulator);
    const all = caller(simulator, "before@pve!rules");
    for (const asked of rule.after ?? []) {
      const { status, message } = await ask(simulator.endpoint, all, asked);
      assert.is(status, 200, `${asked.method} ${asked.path}: ${message}`);
    }
    const headers = await headersOf(simulator, rule);
    const answer = await ask(simulator.endpoint, headers, rule.request);
    assert.is(answer.status, rule.status, JSON.stringify(answer));
    if (rule.message !== undefined) assert.is(answer.message, `${rule.message}\n`);
    if (rule.message !== undefined) assert.is(answer.reason, rule.message);
    if (rule.errors !== undefined) assert.equal(answer.errors, rule.errors);
    if (rule.data !== undefined) assert.equal(answer.data, rule.data);
    if (rule.task !== undefined) assert.is(await endOf(simulator, headers, answer), rule.task);
    if (rule.leaves !== undefined) assert.equal(rule.leaves[0](simulator), rule.leaves[1]);
    checkLog(simulator, rule);
  } finally {
    await simulator.stop();
  }
}

async function headersOf(simulator: ProxmoxSimulator, rule: Rule): Promise<Record<string, string>> {
  if (rule.as === "anonymous") return {};
  if (rule.as === "stranger") return { authorization: "PVEAPIToken=before@pve!rules=wrong" };
  if (rule.as !== "root") return caller(simulator, "tofu@pve!rules", rule.without);
  const parameters = { username: "root@pam", password: "secret" };
  const { data } = await ask(simulator.endpoint, {}, { method: "POST", path: "access/ticket", parameters });
  const { ticket, CSRFPreventionToken } = data as { ticket: string; CSRFPreventionToken: string };
  return { cookie: `PVEAuthCookie=${encodeURIComponent(ticket)}`, csrfpreventiontoken: CSRFPreventionToken };
}

async function endOf(
  simulator: ProxmoxSimulator,
  headers: Record<string, string>,
  answer: Answer,
): Promise<string> {
  const upid = String(answer.data);
  assert.match(upid, /^UPID:pve\d:[0-9A-F]{8}:[0-9A-F]{8}:[0-9A-F]{8}:\w+:[^:]*:[^:]+@[^:]+:$/);
  const path = `nodes/${upid.split(":")[1]}/tasks/${encodeURIComponent(upid)}/status`;
  const { data } = await ask(simulator.endpoint, headers, { method: "GET", path });
  const { status, exitstatus } = data as { status: string; exitstatus: string };
  assert.is(status, "stopped");
  return exitstatus;
}

/** Errors that are no refusals: how clients learn that something is not there. */
const plainNos = ["a VM that is gone has no configuration", "no VM is managed for high availability"];

/** A refusal is on record, in the words of the answer. */
function checkLog(simulator: ProxmoxSimulator, rule: Rule): void {
  const isRefused = rule.status !== 200 || (rule.task !== undefined && rule.task !== "OK");
  if (plainNos.includes(rule.rule)) return simulator.assertNoRefusals();
  if (isRefused) assert.throws(() => simulator.assertNoRefusals(), /refused \d+ request/);
  simulator.expectRefusals(/->/);
  simulator.assertNoRefusals();
}

test.run();
