import type { KeyObject } from "node:crypto";
import { parseAllDocuments } from "yaml";
import { readKey, type Authority } from "./certificates.ts";

/** What a machine acts upon, of all that its configuration says. */
export interface MachineConfiguration {
  readonly type: "controlplane" | "worker";
  readonly hostname: string;
  /** The name under which the kubelet registers. */
  readonly nodeName: string;
  readonly nodeLabels: Readonly<Record<string, string>>;
  /** Signs for the Talos API. */
  readonly machineAuthority: Authority;
  readonly clusterName: string;
  readonly endpoint: URL;
  /** Signs for the Kubernetes API. */
  readonly clusterAuthority: Authority;
  /** PEM; only control planes have it. */
  readonly serviceAccountKey: string | undefined;
  readonly cniName: string;
  /** Shared addresses that this machine takes when it can. */
  readonly virtualIps: readonly string[];
}

interface Pair {
  readonly crt: string;
  readonly key: string;
}

/** The main document, as far as it is read here. */
interface MainDocument {
  readonly machine: {
    readonly type: "controlplane" | "worker";
    readonly ca: Pair;
    readonly nodeLabels?: Record<string, string>;
    readonly kubelet?: { readonly registerWithFQDN?: boolean };
    readonly network?: {
      readonly hostname?: string;
      readonly interfaces?: readonly { readonly vip?: { readonly ip: string } }[];
    };
  };
  readonly cluster: {
    readonly clusterName?: string;
    readonly controlPlane: { readonly endpoint: string };
    readonly ca: Pair;
    readonly serviceAccount?: { readonly key: string };
    readonly network?: { readonly cni?: { readonly name?: string } };
  };
}

type Document = Readonly<Record<string, unknown>>;

/** Reads a configuration that `talosctl validate` has passed. */
export function readMachineConfiguration(bytes: Buffer): MachineConfiguration {
  const documents = parseAllDocuments(bytes.toString()).map((document) => document.toJS() as Document);
  const main = documents.find((document) => "machine" in document) as MainDocument | undefined;
  if (!main) throw new Error("no document with machine and cluster");
  const { machine, cluster } = main;
  const ofKind = (kind: string) => documents.filter((document) => document["kind"] === kind);
  const hostname = String(ofKind("HostnameConfig")[0]?.["hostname"] ?? machine.network?.hostname ?? "");
  return {
    type: machine.type,
    hostname,
    // Talos registers the first label of a full name unless it is told otherwise.
    nodeName: (machine.kubelet?.registerWithFQDN ? hostname : hostname.replace(/\..*/, "")).toLowerCase(),
    nodeLabels: machine.nodeLabels ?? {},
    machineAuthority: authority(machine.ca),
    clusterName: cluster.clusterName ?? "",
    endpoint: new URL(cluster.controlPlane.endpoint),
    clusterAuthority: authority(cluster.ca),
    serviceAccountKey: cluster.serviceAccount && plain(cluster.serviceAccount.key),
    cniName: cluster.network?.cni?.name ?? "flannel",
    virtualIps: [
      ...ofKind("Layer2VIPConfig").map((document) => String(document["name"])),
      ...(machine.network?.interfaces ?? []).flatMap(({ vip }) => (vip ? [vip.ip] : [])),
    ],
  };
}

function authority({ crt, key }: Pair): Authority {
  return { certificate: plain(crt), key: key ? keyOf(key) : undefined };
}

const plain = (base64: string) => Buffer.from(base64, "base64").toString();
const keyOf = (base64: string): KeyObject => readKey(plain(base64));
