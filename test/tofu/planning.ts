import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { Case } from "../golden/cases.ts";
import type { ProxmoxStub } from "./proxmox-stub.ts";
import { copyOf, keyPairPaths, put, type Workspace } from "./workspace.ts";

/** What `tofu show -json` says of a plan, as far as the tests ask. */
export interface PlanJson {
  readonly resource_changes: readonly ResourceChange[];
  readonly planned_values: { readonly outputs: Readonly<Record<string, { readonly value?: unknown }>> };
  readonly configuration: { readonly provider_config: Readonly<Record<string, unknown>> };
  readonly variables: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface ResourceChange {
  readonly address: string;
  readonly change: {
    readonly actions: readonly string[];
    readonly after: unknown;
    readonly after_unknown: unknown;
  };
}

/** A copy of a golden tree that can be planned: initialized, with a key pair, and with the stub as its Proxmox. */
export async function plannable(one: Case, stub: ProxmoxStub): Promise<Workspace> {
  const workspace = copyOf(one);
  layKeyPair(workspace, one);
  pointAt(workspace, one, stub);
  await workspace.must("init", "-no-color", "-input=false");
  return workspace;
}

export function layKeyPair(workspace: Workspace, one: Case): void {
  const { certificate, key } = keyPairPaths(one);
  put(workspace, certificate, "a certificate");
  put(workspace, key, "a key");
}

/** Only the endpoint is another; everything else is as it was generated. */
export function pointAt(workspace: Workspace, one: Case, { endpoint }: ProxmoxStub): void {
  const { proxmox } = parse(readFileSync(one.config, "utf8")) as { proxmox: object };
  const values = { proxmox: { ...proxmox, endpoint, insecure: true } };
  put(workspace, "stub.auto.tfvars.json", JSON.stringify(values));
}

/** Makes the machine secrets, which no server is needed for. From then on a plan holds the machine configurations. */
export async function applySecrets(workspace: Workspace): Promise<void> {
  const target = "-target=module.talos.talos_machine_secrets.this";
  await workspace.must("apply", "-no-color", "-input=false", "-auto-approve", target);
}

export async function planJson(workspace: Workspace): Promise<PlanJson> {
  await workspace.must("plan", "-no-color", "-input=false", "-out=test.tfplan");
  return JSON.parse(await workspace.must("show", "-json", "test.tfplan")) as PlanJson;
}

export function machineConfigurations(plan: PlanJson): Record<string, string> {
  return (plan.planned_values.outputs["machine_configurations"]?.value ?? {}) as Record<string, string>;
}
