import { commands, options, type CommandName, type Option, type OptionName } from "./options.ts";
import { findFault, findStranger, flagsOf, isDashed, type Place, type Words } from "./usage.ts";

export interface Arguments {
  readonly command: CommandName;
  /** As the user spelled it, for messages. */
  readonly out: string | undefined;
  readonly config: string | undefined;
  readonly kind: string | undefined;
  readonly isDryRun: boolean;
  readonly showsDiff: boolean;
  readonly force: readonly string[];
  readonly allowDestroy: ReadonlySet<string>;
  readonly accept: ReadonlySet<string>;
  readonly hasDetailedExitCode: boolean;
  /** What `--color` and `--no-color` say, if anything. */
  readonly color: boolean | undefined;
}

/** The arguments; or the text of `--help` or `--version`; or what is wrong with the command line. */
export type Parsed =
  { readonly arguments: Arguments } | { readonly text: string } | { readonly fault: string };

export const PROGRAM = "gen-talos-module";

/** Known even where the rest of the command line is wrong. */
export function wantsJson(argv: readonly string[]): boolean {
  return flagsOf(argv).includes("--json");
}

export async function parseArguments(argv: readonly string[], place: Place): Promise<Parsed> {
  const stranger = findStranger(argv);
  if (stranger !== undefined) return { fault: stranger };
  const words = sortWords(argv);
  const [first = ""] = words.others;
  if (words.given.has("help") || first === "help" || words.others.at(-1) === "help") {
    const { help } = await import("./help.ts");
    return { text: help(words.others.find((word) => word !== "help") ?? "", place) };
  }
  if (words.given.has("version")) return { text: place.version };
  const command = Object.hasOwn(commands, first) ? (first as CommandName) : "generate";
  const fault = findFault(command, words, place);
  return fault === undefined ? { arguments: toArguments(command, words) } : { fault };
}

/** Takes a command line apart whose options are all known. A value that is missing is empty. */
function sortWords(argv: readonly string[]): Words {
  const given = new Map<string, string[]>();
  const others: string[] = [];
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [, name, inline] = /^--([^=]+)(?:=(.*))?$/s.exec(word === "-h" ? "--help" : word) ?? [];
    if (word === "--") {
      others.push(...rest.splice(0));
    } else if (name === undefined) {
      others.push(word);
    } else {
      const values = given.get(name) ?? [];
      given.set(name, values);
      const takesValue = (options as Record<string, Option>)[name]?.value !== undefined;
      const isNext = inline === undefined && !isDashed(rest[0] ?? "");
      if (takesValue) values.push((isNext ? rest.shift() : inline) ?? "");
    }
  }
  return { given, others };
}

function toArguments(command: CommandName, { given }: Words): Arguments {
  const first = (name: OptionName) => given.get(name)?.[0];
  const all = (name: OptionName) => given.get(name) ?? [];
  return {
    command,
    out: first("out"),
    config: first("config"),
    kind: first("kind"),
    isDryRun: given.has("dry-run"),
    showsDiff: given.has("diff"),
    force: all("force"),
    allowDestroy: new Set(all("allow-destroy")),
    accept: new Set(all("accept")),
    hasDetailedExitCode: given.has("detailed-exitcode"),
    color: given.has("no-color") ? false : given.has("color") ? true : undefined,
  };
}
