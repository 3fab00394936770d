import { spell } from "../../../problem.ts";
import { entries } from "./rule.ts";
import type { Config } from "./rule.ts";

/** The Talos releases that the machines run, each with the first that does. */
export function runningVersions(config: Config): { version: string; who: string }[] {
  const { version, update_version } = config.image ?? {};
  const found = new Map<string, string>();
  for (const [name, { update }] of entries(config.nodes)) {
    const running = update === true ? (update_version ?? version) : version;
    if (running !== undefined && !found.has(running)) found.set(running, `${spell(["nodes", name])} runs`);
  }
  if (found.size === 0 && version !== undefined) found.set(version, "the machines run");
  return [...found].map(([running, who]) => ({ version: running, who }));
}
