import { shell } from "../../rendering/prose.ts";
import type { Memory, RememberedNode, RememberedVolume } from "./memory.ts";
import type { Model } from "./model.ts";

/** What the user has to do around the next apply, for what this run took away or rebuilds. */
export function notes({ memory: next }: Model, last: Memory | undefined): string[] {
  if (last === undefined) return [];
  const goneNodes = Object.entries(last.nodes).filter(([name]) => next.nodes[name] === undefined);
  const goneVolumes = Object.entries(last.volumes).filter(
    ([name, { type }]) => next.volumes[name]?.type !== type,
  );
  const rebuilt = Object.entries(next.nodes).filter(([name, { image }]) =>
    isOther(last.nodes[name]?.image, image),
  );
  return [
    ...goneNodes.map(([name, node]) => goneNode(name, node)),
    ...goneVolumes
      .filter(([, volume]) => volume.type === "proxmox-csi")
      .map(([name, volume]) => goneVolume(name, volume)),
    ...(isOther(last.cluster.endpoint, next.cluster.endpoint ?? "") ? [moved(last, next)] : []),
    ...(rebuilt.length > 0 ? [rebuild(rebuilt, last.images ?? [])] : []),
  ];
}

function isOther(before: string | undefined, now: string): boolean {
  return before !== undefined && before !== now;
}

function goneNode(name: string, node: RememberedNode): string {
  const leave = node.machine_type === "controlplane" ? [`talosctl --nodes ${node.ip} etcd leave`] : [];
  return [
    `${name} is destroyed by the next apply. Its Node object stays and would fail the health check, so run:`,
    `  kubectl drain ${shell(name)} --ignore-daemonsets --delete-emptydir-data`,
    ...leave.map((line) => `  ${line}`),
    "  tofu apply -var wait_for_health=false",
    `  kubectl delete node ${shell(name)}`,
    "  tofu apply",
  ].join("\n");
}

function goneVolume(name: string, { datastore, disk, node }: RememberedVolume): string {
  const address = `module.volumes.module.proxmox-volume["${name}"].restapi_object.proxmox-volume`;
  return [
    `The disk of volume ${name} is protected and stays in Proxmox. Let go of it before the next apply:`,
    `  tofu state rm ${shell(address)}`,
    `To delete its data for good, on ${node}:`,
    `  pvesm free ${shell(`${datastore}:${disk}`)}`,
  ].join("\n");
}

/** Only the address of a machine that runs already answers before the machines have heard of it. */
function moved({ cluster: last }: Memory, { cluster: next, nodes }: Memory): string {
  const isMachine = Object.values(nodes).some(({ ip }) => ip === next.endpoint);
  return [
    `The Kubernetes API moves from ${last.endpoint} to ${next.endpoint}: every kubeconfig has to be fetched anew.`,
    ...(isMachine ? [] : ["Run:", "  tofu apply -target=module.talos", "  tofu apply"]),
  ].join("\n");
}

/** A machine is deleted before it is made again, so its image comes first. While it is drained it fails the health check. */
function rebuild(nodes: readonly (readonly [string, RememberedNode])[], images: readonly string[]): string {
  const names = nodes.map(([name]) => name).join(", ");
  const isDownloaded = nodes.every(([, { image }]) => images.includes(image));
  const isOne = nodes.length === 1;
  const lines = [
    ...(isDownloaded ? [] : ["tofu apply -target=module.talos.proxmox_download_file.this"]),
    ...(isOne ? drained(names) : []),
    "tofu apply",
  ];
  return [
    isOne
      ? `${names} is rebuilt; /var and its volumes stay. Run:`
      : `${names} are rebuilt, all at the same time; /var and their volumes stay. Run:`,
    ...lines.map((line) => `  ${line}`),
  ].join("\n");
}

/** Around an apply that rebuilds a machine. */
const drained = (name: string): readonly string[] => [
  `kubectl drain ${shell(name)} --ignore-daemonsets --delete-emptydir-data`,
  "tofu apply -var wait_for_health=false",
  `kubectl uncordon ${shell(name)}`,
];
