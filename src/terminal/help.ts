import yargs from "yargs";
import { PROGRAM } from "./arguments.ts";
import { commands, options, type Command, type CommandName, type Option } from "./options.ts";
import type { Place } from "./usage.ts";

/** What `--help` says behind this word. Nothing else needs yargs, which takes as long to start as a config to be read. */
export function help(word: string, { columns, version }: Place): string {
  const parser = yargs()
    .scriptName(PROGRAM)
    .detectLocale(false)
    .exitProcess(false)
    .wrap(Math.min(columns, 110))
    .version(version)
    .help()
    .alias("help", "h");
  for (const [name, command] of Object.entries(commands) as [CommandName, Command][]) {
    parser.command(name === "generate" ? ["$0", name] : name, command.about, (builder) => {
      for (const option of command.options) builder.option(option, toYargs(options[option]));
      for (const [line, effect] of command.examples) builder.example(`$0 ${line}`, effect);
      return builder;
    });
  }
  let text = "";
  parser.parse([word, "--help"], {}, (_: unknown, __: unknown, output: string) => {
    text = output;
  });
  return text;
}

function toYargs({ about, value, isRepeatable }: Option) {
  const type = value === undefined ? "boolean" : isRepeatable ? "array" : "string";
  return { type, describe: about } as const;
}
