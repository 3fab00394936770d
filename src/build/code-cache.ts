/** Runs a bundled program once, as its users do, and stores what V8 has compiled by then beside it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheOf, compile, seal, start } from "../code-cache.ts";

const [node = "", , file = ""] = process.argv;
const folder = mkdtempSync(join(tmpdir(), "gen-talos-module-build-"));
process.chdir(folder);
process.argv = [node, file, "--out", "tree"];
rmSync(cacheOf(file), { force: true });
const program = readFileSync(file);
const script = compile(file, program);
process.once("exit", () => {
  rmSync(folder, { recursive: true });
  writeFileSync(cacheOf(file), seal(program, script.createCachedData()));
});
start(script, createRequire(file), file);
