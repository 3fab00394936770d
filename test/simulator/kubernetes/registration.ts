import type { MachineConfiguration } from "../talos/machine-configuration.ts";
import type { ApiClient } from "./api-client.ts";

const controlPlaneApps = ["kube-apiserver", "kube-controller-manager", "kube-scheduler"];

/** What the kubelet of a machine makes in Kubernetes: its Node and the pods of a control plane. */
export async function register(
  client: ApiClient,
  ip: string,
  configuration: MachineConfiguration,
): Promise<void> {
  const { nodeName, nodeLabels, hostname, type } = configuration;
  const path = `/api/v1/nodes/${nodeName}`;
  const isControlPlane = type === "controlplane";
  const role = isControlPlane ? { "node-role.kubernetes.io/control-plane": "" } : {};
  const labels = { "kubernetes.io/hostname": nodeName, "kubernetes.io/os": "linux", ...role, ...nodeLabels };
  const named = { apiVersion: "v1", kind: "Node", metadata: { name: nodeName } };
  await client.apply(path, { ...named, metadata: { name: nodeName, labels } });
  await client.apply(`${path}/status`, {
    ...named,
    status: {
      addresses: [
        { type: "InternalIP", address: ip },
        { type: "Hostname", address: hostname },
      ],
      conditions: [readyNow("KubeletReady")],
    },
  });
  if (isControlPlane) await Promise.all(controlPlaneApps.map((app) => makeStaticPod(client, app, nodeName)));
}

/** What the cluster makes of a machine that no longer reports. */
export async function loseSight(client: ApiClient, nodeName: string): Promise<void> {
  const condition = { ...readyNow("NodeStatusUnknown"), status: "Unknown" };
  await client.apply(`/api/v1/nodes/${nodeName}/status`, {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: nodeName },
    status: { conditions: [condition] },
  });
}

async function makeStaticPod(client: ApiClient, app: string, nodeName: string): Promise<void> {
  const name = `${app}-${nodeName}`;
  const path = `/api/v1/namespaces/kube-system/pods/${name}`;
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "kube-system" } };
  const labels = { "k8s-app": app, tier: "control-plane" };
  const annotations = { "kubernetes.io/config.mirror": "simulator" };
  await client.apply(path, {
    ...pod,
    metadata: { ...pod.metadata, labels, annotations },
    spec: { nodeName, containers: [{ name: app, image: app }] },
  });
  await client.apply(`${path}/status`, {
    ...pod,
    status: { phase: "Running", conditions: [readyNow("Started")] },
  });
}

function readyNow(reason: string) {
  return {
    type: "Ready",
    status: "True",
    reason,
    lastTransitionTime: new Date().toISOString().replace(/\..*/, "Z"),
  };
}
