import { test } from "uvu";
import * as assert from "uvu/assert";
import { EtcdMembers } from "./etcd-members.ts";

test("more than half of the members must run", () => {
  const members = new EtcdMembers();
  const running = (...ips: string[]) => members.hasQuorum((ip) => ips.includes(ip));
  assert.not(running());
  members.add("127.0.0.1", "a");
  assert.ok(running("127.0.0.1"));
  members.add("127.0.0.2", "b");
  assert.not(running("127.0.0.1"));
  members.add("127.0.0.3", "c");
  assert.ok(running("127.0.0.1", "127.0.0.3"));
  members.remove("127.0.0.1");
  assert.not(running("127.0.0.3"));
});

test("members are listed with the addresses of their machines", () => {
  const members = new EtcdMembers();
  members.add("127.0.0.1", "a");
  members.add("127.0.0.1", "b");
  const [member, ...more] = members.list();
  assert.equal(member?.peerUrls, ["https://127.0.0.1:2380"]);
  assert.is(member?.hostname, "b");
  assert.is(more.length, 0);
});

test.run();
