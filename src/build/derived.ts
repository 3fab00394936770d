import { readFileSync } from "node:fs";
import { format } from "prettier";
import { renderReference } from "./reference.ts";
import { schemaFiles } from "./schemas.ts";
import { showcase } from "./showcase.ts";
import { renderTypes } from "./types.ts";

export interface Derived {
  readonly path: string;
  readonly text: string;
}

/** The file of the tree that the README shows. */
const SHOWN_FILE = "volumes/main.tf";

/** Every committed file that follows from the schemas and the program itself, as it should be. */
export async function derived(): Promise<Derived[]> {
  const files: Derived[] = [];
  let readme = readFileSync("README.md", "utf8");
  for (const { kind, path } of schemaFiles()) {
    const schema = JSON.parse(readFileSync(path, "utf8")) as object;
    files.push({ path: `src/kinds/${kind}/config.ts`, text: await renderTypes(schema, path) });
    readme = replaceBetween(readme, `reference of ${kind}`, await renderReference(schema));
  }
  const { file, error } = showcase(readme, SHOWN_FILE);
  readme = replaceBetween(readme, `file ${SHOWN_FILE}`, file);
  readme = replaceBetween(readme, "error", error);
  return [
    ...files,
    { path: "README.md", text: await format(readme, { parser: "markdown", printWidth: 110 }) },
  ];
}

function replaceBetween(text: string, name: string, content: string): string {
  const begin = `<!-- begin ${name}, written by npm run generate -->`;
  const end = `<!-- end ${name} -->`;
  const [head, rest] = text.split(begin);
  const tail = rest?.split(end)[1];
  if (head === undefined || tail === undefined) throw new Error(`README.md has no place for the ${name}`);
  return `${head}${begin}\n\n${content}\n${end}${tail}`;
}
