import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** What the README shows: one file of the tree that its own config becomes, and what the program says of a broken one. */
export function showcase(readme: string, shownFile: string): { file: string; error: string } {
  const config = /```yaml\n# cluster\.yaml\n([\s\S]*?)```/.exec(readme)?.[1];
  if (config === undefined) throw new Error("README.md shows no cluster.yaml");
  const folder = mkdtempSync(join(tmpdir(), "gen-talos-module-readme-"));
  try {
    writeFileSync(join(folder, "cluster.yaml"), config);
    run(folder, "--out", "infra");
    const file = readFileSync(join(folder, "infra", shownFile), "utf8");
    writeFileSync(join(folder, "cluster.yaml"), breakConfig(config));
    const error = run(folder, "validate").stderr;
    return { file: fence("hcl", file), error: fence("", error) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function breakConfig(config: string): string {
  return config.replace("machine_type: worker", "machine_type: wroker").replace("10.1.2.42", "10.1.2.41");
}

function run(cwd: string, ...words: string[]) {
  const env = { PATH: process.env["PATH"], NO_COLOR: "1" };
  return spawnSync(process.execPath, [resolve("dist/cli.cjs"), ...words], { cwd, env, encoding: "utf8" });
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\n`;
}
