import { createHash } from "node:crypto";
import { existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { registries, toolFolder, toolsFolder } from "./cache.ts";
import type { Tool } from "./tool.ts";
import { table } from "./versions.ts";

/** Providers come from the tools' folders and from nowhere else, for OpenTofu and Terraform alike. */
function text(): string {
  const mirrors = Object.values<Tool>(table).flatMap((tool) => {
    if (!tool.provider) return [];
    const addresses = registries.map((registry) => `${registry}/${tool.provider}`);
    return `  filesystem_mirror {
    path    = ${JSON.stringify(toolFolder(tool))}
    include = ${JSON.stringify(addresses)}
  }
`;
  });
  return `disable_checkpoint = true\n\nprovider_installation {\n${mirrors.join("")}}\n`;
}

/** The file's name changes with its text, so that two checkouts do not overwrite each other's. */
export function tofurc(): string {
  return join(toolsFolder(), `tofurc-${createHash("sha256").update(text()).digest("hex").slice(0, 12)}`);
}

export function writeTofurc(): void {
  if (existsSync(tofurc())) return;
  const aside = `${tofurc()}.${process.pid}`;
  writeFileSync(aside, text());
  renameSync(aside, tofurc());
}
