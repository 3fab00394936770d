import { parse } from "yaml";
import type { ApiClient, KubernetesObject } from "../simulator/kubernetes/api-client.ts";

type Labels = Readonly<Record<string, string>>;

/** All that a tree and its machines make in Kubernetes, by name. */
export interface KubernetesState {
  readonly nodes: Readonly<Record<string, { readonly address: string; readonly labels: Labels }>>;
  /** Labels of those that Kubernetes does not make itself. */
  readonly namespaces: Readonly<Record<string, Labels>>;
  /** By `<namespace>/<name>`, texts that are YAML read. */
  readonly secrets: Readonly<
    Record<string, { readonly type: string; readonly labels: Labels; readonly data: object }>
  >;
  readonly volumes: Readonly<
    Record<string, { readonly annotations: Labels; readonly phase: string; readonly spec: object }>
  >;
}

interface Detailed extends KubernetesObject {
  readonly type?: string;
  readonly metadata: KubernetesObject["metadata"] & { readonly annotations?: Labels };
}

export async function kubernetesState(client: ApiClient): Promise<KubernetesState> {
  const list = async (what: string) => (await client.list(`/api/v1/${what}`)) as readonly Detailed[];
  const named = <Out>(objects: readonly Detailed[], read: (object: Detailed) => Out) =>
    Object.fromEntries(
      objects.map((object) => [
        [object.metadata.namespace ?? [], object.metadata.name].flat().join("/"),
        read(object),
      ]),
    );
  const namespaces = (await list("namespaces")).filter(
    ({ metadata: { name } }) => name !== "default" && !name.startsWith("kube-"),
  );
  return {
    nodes: named(await list("nodes"), ({ metadata, status }) => ({
      address: addressOf(status),
      labels: pick(metadata.labels, /^(topology|node-role)\.kubernetes\.io\//),
    })),
    namespaces: named(namespaces, ({ metadata }) => pick(metadata.labels, /^(?!kubernetes\.io\/metadata)/)),
    secrets: named(await list("secrets"), ({ type = "", metadata, data = {} }) => ({
      type,
      labels: metadata.labels ?? {},
      data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, decode(key, text)])),
    })),
    volumes: named(await list("persistentvolumes"), ({ metadata, spec = {}, status }) => ({
      annotations: metadata.annotations ?? {},
      phase: String(status?.["phase"]),
      spec,
    })),
  };
}

function addressOf(status: KubernetesObject["status"]): string {
  const addresses = (status?.["addresses"] ?? []) as readonly { type: string; address: string }[];
  return addresses.find(({ type }) => type === "InternalIP")?.address ?? "";
}

const pick = (labels: Labels = {}, pattern: RegExp): Labels =>
  Object.fromEntries(Object.entries(labels).filter(([name]) => pattern.test(name)));

function decode(key: string, base64: string): unknown {
  const text = Buffer.from(base64, "base64").toString();
  return key.endsWith(".yaml") ? parse(text) : text;
}
