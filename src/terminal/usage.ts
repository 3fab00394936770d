/** What is wrong with a command line, in one sentence that the user can act on. */
import { parse as parsePath, resolve } from "node:path";
import {
  commands,
  options,
  type Command,
  type CommandName,
  type Option,
  type OptionName,
} from "./options.ts";
import { suggest } from "../config/suggest.ts";

/** What a command line means beside its words. */
export interface Place {
  readonly cwd: string;
  readonly home: string;
  readonly version: string;
  readonly columns: number;
}

/** A command line, taken apart. */
export interface Words {
  /** The values of each option that is there; a switch has none. */
  readonly given: ReadonlyMap<string, readonly string[]>;
  /** What belongs to no option. */
  readonly others: readonly string[];
}

/** The words that start with a dash, without their values, up to a lone `--`. */
export function flagsOf(argv: readonly string[]): string[] {
  return dashed(argv).map((word) => word.replace(/=.*/s, ""));
}

function dashed(argv: readonly string[]): string[] {
  const end = argv.indexOf("--");
  return (end < 0 ? argv : argv.slice(0, end)).filter(isDashed);
}

/** A lone dash is a word like any other. */
export function isDashed(word: string): boolean {
  return word.length > 1 && word.startsWith("-");
}

/** What is wrong with the options as such, whatever the command. */
export function findStranger(argv: readonly string[]): string | undefined {
  const known = [...Object.keys(options), "help", "version"].map((name) => `--${name}`);
  const stranger = flagsOf(argv).find((flag) => flag !== "-h" && !known.includes(flag));
  if (stranger === undefined) return findValuedSwitch(argv);
  const negated = stranger.replace(/^--no-/, "--");
  if (known.includes(negated)) return `${negated} cannot be negated`;
  return `unknown option ${stranger}${didYouMean(stranger, known)}`;
}

/** Whoever writes `--dry-run=maybe` may mean that the run writes, or that it does not. */
function findValuedSwitch(argv: readonly string[]): string | undefined {
  const switches = Object.entries(options).filter(([, option]) => !("value" in option));
  const valued = switches.find(([name]) => dashed(argv).some((word) => word.startsWith(`--${name}=`)));
  return valued && `--${valued[0]} takes no value`;
}

/** What can be said only once the command is known. */
export function findFault(name: CommandName, { given, others }: Words, place: Place): string | undefined {
  const command: Command = commands[name];
  const [first, second] = others;
  if (first === name && second !== undefined) return `${name} takes options only, not ${second}`;
  if (first !== name && first !== undefined) {
    return `unknown command ${first}${didYouMean(first, Object.keys(commands))}`;
  }

  for (const [option, about] of Object.entries(options) as [OptionName, Option][]) {
    const values = given.get(option);
    if (values === undefined) continue;
    if (!command.options.includes(option)) return `${name} has no option --${option}`;
    if (values.includes("")) return `--${option} needs a ${about.value}`;
    if (!about.isRepeatable && values.length > 1) return `--${option} may be given only once`;
  }
  const [out] = given.get("out") ?? [];
  if (out !== undefined) return findFaultOfOut(out, place);
  return command.needsOut ? "--out DIR is missing, such as --out ./infra" : undefined;
}

/** A tree has a folder of its own: its files would be all over the place elsewhere. */
function findFaultOfOut(out: string, { cwd, home }: Place): string | undefined {
  const folder = resolve(cwd, out);
  const isRoot = folder === parsePath(folder).root;
  if (!isRoot && folder !== resolve(home)) return undefined;
  return `--out ${out} is the ${isRoot ? "root of the file system" : "home folder"}; name a folder of its own`;
}

function didYouMean(word: string, known: readonly string[]): string {
  const nearest = suggest(word, known);
  return nearest === undefined ? "" : `; did you mean ${nearest}?`;
}
