import type { KubernetesCluster } from "../kubernetes/cluster.ts";
import type { TalosNode } from "./node.ts";
import type { Fields } from "./protocol.ts";

/**
 * The services of a configured node. They are healthy only when Kubernetes answers: the next check but a few asks there,
 * and when it fails it is repeated after half a minute.
 */
export function services(node: TalosNode, cluster: KubernetesCluster): readonly Fields[] {
  const isControlPlane = node.configuration?.type === "controlplane";
  return ["apid", "kubelet", ...(isControlPlane ? ["etcd"] : [])].map((id) => {
    const isRunning = id === "apid" || cluster.isReady;
    const state = isRunning ? "Running" : "Preparing";
    const message = isRunning ? "Health check successful" : "Waiting for the cluster";
    return {
      id,
      state,
      events: { events: [{ msg: message, state }] },
      health: { unknown: !isRunning, healthy: isRunning, lastMessage: message },
    };
  });
}
