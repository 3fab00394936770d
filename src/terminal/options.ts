/** Every option and every command, once: what the parser accepts, what the help shows, what a typo is compared with. */

export interface Option {
  /** Stands for the value in messages; a switch has none. */
  readonly value?: string;
  readonly isRepeatable?: boolean;
  readonly about: string;
}

export const options = {
  out: { value: "DIR", about: "Folder of the generated tree" },
  config: { value: "FILE", about: "The config; cluster.yaml in the working folder unless given" },
  kind: { value: "NAME", about: "Which system the config describes" },
  "dry-run": { about: "Show what would be done, write nothing" },
  diff: { about: "Show the differences as a unified diff" },
  force: {
    value: "PATH",
    isRepeatable: true,
    about: "Replace this file of the tree although it was edited or is not ours; may be repeated",
  },
  "allow-destroy": {
    value: "NAME",
    isRepeatable: true,
    about: "This node or volume is gone from the config on purpose; may be repeated",
  },
  accept: {
    value: "NAME",
    isRepeatable: true,
    about:
      "This node or volume was changed by hand in Proxmox: take the config's values as what exists; may be repeated",
  },
  "detailed-exitcode": { about: "Exit with 2 when something changed" },
  json: { about: "Print one JSON document instead of text" },
  color: { about: "Colours although the output is no terminal" },
  "no-color": { about: "No colours" },
} as const satisfies Record<string, Option>;

export type OptionName = keyof typeof options;

export interface Command {
  readonly about: string;
  readonly options: readonly OptionName[];
  readonly needsOut: boolean;
  /** A command line behind the program's name, and what it does. */
  readonly examples: readonly (readonly [line: string, effect: string])[];
}

const everywhere: readonly OptionName[] = ["json", "color", "no-color"];

export const commands = {
  generate: {
    about: "Write the module tree of a config; this is what happens without a command",
    options: [
      "out",
      "config",
      "dry-run",
      "diff",
      "force",
      "allow-destroy",
      "accept",
      "detailed-exitcode",
      ...everywhere,
    ],
    needsOut: true,
    examples: [
      ["--out ./infra", "from cluster.yaml, or from the built-in example where there is none"],
      ["--out ./infra --config prod.yaml", "from another config"],
      ["--out ./infra --dry-run --diff", "read the changes first"],
      ["--out ./infra --force main.tf", "give up what was edited in infra/main.tf"],
      ["--out ./infra --allow-destroy worker3", "worker3 is gone from the config on purpose"],
    ],
  },
  check: {
    about: "Does the tree equal the config? Exits with 0 if so, with 2 if not",
    options: ["out", "config", "diff", "allow-destroy", "accept", ...everywhere],
    needsOut: true,
    examples: [
      ["check --out ./infra", "in CI, after a checkout"],
      ["check --out ./infra --diff", "with the differences"],
    ],
  },
  validate: {
    about: "Report every problem of the config; the user's files are looked for only with --out",
    options: ["config", "out", ...everywhere],
    needsOut: false,
    examples: [
      ["validate", "cluster.yaml in the working folder"],
      ["validate --config prod.yaml --json", "for an editor or a script"],
    ],
  },
  schema: {
    about: "Print the JSON Schema of the config, of one kind or of all",
    options: ["kind", ...everywhere],
    needsOut: false,
    examples: [
      ["schema > cluster.schema.json", "for an editor; the config's own kind decides what is allowed"],
    ],
  },
  init: {
    about: "Write a commented config to start from, and its JSON Schema beside it",
    options: ["config", "kind", ...everywhere],
    needsOut: false,
    examples: [
      ["init", "writes cluster.yaml and cluster.schema.json"],
      ["init --config prod.yaml", "writes prod.yaml and prod.schema.json"],
    ],
  },
} as const satisfies Record<string, Command>;

export type CommandName = keyof typeof commands;
