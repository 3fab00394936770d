import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { layFiles, type Case } from "../golden/cases.ts";
import { temporaryFolder } from "../golden/temporary-folder.ts";
import { toolEnvironment, tools, type Tools } from "../tools/tools.ts";
import { run, type Ending } from "./run.ts";

/** A tree in a folder of its own, where the tools can do what they like. */
export interface Workspace {
  readonly folder: string;
  /** Runs tofu there. */
  tofu(...args: readonly string[]): Promise<Ending>;
  /** The same, for what has to succeed. */
  must(...args: readonly string[]): Promise<string>;
}

/** The tools; without them nothing here can be tested. */
export function requireTools(): Tools {
  const { installed, reason } = tools();
  if (installed === undefined) throw new Error(reason);
  return installed;
}

export const token = "test@pve!test=00000000-0000-0000-0000-000000000000";

/** A tree in this folder, with the environment of one who has a token. */
export function workspaceIn(folder: string, env: NodeJS.ProcessEnv = {}): Workspace {
  const { tofu: file } = requireTools();
  const environment = { ...toolEnvironment(), TF_VAR_proxmox_api_token: token, ...env };
  const tofu = (...args: readonly string[]) => run(file, args, { cwd: folder, env: environment });
  const must = async (...args: readonly string[]): Promise<string> => {
    const { exitCode, stdout, stderr } = await tofu(...args);
    if (exitCode !== 0) throw new Error(`tofu ${args.join(" ")} answered ${exitCode}:\n${stdout}${stderr}`);
    return stdout;
  };
  return { folder, tofu, must };
}

/** A copy of a golden tree with the user's own files beside it. */
export function copyOf(one: Case): Workspace {
  const folder = temporaryFolder();
  layFiles(one, folder);
  cpSync(one.tree, folder, { recursive: true });
  return workspaceIn(folder);
}

/** Where a config has the key pair of Sealed Secrets. */
export function keyPairPaths(one: Case): { readonly certificate: string; readonly key: string } {
  const { sealed_secrets_config: paths = {} } = parse(readFileSync(one.config, "utf8")) as {
    sealed_secrets_config?: { certificate_path?: string; key_path?: string };
  };
  return {
    certificate: paths.certificate_path ?? "assets/sealed-secrets/certificate/sealed-secrets.cert",
    key: paths.key_path ?? "assets/sealed-secrets/certificate/sealed-secrets.key",
  };
}

/** Puts a text into a file of the workspace. */
export function put({ folder }: Workspace, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
