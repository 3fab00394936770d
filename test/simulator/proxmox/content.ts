import { allocate, free } from "./allocation.ts";
import type { Call } from "./call.ts";
import type { Volume } from "./cluster.ts";
import { flag, nodeName, optional, storageId, text, vmid } from "./formats.ts";
import { failure, invalid } from "./refusal.ts";
import type { Route } from "./router.ts";
import { gib, kib, mib } from "./sizes.ts";
import {
  findStorage,
  findVolume,
  parseVolumeId,
  parseVolumeName,
  pathOf,
  storageOn,
  volumeId,
} from "./storage.ts";
import { runTask } from "./tasks.ts";
import { checkVolumeAccess, mayReadVolume } from "./volume-access.ts";

/** `nodes/{node}/storage/{storage}/content`: volumes, one by one. */
const place = { node: nodeName, storage: storageId };
const one = { ...place, volume: text };
const contentTypes = ["images", "rootdir", "vztmpl", "iso", "backup", "snippets", "import"];

/** The name may be given with or without its storage. */
function wholeId(call: Call): string {
  const [storage, volume] = [call.need("storage"), call.need("volume")];
  if (!volume.includes(":")) return `${storage}:${volume}`;
  const id = parseVolumeId(volume);
  if (id === undefined) throw invalid({ volume: `unable to parse volume ID '${volume}'` });
  if (id.storage !== storage) throw invalid({ volume: `storage ID mismatch (${id.storage} != ${storage})` });
  return volume;
}

function list(call: Call): readonly unknown[] {
  const storage = storageOn(call.cluster, call.need("storage"), call.node);
  const [content, owner] = [call.get("content"), call.get("vmid")];
  return [...call.cluster.volumes]
    .filter((volume) => volume.storage === storage.id)
    .filter((volume) => volume.node === undefined || volume.node === call.node)
    .filter((volume) => content === undefined || volume.content === content)
    .filter((volume) => owner === undefined || volume.owner === Number(owner))
    .filter((volume) => mayReadVolume(call, volumeId(volume)))
    .map(describe);
}

const describe = (volume: Volume): unknown => ({
  volid: volumeId(volume),
  content: volume.content,
  format: volume.format,
  size: volume.sizeBytes,
  ...(volume.owner === undefined ? {} : { vmid: volume.owner }),
});

/** A plain number counts KiB. */
function sizeInBytes(size: string): number {
  const number = Number(/^\d+/.exec(size)?.[0]);
  return number * (size.endsWith("G") ? gib : size.endsWith("M") ? mib : kib);
}

function create(call: Call): string {
  const fileName = call.need("filename");
  const ending = /\.(raw|qcow2|vmdk)$/.exec(fileName)?.[1];
  const format = call.get("format");
  if (ending !== undefined && format !== undefined && format !== ending)
    throw invalid({ format: `different storage formats (${format} != ${ending})` });
  const size = sizeInBytes(call.need("size"));
  const { cluster, node, vmid } = call;
  return volumeId(allocate(cluster, node, call.need("storage"), vmid, ending ?? format, fileName, size));
}

function remove(call: Call): Promise<string> {
  const volid = wholeId(call);
  const storage = findStorage(call.cluster, call.need("storage"));
  const { owner } = parseVolumeName(storage, volid.slice(volid.indexOf(":") + 1));
  call.check(`/storage/${storage.id}`, "Datastore.Allocate");
  const id = `${owner === undefined ? "" : `${owner}@`}${storage.id}`;
  return runTask(call, call.node, "imgdel", id, () => free(call.cluster, call.node, volid));
}

export const contentRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "nodes/{node}/storage/{storage}/content",
    parameters: { ...place, content: optional({ values: contentTypes }), vmid: optional(vmid) },
    allow: (call) =>
      call.checkAny(`/storage/${call.need("storage")}`, "Datastore.Audit", "Datastore.AllocateSpace"),
    answer: list,
  },
  {
    method: "POST",
    path: "nodes/{node}/storage/{storage}/content",
    parameters: {
      ...place,
      filename: text,
      vmid,
      size: { pattern: /^\d+[MG]?$/ },
      format: optional({ values: ["raw", "qcow2", "subvol", "vmdk"], requires: "size" }),
    },
    allow: (call) => call.check(`/storage/${call.need("storage")}`, "Datastore.AllocateSpace"),
    answer: create,
  },
  {
    method: "GET",
    path: "nodes/{node}/storage/{storage}/content/{volume...}",
    parameters: one,
    answer: (call) => {
      const volid = wholeId(call);
      checkVolumeAccess(call, undefined, volid);
      const { sizeBytes, format, name, storage } = findVolume(call.cluster, call.node, volid);
      if (sizeBytes === 0) throw failure(`volume '${volid}' has size zero`);
      const path = pathOf(findStorage(call.cluster, storage), name);
      return { path, size: sizeBytes, used: sizeBytes, format };
    },
  },
  {
    method: "PUT",
    path: "nodes/{node}/storage/{storage}/content/{volume...}",
    parameters: { ...one, notes: optional(text), protected: optional(flag) },
    answer: (call) => {
      const volid = wholeId(call);
      checkVolumeAccess(call, undefined, volid);
      if (call.get("notes") !== undefined || call.get("protected") !== undefined)
        throw failure(`attribute is not supported for volume '${volid}'`);
      return null;
    },
  },
  {
    method: "DELETE",
    path: "nodes/{node}/storage/{storage}/content/{volume...}",
    parameters: { ...one, delay: optional({ type: "integer", minimum: 1, maximum: 30 }) },
    answer: remove,
  },
];
