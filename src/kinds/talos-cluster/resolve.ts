import { createHash } from "node:crypto";
import { withDefaults, type Complete } from "../../config/defaults.ts";
import type { Surroundings } from "../../kind.ts";
import schema from "../../../schema/talos-cluster.schema.json" with { type: "json" };
import type { TalosCluster, Volume } from "./config.ts";
import { allocateDisks } from "./disks.ts";
import type { Memory, RememberedNode, RememberedVolume } from "./memory.ts";
import type { Model, Schematic } from "./model.ts";
import { newSchematicOf } from "./new-schematic.ts";
import { readSchematic } from "../../domain/schematic/schematic.ts";
import { allocateSerials } from "./serials.ts";
import { sizeMib } from "./sizes.ts";

type Config = Complete<TalosCluster>;

/** Fills in defaults, reads the schematics and allocates whatever is new. */
export function resolve(given: TalosCluster, surroundings: Surroundings): Model {
  const config = withDefaults(given, schema) as Config;
  const memory = surroundings.memory as Memory | undefined;
  const newSchematic = newSchematicOf(given.image, surroundings);
  const schematics = readSchematics(config, (path) => surroundings.read(path) ?? newSchematic ?? undefined);
  return {
    source: surroundings.source ?? "the built-in example",
    isExample: surroundings.source === null,
    config,
    schematics,
    newSchematic,
    memory: remember(config, memory, schematics),
  };
}

function readSchematics(config: Config, read: Surroundings["read"]): Record<string, Schematic> {
  const { schematic_path, update_schematic_path } = config.image;
  const schematics: Record<string, Schematic> = Object.create(null);
  for (const path of new Set([schematic_path, update_schematic_path ?? schematic_path].sort())) {
    const text = read(path);
    const schematic = text === undefined ? undefined : readSchematic(text);
    if (text === undefined || schematic === undefined || "fault" in schematic)
      throw new Error(`no schematic at ${path}`);
    schematics[path] = { id: schematic.id, sha256: createHash("sha256").update(text).digest("hex") };
  }
  return schematics;
}

function remember(config: Config, memory: Memory | undefined, schematics: Model["schematics"]): Memory {
  const nodes = Object.entries(config.nodes);
  const diskNames = Object.entries(config.volumes).filter(([, volume]) => volume.type === "disk");
  const serials = allocateSerials(
    diskNames.map(([name]) => name),
    memory,
  );
  const bootstrap_node = bootstrapNode(config, memory);
  return {
    cluster: {
      name: config.cluster.name,
      env: config.env,
      proxmox_cluster: config.cluster.proxmox_cluster,
      endpoint: config.cluster.vip ?? config.nodes[bootstrap_node]?.ip ?? "",
      talos_machine_config_version: memory?.cluster.talos_machine_config_version ?? config.image.version,
    },
    bootstrap_node,
    images: imagesOf(config, schematics),
    nodes: Object.fromEntries(nodes.map(([name, node]) => [name, rememberNode(config, node, schematics)])),
    volumes: Object.fromEntries(
      Object.entries(config.volumes).map(([name, volume]) => [
        name,
        rememberVolume(config, name, volume, serials),
      ]),
    ),
    ...allocateDisks(config, memory),
  };
}

/** The control plane that was bootstrapped, as long as it is one; else the first by name. */
function bootstrapNode(config: Config, memory: Memory | undefined): string {
  const controlPlanes = Object.keys(config.nodes).filter(
    (name) => config.nodes[name]?.machine_type === "controlplane",
  );
  const remembered = memory?.bootstrap_node;
  const node = remembered !== undefined && controlPlanes.includes(remembered) ? remembered : controlPlanes[0];
  if (node === undefined) throw new Error("there is no control plane");
  return node;
}

function rememberNode(
  config: Config,
  node: Config["nodes"][string],
  schematics: Model["schematics"],
): RememberedNode {
  const { vm_id, host_node, datastore, disk_size, machine_type, ip } = node;
  return {
    vm_id,
    host_node,
    datastore,
    disk_size,
    machine_type,
    ip,
    image: imageOf(config, node.update, schematics),
  };
}

/** The images of the downloads in image.tf. */
function imagesOf(config: Config, schematics: Model["schematics"]): readonly string[] {
  const { update_version, update_schematic_path } = config.image;
  const hasUpdate = update_version !== null || update_schematic_path !== null;
  const updates = [...Object.values(config.nodes).map(({ update }) => update), ...(hasUpdate ? [true] : [])];
  return [...new Set(updates.map((isUpdate) => imageOf(config, isUpdate, schematics)))].sort();
}

/** The image that a machine runs, named as in image.tf. */
function imageOf({ image }: Config, isUpdate: boolean, schematics: Model["schematics"]): string {
  const path = (isUpdate ? image.update_schematic_path : null) ?? image.schematic_path;
  const version = (isUpdate ? image.update_version : null) ?? image.version;
  return [schematics[path]?.id, version, image.platform, image.arch].join("-");
}

function rememberVolume(
  config: Config,
  name: string,
  volume: Complete<Volume>,
  serials: Readonly<Record<string, string>>,
): RememberedVolume {
  const isCsi = volume.type === "proxmox-csi";
  return {
    type: volume.type as RememberedVolume["type"],
    size_mib: sizeMib(volume) ?? 0,
    datastore: volume.type === "directory" ? "" : volume.datastore,
    node: isCsi ? volume.node : "",
    shared: isCsi && isShared(config, volume.datastore),
    format: isCsi ? volume.format : "",
    disk: isCsi ? csiDisk(config, name, volume) : "",
    serial: serials[name] ?? "",
  };
}

/** Whether every Proxmox node sees this datastore. */
export function isShared({ datastores }: Pick<Config, "datastores">, datastore: string): boolean {
  return datastores[datastore]?.shared === true;
}

/** Name of a CSI volume's disk below its datastore. */
export function csiDisk(config: Config, name: string, volume: Complete<Volume>): string {
  const disk = ["vm", volume.vmid, ...(config.env === "" ? [] : [config.env]), name].join("-");
  const isFile = config.datastores[volume.datastore]?.kind === "file";
  return isFile ? `${volume.vmid}/${disk}.${volume.format}` : disk;
}
