import { Lines } from "../config/lines.ts";
import type { Path } from "../problem.ts";
import type { Say } from "../rule.ts";
import { readYaml } from "../config/yaml.ts";
import { findDifferences } from "./yamldecode.ts";

/** Says what keeps a text of several lines from being the YAML of one map, each thing at its own line. */
export function refusePatch(path: Path, text: string, say: Say): void {
  judge(path, text, say);
}

/** The same for a text that `yamldecode` reads, and also what that refuses or takes for another value. */
export function refuseDecodedPatch(path: Path, text: string, say: Say): void {
  const yaml = judge(path, text, say);
  if ("faults" in yaml) return;
  const lines = new Lines(text);
  for (const { severity, start, message, hint } of findDifferences(text, yaml.root)) {
    say[severity](path, message, { offset: lines.place(start), hint });
  }
}

function judge(path: Path, text: string, say: Say): ReturnType<typeof readYaml> {
  const yaml = readYaml(text);
  const lines = new Lines(text);
  for (const { start, message, hint, rule } of "faults" in yaml ? yaml.faults : []) {
    const more = rule === "yaml-empty" ? { hint: "leave the key out" } : hint === undefined ? {} : { hint };
    say.error(path, `is no YAML map: ${message}`, { offset: lines.place(start), ...more });
  }
  return yaml;
}
