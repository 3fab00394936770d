import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { executable, isInstalled } from "./cache.ts";
import type { Tool } from "./tool.ts";
import { tofurc } from "./tofurc.ts";
import { table } from "./versions.ts";

/** The paths of the executables, or why there are none. */
export type Found<Paths> =
  | { readonly installed: Paths; readonly reason?: undefined }
  | { readonly installed?: undefined; readonly reason: string };

export interface Tools {
  readonly tofu: string;
  readonly tflint: string;
  readonly terraformDocs: string;
  readonly talosctl: string;
  /** HashiCorp's, which is not built here but taken from the PATH. */
  readonly terraform: string | undefined;
  /** The file that TF_CLI_CONFIG_FILE names in `toolEnvironment()`. */
  readonly tofurc: string;
}

export interface KubernetesTools {
  readonly etcd: string;
  readonly kubeApiserver: string;
}

/** The tools of `npm run tools`, the providers with them. */
export function tools(): Found<Tools> {
  const reason = whyNot("base", "npm run tools");
  if (reason) return { reason };
  return {
    installed: {
      tofu: executable(table.tofu),
      tflint: executable(table.tflint),
      terraformDocs: executable(table.terraformDocs),
      talosctl: executable(table.talosctl),
      terraform: onPath("terraform"),
      tofurc: tofurc(),
    },
  };
}

/** What a Kubernetes API server takes, from `npm run tools -- --all`. */
export function kubernetesTools(): Found<KubernetesTools> {
  const reason = whyNot("kubernetes", "npm run tools -- --all");
  if (reason) return { reason };
  return { installed: { etcd: executable(table.etcd), kubeApiserver: executable(table.kubeApiserver) } };
}

/**
 * The environment for running the tools: providers from the mirror only, and no setting of the user's own, such as
 * TF_CLI_ARGS, TF_VAR_x, PROXMOX_VE_ENDPOINT or KUBECONFIG, that would change what they do.
 */
export function toolEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(TF|PROXMOX|KUBE|TALOS)/.test(name));
  return {
    ...Object.fromEntries(inherited),
    TF_CLI_CONFIG_FILE: tofurc(),
    TF_IN_AUTOMATION: "1",
    // The tools live for seconds: with their garbage left to lie they need a tenth less of the processor.
    GOGC: "800",
  };
}

function whyNot(group: Tool["group"], remedy: string): string | undefined {
  const missing = Object.values<Tool>(table).filter((tool) => tool.group === group && !isInstalled(tool));
  if (missing.length === 0 && existsSync(tofurc())) return undefined;
  const names = missing.map((tool) => `${tool.name} ${tool.version}`).join(", ") || "the tofurc file";
  return `not built: ${names}; run "${remedy}"`;
}

function onPath(name: string): string | undefined {
  const candidates = (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, name));
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
