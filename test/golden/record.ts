/** Writes every golden tree anew. Ends with 1 when one has changed: read the diff, then run the tests. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cases, layFiles, readTree } from "./cases.ts";
import { generate } from "./generate.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const changed: string[] = [];
for (const one of cases) {
  const out = temporaryFolder();
  layFiles(one, out);
  const own = new Set(readTree(out).keys());
  await generate(one.config, out);
  const fresh = [...readTree(out)].filter(([path]) => !own.has(path));
  const former = readTree(one.tree);
  if (fresh.length === former.size && fresh.every(([path, text]) => former.get(path) === text)) continue;
  changed.push(one.name);
  rmSync(one.tree, { recursive: true, force: true });
  for (const [path, text] of fresh) {
    mkdirSync(dirname(join(one.tree, path)), { recursive: true });
    writeFileSync(join(one.tree, path), text);
  }
}
if (changed.length > 0) {
  console.log(`rewritten: ${changed.join(", ")}\nRead the diff of golden/, then run npm test.`);
  process.exitCode = 1;
}
