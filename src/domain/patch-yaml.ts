import { Lines } from "../config/lines.ts";
import type { Path } from "../problem.ts";
import type { Say } from "../rule.ts";
import { readYaml } from "../config/yaml.ts";

/** Says what keeps a text of several lines from being the YAML of one map, each thing at its own line. */
export function refusePatch(path: Path, text: string, say: Say): void {
  const yaml = readYaml(text);
  const lines = new Lines(text);
  for (const { start, message, hint, rule } of "faults" in yaml ? yaml.faults : []) {
    const more = rule === "yaml-empty" ? { hint: "leave the key out" } : hint === undefined ? {} : { hint };
    say.error(path, `is no YAML map: ${message}`, { offset: lines.place(start), ...more });
  }
}
