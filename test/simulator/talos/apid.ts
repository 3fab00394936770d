import type { KubernetesCluster } from "../kubernetes/cluster.ts";
import { answerAsStream, answerForOne, canBeAggregated } from "./answers.ts";
import { codes, Refusal, type Call } from "./grpc.ts";
import type { TalosNode } from "./node.ts";
import { encode, methods, type Fields } from "./protocol.ts";

/** The machines that can be reached from any of them. */
export interface Network {
  readonly cluster: KubernetesCluster;
  find(ip: string): TalosNode | undefined;
}

/** Passes a call on to the nodes that it names. Only control planes do that for others than themselves. */
export async function* route(
  network: Network,
  dialled: TalosNode,
  isAuthenticated: boolean,
  call: Call,
): AsyncIterable<Buffer> {
  const targets = call.nodes.length > 0 ? call.nodes : [dialled.ip];
  const isForwarding = targets.some((target) => target !== dialled.ip);
  if (isForwarding && dialled.configuration?.type !== "controlplane")
    throw new Refusal("PermissionDenied", "no request forwarding");

  const question = (target: string) => ({
    node: reach(network, target),
    cluster: network.cluster,
    isAuthenticated,
  });
  const ask = (target: string) => answerForOne(call.path, call.body, question(target));

  const method = methods[call.path];
  if (!method) throw new Refusal("Unimplemented", `unknown method ${call.path}`);
  if (!canBeAggregated(call.path)) {
    if (targets.length > 1) throw new Refusal("InvalidArgument", "one-2-many proxying is not supported");
    yield* answerAsStream(call, question(targets[0] ?? dialled.ip));
  } else if (call.isForMany) {
    const messages = await Promise.all(targets.map((target) => labelled(target, ask)));
    yield encode(method.response, { messages });
  } else {
    yield encode(method.response, { messages: [await ask(targets[0] ?? dialled.ip)] });
  }
}

/** One node's answer, or its refusal, with the address that it came from. */
async function labelled(hostname: string, ask: (target: string) => Promise<Fields>): Promise<Fields> {
  try {
    return { ...(await ask(hostname)), metadata: { hostname } };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const status = { code: codes[error.code], message: error.message };
    return { metadata: { hostname, error: error.message, status } };
  }
}

function reach(network: Network, ip: string): TalosNode {
  const node = network.find(ip);
  if (node) return node;
  throw new Refusal("Unavailable", `connection error: dial tcp ${ip}:50000: connect: connection refused`);
}
