import type { Question } from "./answers.ts";
import { Refusal } from "./grpc.ts";
import { encode, type Fields } from "./protocol.ts";

const gib = 1024 ** 3;
/** The stage `running`; a node without a configuration is in `maintenance`. */
const stages = { maintenance: 3, running: 4 };

/** One of the resources that the health check reads. */
export function getResource(question: Question): Fields {
  const { node, request } = question;
  const { type } = request as { type: string };
  if (type.startsWith("VolumeStatuses.block") && request["id"] === "EPHEMERAL")
    return resource(request, "VolumeStatus", {
      location: "/dev/sdb1",
      size: node.hardware.ephemeralGib * gib,
    });
  if (type.startsWith("BootstrapManifestsConfigs.kubernetes"))
    return resource(request, "BootstrapManifestsConfig", { cniName: node.configuration?.cniName ?? "" });
  if (type.startsWith("MachineStatuses.runtime")) return machineStatus(question);
  throw new Refusal("NotFound", `resource ${type}(${String(request["id"])}) doesn't exist`);
}

export function machineStatus({ node, request }: Question): Fields {
  const stage = node.configuration ? stages.running : stages.maintenance;
  return resource({ ...request, id: "machine" }, "MachineStatus", { stage, status: { ready: true } });
}

export function listResources({ node, cluster, request }: Question): readonly Fields[] {
  const { type } = request as { type: string };
  const isControlPlane = node.configuration?.type === "controlplane";
  if (type.startsWith("Diagnostics.runtime")) return [];
  if (!type.startsWith("StaticPodStatuses.kubernetes"))
    throw new Refusal("NotFound", `resource type ${type} is not registered`);
  if (!isControlPlane || !cluster.isReady) return [];
  return ["kube-apiserver", "kube-controller-manager", "kube-scheduler"].map((app) => {
    return resource({ ...request, id: `kube-system/${app}-${node.configuration?.nodeName}` }, "Empty", {});
  });
}

function resource({ namespace, type, id }: Fields, specType: string, spec: Fields): Fields {
  return {
    metadata: { namespace, type, id, version: "1", phase: "running" },
    spec: { protoSpec: encode(specType, spec), yamlSpec: "{}" },
  };
}
