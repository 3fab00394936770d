/** Writes what is derived from the schemas and is read by people: the types, and the tables of the README. */
import { readFileSync, writeFileSync } from "node:fs";
import { derived } from "./derived.ts";

for (const { path, text } of await derived()) {
  if (readFileSync(path, "utf8") === text) continue;
  writeFileSync(path, text);
  console.log(`wrote ${path}`);
}
