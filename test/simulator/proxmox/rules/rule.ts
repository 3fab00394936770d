import type { Asked } from "../client.ts";
import type { ProxmoxSimulator } from "../simulator.ts";

/** One rule of the server: a request, and the exact answer. */
export interface Rule {
  readonly rule: string;
  /** What is in the cluster beside the fixture. */
  readonly given?: (simulator: ProxmoxSimulator) => void;
  /** Requests that come first, and succeed. */
  readonly after?: readonly Asked[];
  readonly request: Asked;
  /** Privileges that the caller does not have. */
  readonly without?: readonly string[];
  readonly as?: "anonymous" | "root" | "stranger";
  readonly status: number;
  readonly message?: string;
  readonly errors?: Readonly<Record<string, string>>;
  readonly data?: unknown;
  /** How the task ended that was started. */
  readonly task?: string;
  /** What there is afterwards. */
  readonly leaves?: readonly [look: (simulator: ProxmoxSimulator) => unknown, expected: unknown];
}

export const get = (path: string, parameters?: Asked["parameters"]): Asked => asked("GET", path, parameters);
export const post = (path: string, parameters?: Asked["parameters"]): Asked =>
  asked("POST", path, parameters);
export const put = (path: string, parameters?: Asked["parameters"]): Asked => asked("PUT", path, parameters);
export const remove = (path: string, parameters?: Asked["parameters"]): Asked =>
  asked("DELETE", path, parameters);

function asked(method: string, path: string, parameters: Asked["parameters"]): Asked {
  return { method, path, ...(parameters === undefined ? {} : { parameters }) };
}

/** Parts of a VM's configuration. */
export const config =
  (vmid: number, ...keys: readonly string[]) =>
  (simulator: ProxmoxSimulator): unknown =>
    keys.map((key) => simulator.vm(vmid)?.config.get(key));

/** Ids of the volumes that carry a VM's id. */
export const volumes =
  (vmid: number) =>
  (simulator: ProxmoxSimulator): unknown =>
    [...simulator.cluster.volumes]
      .filter(({ owner }) => owner === vmid)
      .map(({ storage, name }) => `${storage}:${name}`)
      .sort();

export const unknownProperty =
  "property is not defined in schema and the schema does not allow additional properties";
