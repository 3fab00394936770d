import { loadConfig } from "../../src/commands/load.ts";
import { kinds } from "../../src/kinds.ts";
import type { Kind, Surroundings } from "../../src/kind.ts";
import type { Problem } from "../../src/problem.ts";
import { formatProblems } from "../../src/terminal/report.ts";

/** Files that every case has, so that no case is about them by accident. */
const PRESENT: Readonly<Record<string, string>> = {
  "assets/sealed-secrets/certificate/sealed-secrets.cert": "certificate",
  "assets/sealed-secrets/certificate/sealed-secrets.key": "key",
};

export const quiet: Surroundings = {
  source: "cluster.yaml",
  read: (path) => (Object.hasOwn(PRESENT, path) ? PRESENT[path] : undefined),
  memory: undefined,
  allowDestroy: new Set(),
  accept: new Set(),
};

export interface Checked {
  /** The kind that was meant. */
  readonly kind: string;
  readonly problems: readonly Problem[];
  readonly stderr: string;
}

/** Loads, validates and checks a config as the commands do. */
export function checkConfig(bytes: Uint8Array, surroundings: Surroundings = quiet): Checked {
  const input = { file: "cluster.yaml", source: "cluster.yaml", bytes };
  const { kind, problems, shown } = loadConfig(input, kinds as readonly [Kind, ...Kind[]], surroundings);
  const stderr = formatProblems(problems, shown, { color: false, github: false });
  return { kind: kind.name, problems, stderr };
}
