/** Runs every test file in a process of its own. `npm test -- cli` runs those whose path contains `cli`. */
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, sep } from "node:path";
import { inNamespace, whyNoNamespace } from "./namespace.ts";
import { runFile, type Outcome } from "./run-file.ts";
import { kubernetesTools, tools } from "./tools/tools.ts";

/** Started first, since the others fit beside them. */
const slow = ["test/apply/", "test/tofu/", "test/writing/", "test/package"];
/** These need the tools of `npm run tools -- --all`. */
const kubernetesBound = ["test/apply/", "test/simulator/talos/"];
/** These need the tools of `npm run tools`. */
const toolbound = ["test/kinds/talos-cluster/yamldecode", "test/simulator/proxmox/provider", "test/tofu/"];

/** These need addresses that loopback has only in a network namespace of their own. */
const namespaced = ["test/apply/template-cluster/dhcp"];

const filters = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const found = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => join("test", name).split(sep).join("/"))
  .filter((path) => filters.length === 0 || filters.some((filter) => path.includes(filter)))
  .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b, "en"));

const outcomes: Outcome[] = [];
const left = leaveOut(found);
const queue = found.filter((path) => !left.includes(path));
// One more than there are processors: a test that applies waits for tasks, retries and timers now and then.
await Promise.all(Array.from({ length: availableParallelism() + 1 }, work));

const total = (count: (outcome: Outcome) => number) =>
  outcomes.reduce((sum, outcome) => sum + count(outcome), 0);
const failed = total((outcome) => outcome.failed);
const skipped = total((outcome) => outcome.skipped);
if (skipped > 0) console.log(`${skipped} skipped`);
console.log(`${total((outcome) => outcome.passed)} passed, ${failed} failed`);
process.exitCode = failed === 0 && outcomes.length > 0 ? 0 : 1;

async function work(): Promise<void> {
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const outcome = await runFile(path, isAmong(namespaced, path) ? inNamespace : []);
    outcomes.push(outcome);
    if (outcome.failed > 0) console.log(`${outcome.output}\n${path} failed`);
    else console.log(`${outcome.seconds.toFixed(1).padStart(6)} s  ${path}`);
  }
}

function rank(path: string): number {
  const index = slow.findIndex((prefix) => path.startsWith(prefix));
  return index < 0 ? slow.length : index;
}

/** What cannot run on this machine; a failure where nothing may be left out. */
function leaveOut(paths: readonly string[]): readonly string[] {
  const missing = new Map<string, string[]>();
  for (const path of paths) {
    const reason = whyNot(path);
    if (reason !== undefined) missing.set(reason, [...(missing.get(reason) ?? []), path]);
  }
  for (const [reason, left] of missing) {
    console.log(`left out: ${left.length} files that run the tools (${reason})`);
    if (process.env["CI"])
      outcomes.push({ passed: 0, failed: left.length, skipped: 0, seconds: 0, output: "" });
  }
  return [...missing.values()].flat();
}

function whyNot(path: string): string | undefined {
  if (isAmong(namespaced, path)) return tools().reason ?? kubernetesTools().reason ?? whyNoNamespace();
  if (isAmong(kubernetesBound, path)) return tools().reason ?? kubernetesTools().reason;
  return isAmong(toolbound, path) ? tools().reason : undefined;
}

function isAmong(prefixes: readonly string[], path: string): boolean {
  return prefixes.some((prefix) => path.startsWith(prefix));
}
