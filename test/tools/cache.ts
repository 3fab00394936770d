import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Tool } from "./tool.ts";

/** The platform in Go's words, which are also those of a provider mirror. */
export const goos = process.platform;
export const goarch = process.arch === "x64" ? "amd64" : process.arch;

/** How every tool is compiled. */
export const buildFlags = ["-trimpath", "-buildvcs=false"];
export const linkerFlags = "-s -w";

/** Where OpenTofu and Terraform, in this order, look for a provider whose address names no registry. */
export const registries = ["registry.opentofu.org", "registry.terraform.io"] as const;

export function toolsFolder(): string {
  return join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "gen-talos-module", "tools");
}

/** Changes with everything that makes the executable what it is, so that a changed tool is rebuilt alone. */
export function key(tool: Tool): string {
  const recipe = JSON.stringify([tool, goos, goarch, buildFlags, linkerFlags], (_, value: unknown) =>
    value instanceof RegExp ? String(value) : value,
  );
  return `${tool.name}-${tool.version}-${createHash("sha256").update(recipe).digest("hex").slice(0, 12)}`;
}

export function toolFolder(tool: Tool): string {
  return join(toolsFolder(), key(tool));
}

/**
 * Where a tool's executable lies in its folder. A provider's folder is a mirror of that one provider, with the same
 * file for each registry.
 */
export function layout(tool: Tool): readonly [string, ...string[]] {
  if (!tool.provider) return [tool.name];
  const file = join(tool.provider, tool.version, `${goos}_${goarch}`, `${tool.name}_v${tool.version}`);
  return [join(registries[0], file), join(registries[1], file)];
}

export function executable(tool: Tool): string {
  return join(toolFolder(tool), layout(tool)[0]);
}

export function isInstalled(tool: Tool): boolean {
  return existsSync(executable(tool));
}
