import * as assert from "uvu/assert";
import type { World } from "./world.ts";

/** Runs the lines of a note. In place of kubectl and talosctl, what they would do. */
export async function follow(
  world: World,
  notes: readonly string[],
  beginnings: readonly string[],
): Promise<void> {
  const lines = notes
    .flatMap((note) => note.split("\n"))
    .flatMap((line) => /^ {2}(\S.*)$/.exec(line)?.[1] ?? []);
  assert.is(lines.length, beginnings.length, notes.join("\n"));
  for (const [index, line] of lines.entries()) {
    assert.ok(line.startsWith(beginnings[index]!), line);
    await type(world, line);
  }
}

const drain = /^kubectl drain (\S+) --ignore-daemonsets --delete-emptydir-data$/;

const commands: readonly (readonly [RegExp, (world: World, word: string) => unknown])[] = [
  [/^(tofu .*)$/, (world, line) => world.shell(line)],
  [drain, (world, node) => cordon(world, node, true)],
  [/^kubectl uncordon (\S+)$/, (world, node) => cordon(world, node, false)],
  [/^kubectl delete node (\S+)$/, (world, node) => world.kubernetes.client.delete(`/api/v1/nodes/${node}`)],
  [/^talosctl --nodes (\S+) etcd leave$/, (world, address) => world.kubernetes.removeEtcdMember(address)],
];

async function type(world: World, line: string): Promise<void> {
  for (const [form, run] of commands) {
    const [, word] = form.exec(line) ?? [];
    if (word !== undefined) return void (await run(world, word));
  }
  assert.unreachable(`not known here: ${line}`);
}

/** A node that is drained takes no more work, and fails the health check. */
function cordon({ kubernetes }: World, node: string, isDrained: boolean): Promise<unknown> {
  return kubernetes.client.merge(`/api/v1/nodes/${node}`, { spec: { unschedulable: isDrained } });
}
