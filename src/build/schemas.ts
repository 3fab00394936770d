import { readdirSync } from "node:fs";
import { join } from "node:path";

export interface SchemaFile {
  readonly kind: string;
  readonly path: string;
}

/** The schema of each kind of config; what the program prints has a schema too, but is not a kind. */
export function schemaFiles(folder = "schema"): SchemaFile[] {
  const suffix = ".schema.json";
  return readdirSync(folder)
    .filter((name) => name.endsWith(suffix) && name !== `output${suffix}`)
    .sort()
    .map((name) => ({ kind: name.slice(0, -suffix.length), path: join(folder, name) }));
}
