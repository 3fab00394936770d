import type { Call } from "./call.ts";
import { flag, nodeName, optional, storageId, text } from "./formats.ts";
import { failure, invalid } from "./refusal.ts";
import type { Route } from "./router.ts";
import { isFileBased, lookUp, pathOf, storageOn } from "./storage.ts";
import { runTask } from "./tasks.ts";
import { insist } from "./volume-access.ts";

const url = { pattern: /^https?:\/\/.*$/ };
const algorithms = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"];
const endings: Readonly<Record<string, RegExp>> = {
  iso: /^[^/]+\.(iso|img)$/i,
  vztmpl: /^[^/]+\.tar\.(gz|xz|zst|bz2)$/i,
  import: /^[A-Za-z0-9.+=_-]+\.(ova|qcow2|raw|vmdk)$/,
};

/** Asking the network in the node's name takes a privilege of its own. */
function mayProbe(call: Call): void {
  insist(call.may("/", "Sys.Audit", "Sys.Modify") || call.may(`/nodes/${call.node}`, "Sys.AccessNetwork"));
}

async function download(call: Call): Promise<string> {
  const { cluster, node } = call;
  const [content, fileName, address] = [call.need("content"), call.need("filename"), call.need("url")];
  const storage = storageOn(cluster, call.need("storage"), node);
  if (!isFileBased(storage))
    throw failure(`can't upload to storage type '${storage.type}', not a file based storage!`);
  if (!storage.content.includes(content))
    throw failure(`storage '${storage.id}' is not configured for content-type '${content}'`);
  if (!endings[content]!.test(fileName))
    throw invalid({
      filename: content === "import" ? "invalid filename or wrong extension" : "wrong file extension",
    });
  const name = `${content}/${fileName}`;
  return runTask(call, node, "download", fileName, async () => {
    if (call.get("compression") !== undefined && content !== "iso")
      throw failure(`decompression not supported for ${content}`);
    if (lookUp(cluster, node, `${storage.id}:${name}`))
      throw failure(`refusing to override existing file '${pathOf(storage, name)}'`);
    const image = await cluster.resolve(address);
    if (image === undefined) throw failure(`download failed: 404 Not Found: ${address}`);
    cluster.volumes.add({
      storage: storage.id,
      node: storage.isShared ? undefined : node,
      name,
      content,
      format: content === "import" ? fileName.slice(fileName.lastIndexOf(".") + 1) : content,
      owner: undefined,
      sizeBytes: image.size,
      virtualSizeBytes: image.virtualSize ?? image.size,
    });
  });
}

export const downloadRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "nodes/{node}/query-url-metadata",
    parameters: { node: nodeName, url, "verify-certificates": optional(flag) },
    allow: mayProbe,
    answer: async (call) => {
      const address = call.need("url");
      const image = await call.cluster.resolve(address);
      if (image === undefined) throw invalid({ url: "invalid server response: '404 Not Found'" });
      const filename = new URL(address).pathname.split("/").pop();
      return { filename, mimetype: "application/octet-stream", size: image.size };
    },
  },
  {
    method: "POST",
    path: "nodes/{node}/storage/{storage}/download-url",
    parameters: {
      node: nodeName,
      storage: storageId,
      url,
      content: { values: ["iso", "vztmpl", "import"] },
      filename: { ...text, maxLength: 255 },
      checksum: optional({ ...text, requires: "checksum-algorithm" }),
      "checksum-algorithm": optional({ values: algorithms, requires: "checksum" }),
      compression: optional({ values: ["gz", "lzo", "zst", "bz2"] }),
      "verify-certificates": optional(flag),
    },
    allow: (call) => {
      call.check(`/storage/${call.need("storage")}`, "Datastore.AllocateTemplate");
      mayProbe(call);
    },
    answer: download,
  },
];
