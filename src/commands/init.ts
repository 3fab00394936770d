import { lstatSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import type { Arguments } from "../terminal/arguments.ts";
import { Refusal } from "../terminal/failure.ts";
import { createOutput, type FileAction } from "../terminal/output.ts";
import { shell } from "../rendering/prose.ts";
import { lines, type Environment, type Result } from "./command.ts";
import { DEFAULT_CONFIG } from "./input.ts";
import { chooseKind, formatSchema } from "./schema.ts";

/** Writes a config to start from, with the line that tells editors its schema, and that schema beside it. */
export async function init(args: Arguments, environment: Environment): Promise<Result> {
  const kind = chooseKind(args, environment);
  const config = args.config ?? DEFAULT_CONFIG;
  const schemaName = `${basename(config, extname(config))}.schema.json`;
  const files = [
    { path: config, text: `# yaml-language-server: $schema=./${schemaName}\n${kind.starter}` },
    { path: join(dirname(config), schemaName), text: formatSchema(kind.schema) },
  ];
  const isThere = files.map(({ path, text }) => holds(resolve(environment.cwd, path), text));
  for (const [index, { path }] of files.entries()) {
    if (isThere[index] === "other" || (path === config && isThere[index] !== "nothing")) {
      throw new Refusal(`${path} exists; name another config with --config, or remove it first`);
    }
  }
  const actions = files.map(({ path, text }, index): FileAction => {
    if (isThere[index] === "same") return { path, action: "keep" };
    writeFileSync(resolve(environment.cwd, path), text, { flag: "wx" });
    return { path, action: "create" };
  });
  const next = `gen-talos-module --out ./infra${args.config === undefined ? "" : ` --config ${shell(config)}`}`;
  return {
    exitCode: 0,
    stdout: lines(
      actions.filter(({ action }) => action === "create").map(({ path }) => `create ${path}`),
      `\nNext: edit ${shell(config)}, then ${next}`,
    ),
    stderr: "",
    document: createOutput({ command: "init", exitCode: 0, files: actions, isWritten: true }),
  };
}

/** What is at a path, compared with what belongs there. */
function holds(path: string, text: string): "nothing" | "same" | "other" {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return "nothing";
  return stat.isFile() && readFileSync(path, "utf8") === text ? "same" : "other";
}
