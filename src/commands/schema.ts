import type { Arguments } from "../terminal/arguments.ts";
import { editorSchema } from "../config/editor-schema.ts";
import { Refusal } from "../terminal/failure.ts";
import type { Kind } from "../kind.ts";
import { createOutput } from "../terminal/output.ts";
import { suggest } from "../config/suggest.ts";
import type { Environment, Result } from "./command.ts";

/** Prints the JSON Schema of a kind, or one for all of them that chooses by the config's own `kind`. */
export async function schema(args: Arguments, environment: Environment): Promise<Result> {
  const printed =
    args.kind === undefined ? editorSchema(environment.kinds) : chooseKind(args, environment).schema;
  return {
    exitCode: 0,
    stdout: formatSchema(printed),
    stderr: "",
    document: createOutput({ command: "schema", exitCode: 0, schema: printed }),
  };
}

export function formatSchema(schema: object): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** The kind that `--kind` names, else the default one. */
export function chooseKind({ kind: name }: Arguments, { kinds }: Environment): Kind {
  if (name === undefined) return kinds[0];
  const names = kinds.map((kind) => kind.name);
  const kind = kinds[names.indexOf(name)];
  if (kind !== undefined) return kind;
  const nearest = suggest(name, names);
  throw new Refusal(
    `--kind must be ${names.join(" or ")}, not ${name}${nearest ? `; did you mean ${nearest}?` : ""}`,
  );
}
