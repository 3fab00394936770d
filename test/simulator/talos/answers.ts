import type { KubernetesCluster } from "../kubernetes/cluster.ts";
import { gzipTar } from "./archive.ts";
import { Refusal, type Call } from "./grpc.ts";
import type { TalosNode } from "./node.ts";
import { decode, encode, methods, type Fields } from "./protocol.ts";
import { getResource, listResources, machineStatus } from "./resources.ts";
import { services } from "./services.ts";

export interface Question {
  readonly node: TalosNode;
  readonly cluster: KubernetesCluster;
  readonly isAuthenticated: boolean;
  readonly request: Fields;
}

/** What one node says for itself; several answers make one response. */
type Single = (question: Question) => Fields | Promise<Fields>;

const singles: Readonly<Record<string, Single>> = {
  Disks: () => ({}),
  ApplyConfiguration: async ({ node, isAuthenticated, request }) => {
    await node.apply(request["data"] as Buffer, isAuthenticated, Boolean(request["dryRun"]));
    return { mode: 1, modeDetails: "Applied configuration without a reboot" };
  },
  Bootstrap: ({ node, cluster }) => {
    if (!node.configuration) throw new Refusal("FailedPrecondition", "bootstrap is not available yet");
    if (node.configuration.type !== "controlplane")
      throw new Refusal("Unimplemented", "bootstrap is only available on control plane nodes");
    if (cluster.isBootstrapped) throw new Refusal("AlreadyExists", "etcd data directory is not empty");
    cluster.bootstrap(node.ip);
    return {};
  },
  ServiceList: async ({ node, cluster }) => {
    // The client asks again after five seconds; one that waits a little for the answer spares it that.
    await cluster.startingUp(4);
    return { services: services(node, cluster) };
  },
  EtcdMemberList: ({ cluster }) => ({ members: cluster.etcdMembers() }),
  Version: ({ node }) => ({
    version: { tag: node.hardware.talosVersion },
    platform: { name: "nocloud", mode: "cloud" },
  }),
  Memory: ({ node }) => ({ meminfo: { memtotal: node.hardware.memoryMib * 1024 } }),
};

/** The answers that are streams, or that only one node can give. */
const streams: Readonly<Record<string, (question: Question, call: Call) => AsyncIterable<Fields>>> = {
  async *Kubeconfig({ node, cluster }) {
    if (node.configuration?.type !== "controlplane")
      throw new Refusal("Unimplemented", "kubeconfig is only available on control plane nodes");
    yield { bytes: gzipTar("kubeconfig", cluster.kubeconfig(node.configuration)) };
  },
  async *Reset() {
    throw new Refusal("FailedPrecondition", "this stand-in of a node cannot be reset");
  },
  async *Get(question) {
    yield { resource: getResource(question) };
  },
  async *List(question) {
    for (const resource of listResources(question)) yield { resource };
  },
  async *Watch(question, { ended }) {
    yield {};
    yield { event: [{ resource: machineStatus(question), eventType: 0 }] };
    await ended;
  },
};

const inMaintenance = ["Disks", "ApplyConfiguration", "Version", "Bootstrap"];

/** Whether the answers of several nodes can be one response. */
export const canBeAggregated = (path: string) => methods[path]?.message !== undefined;

/** One node's part of a response, without saying whose it is. */
export async function answerForOne(
  path: string,
  body: Buffer,
  question: Omit<Question, "request">,
): Promise<Fields> {
  const { request, name } = look(path, question);
  const single = singles[name];
  if (!single) throw new Refusal("Unimplemented", `unknown method ${path}`);
  return await single({ ...question, request: decode(request, body) });
}

/** All the messages of a response, encoded. */
export async function* answerAsStream(
  call: Call,
  question: Omit<Question, "request">,
): AsyncIterable<Buffer> {
  const { request, response, name } = look(call.path, question);
  const stream = streams[name];
  if (!stream) throw new Refusal("Unimplemented", `unknown method ${call.path}`);
  const messages = stream({ ...question, request: decode(request, call.body) }, call);
  for await (const message of messages) yield encode(response, message);
}

function look(path: string, { node }: { node: TalosNode }) {
  const method = methods[path];
  const name = path.replace(/.*\//, "");
  if (!method) throw new Refusal("Unimplemented", `unknown method ${path}`);
  if (!node.configuration && !inMaintenance.includes(name))
    throw new Refusal("Unimplemented", "API is not implemented in maintenance mode");
  return { ...method, name };
}
