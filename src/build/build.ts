/** Makes dist: compiled templates and validators first, then the program without any dependency, then its code cache. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { bundleLauncher, bundleProgram } from "./bundle.ts";
import { renderTemplates } from "./templates.ts";
import { renderValidator } from "./validators.ts";
import { schemaFiles } from "./schemas.ts";

mkdirSync("src/generated", { recursive: true });
writeFileSync("src/generated/templates.ts", renderTemplates("templates"));
for (const { kind, path } of schemaFiles()) {
  const schema = JSON.parse(readFileSync(path, "utf8")) as object;
  writeFileSync(`src/generated/${kind}.validator.ts`, renderValidator(schema));
}
await bundleProgram("dist/program.cjs");
await bundleLauncher("dist/cli.cjs");
chmodSync("dist/cli.cjs", 0o755);
// Without NODE_OPTIONS, since V8 takes a cache only where its flags are the same.
execFileSync(process.execPath, ["--import", "tsx", "src/build/code-cache.ts", resolve("dist/program.cjs")], {
  env: { ...process.env, NODE_OPTIONS: "" },
  stdio: "pipe",
});
