import { get, post, put, remove, unknownProperty, volumes, type Rule } from "./rule.ts";

const block = "nodes/pve1/storage/local-zfs/content";
const files = "nodes/pve1/storage/files/content";
const raw = { vmid: 9999, filename: "vm-9999-a", size: "1G", format: "raw" };
const file = { ...raw, filename: "vm-9999-a.raw" };
const download = {
  content: "import",
  filename: "new.qcow2",
  url: "https://factory.test/image/known/x.qcow2",
};
const downloadTo = (storage: string, more: object = {}) =>
  post(`nodes/pve1/storage/${storage}/download-url`, { ...download, ...more });
const sizeOf =
  (volid: string) =>
  (simulator: {
    readonly cluster: {
      readonly volumes: Iterable<{
        readonly storage: string;
        readonly name: string;
        readonly sizeBytes: number;
      }>;
    };
  }) =>
    [...simulator.cluster.volumes].find(({ storage, name }) => `${storage}:${name}` === volid)?.sizeBytes;

/** Volumes and downloads. */
export const storageRules: readonly Rule[] = [
  {
    rule: "a block volume is called as it was asked for",
    request: { ...post(block, raw), isJson: true },
    status: 200,
    data: "local-zfs:vm-9999-a",
    leaves: [sizeOf("local-zfs:vm-9999-a"), 2 ** 30],
  },
  {
    rule: "a file is in the folder of its id",
    request: post(files, file),
    status: 200,
    data: "files:9999/vm-9999-a.raw",
  },
  {
    rule: "a trailing slash is nothing",
    request: post(`${block}/`, raw),
    status: 200,
    data: "local-zfs:vm-9999-a",
  },
  {
    rule: "a plain number counts KiB",
    request: post(block, { ...raw, size: 2048 }),
    status: 200,
    leaves: [sizeOf("local-zfs:vm-9999-a"), 2 ** 21],
  },
  {
    rule: "M counts MiB",
    request: post(block, { ...raw, size: "3M" }),
    status: 200,
    leaves: [sizeOf("local-zfs:vm-9999-a"), 3 * 2 ** 20],
  },
  {
    rule: "ZFS rounds up to whole MiB",
    request: post(block, { ...raw, size: 1025 }),
    status: 200,
    leaves: [sizeOf("local-zfs:vm-9999-a"), 2 ** 21],
  },
  {
    rule: "LVM rounds up to 4 MiB",
    request: post("nodes/pve1/storage/local-lvm/content", { ...raw, size: "5M" }),
    status: 200,
    leaves: [sizeOf("local-lvm:vm-9999-a"), 8 * 2 ** 20],
  },
  ...["10Gi", "10GB", "1T", "1.5G", "-1"].map((size): Rule => ({
    rule: `${size} is no size of a volume`,
    request: post(block, { ...raw, size }),
    status: 400,
    errors: { size: "value does not match the regex pattern" },
  })),
  {
    rule: "a volume is named for its VM id",
    request: post(block, { ...raw, filename: "vm-9998-a" }),
    status: 500,
    message: "illegal name 'vm-9998-a' - should be 'vm-9999-*'",
  },
  {
    rule: "a file needs an ending",
    request: post(files, raw),
    status: 500,
    message: "unable to parse volume filename 'vm-9999-a'",
  },
  {
    rule: "ending and format are one",
    request: post(files, { ...file, format: "qcow2" }),
    status: 400,
    errors: { format: "different storage formats (qcow2 != raw)" },
  },
  {
    rule: "ZFS has no qcow2",
    request: post(block, { ...raw, format: "qcow2" }),
    status: 500,
    message: "unsupported format 'qcow2'",
  },
  {
    rule: "a ZFS volume that exists is refused",
    after: [post(block, raw)],
    request: post(block, raw),
    status: 500,
    message: "zfs error: cannot create 'rpool/local-zfs/vm-9999-a': dataset already exists",
  },
  {
    rule: "an LVM volume that exists is refused",
    after: [post("nodes/pve1/storage/local-lvm/content", raw)],
    request: post("nodes/pve1/storage/local-lvm/content", raw),
    status: 500,
    message: `lvcreate 'local-lvm/vm-9999-a' error: Logical Volume "vm-9999-a" already exists in volume group "local-lvm"`,
  },
  {
    rule: "a file that exists is refused",
    after: [post(files, file)],
    request: post(files, file),
    status: 500,
    message: "disk image '/mnt/pve/files/images/9999/vm-9999-a.raw' already exists",
  },
  {
    rule: "other nodes have other local volumes",
    after: [post(block, raw)],
    request: post("nodes/pve2/storage/local-zfs/content", raw),
    status: 200,
    data: "local-zfs:vm-9999-a",
  },
  {
    rule: "a shared volume is one for all nodes",
    after: [post("nodes/pve1/storage/nas/content", file)],
    request: post("nodes/pve2/storage/nas/content", file),
    status: 500,
    message: "disk image '/mnt/pve/nas/images/9999/vm-9999-a.raw' already exists",
  },
  {
    rule: "an unknown storage is refused",
    request: post("nodes/pve1/storage/nowhere/content", raw),
    status: 500,
    message: "storage 'nowhere' does not exist",
  },
  {
    rule: "a storage of another node is refused",
    request: post("nodes/pve2/storage/solo/content", raw),
    status: 500,
    message: "storage 'solo' is not available on node 'pve2'",
  },
  {
    rule: "allocating takes Datastore.AllocateSpace",
    without: ["Datastore.AllocateSpace"],
    request: post(block, raw),
    status: 403,
    message: "Permission check failed (/storage/local-zfs, Datastore.AllocateSpace)",
  },
  {
    rule: "other parameters are refused",
    request: post(block, { ...raw, storageclass: "fast" }),
    status: 400,
    errors: { storageclass: unknownProperty },
  },
  {
    rule: "a volume is read with its path",
    after: [post(block, raw)],
    request: get(`${block}/local-zfs:vm-9999-a`),
    status: 200,
    data: { path: "/dev/zvol/rpool/local-zfs/vm-9999-a", size: 2 ** 30, used: 2 ** 30, format: "raw" },
  },
  {
    rule: "an escaped slash is part of the id",
    after: [post(files, file)],
    request: get(`${files}/files:9999%2Fvm-9999-a.raw`),
    status: 200,
    data: { path: "/mnt/pve/files/images/9999/vm-9999-a.raw", size: 2 ** 30, used: 2 ** 30, format: "raw" },
  },
  {
    rule: "a plain slash is, too",
    after: [post(files, file)],
    request: get(`${files}/files:9999/vm-9999-a.raw`),
    status: 200,
    data: { path: "/mnt/pve/files/images/9999/vm-9999-a.raw", size: 2 ** 30, used: 2 ** 30, format: "raw" },
  },
  {
    rule: "a missing ZFS volume is no 404",
    request: get(`${block}/local-zfs:vm-9999-a`),
    status: 500,
    message: "zfs error: cannot open 'rpool/local-zfs/vm-9999-a': dataset does not exist",
  },
  {
    rule: "a missing file is no 404",
    request: get(`${files}/files:9999%2Fvm-9999-a.raw`),
    status: 500,
    message: "volume_size_info on 'files:9999/vm-9999-a.raw' failed - no format",
  },
  {
    rule: "the id of another storage is refused",
    request: get(`${block}/files:9999%2Fvm-9999-a.raw`),
    status: 400,
    errors: { volume: "storage ID mismatch (files != local-zfs)" },
  },
  {
    rule: "reading a foreign volume takes rights to its VM",
    without: ["Datastore.Allocate", "VM.Config.Disk"],
    request: get(`${block}/local-zfs:vm-100-disk-0`),
    status: 403,
    message: "Permission check failed (/vms/100, VM.Config.Disk)",
  },
  {
    rule: "a volume has no notes",
    request: put(`${block}/local-zfs:vm-100-disk-0`, { notes: "mine" }),
    status: 500,
    message: "attribute is not supported for volume 'local-zfs:vm-100-disk-0'",
  },
  {
    rule: "a volume is freed in a task",
    after: [post(files, file)],
    request: remove(`${files}/files:9999%2Fvm-9999-a.raw`),
    status: 200,
    task: "OK",
    leaves: [volumes(9999), []],
  },
  {
    rule: "freeing takes Datastore.Allocate",
    without: ["Datastore.Allocate"],
    request: remove(`${block}/local-zfs:vm-100-disk-0`),
    status: 403,
    message: "Permission check failed (/storage/local-zfs, Datastore.Allocate)",
  },
  {
    rule: "a volume that runs is busy",
    request: remove(`${block}/local-zfs:vm-1000-disk-0`),
    status: 200,
    task: "zfs error: cannot destroy 'rpool/local-zfs/vm-1000-disk-0': dataset is busy",
    leaves: [volumes(1000), ["local-zfs:vm-1000-disk-0"]],
  },
  {
    rule: "content is listed by type",
    request: get("nodes/pve1/storage/local/content", { content: "import" }),
    status: 200,
    data: [{ volid: "local:import/talos.qcow2", content: "import", format: "qcow2", size: 1000 }],
  },
  {
    rule: "and by node",
    request: get("nodes/pve2/storage/local/content", { content: "import" }),
    status: 200,
    data: [],
  },
  {
    rule: "metadata comes from the address",
    request: get("nodes/pve1/query-url-metadata", { url: download.url }),
    status: 200,
    data: { filename: "x.qcow2", mimetype: "application/octet-stream", size: 1000 },
  },
  {
    rule: "there is none for an unknown schematic",
    request: get("nodes/pve1/query-url-metadata", { url: "https://factory.test/image/unknown/x.qcow2" }),
    status: 400,
    errors: { url: "invalid server response: '404 Not Found'" },
  },
  {
    rule: "asking takes rights to the network",
    without: ["Sys.Modify", "Sys.AccessNetwork"],
    request: get("nodes/pve1/query-url-metadata", { url: download.url }),
    status: 403,
    message: "Permission check failed",
  },
  {
    rule: "an image is downloaded in a task",
    request: downloadTo("local"),
    status: 200,
    task: "OK",
    leaves: [sizeOf("local:import/new.qcow2"), 1000],
  },
  {
    rule: "an unknown schematic fails the task",
    request: downloadTo("local", { url: "https://factory.test/image/unknown/x.qcow2" }),
    status: 200,
    task: "download failed: 404 Not Found: https://factory.test/image/unknown/x.qcow2",
  },
  {
    rule: "an existing file is not overwritten",
    request: downloadTo("local", { filename: "talos.qcow2" }),
    status: 200,
    task: "refusing to override existing file '/var/lib/vz/import/talos.qcow2'",
  },
  {
    rule: "decompression is for ISO images",
    request: downloadTo("local", { compression: "gz" }),
    status: 200,
    task: "decompression not supported for import",
  },
  {
    rule: "a storage takes the content that it is set up for",
    request: downloadTo("files"),
    status: 500,
    message: "storage 'files' is not configured for content-type 'import'",
  },
  {
    rule: "a block storage takes no files",
    request: downloadTo("local-zfs"),
    status: 500,
    message: "can't upload to storage type 'zfspool', not a file based storage!",
  },
  {
    rule: "an image to import has one of four endings",
    request: downloadTo("local", { filename: "talos.raw.xz" }),
    status: 400,
    errors: { filename: "invalid filename or wrong extension" },
  },
  {
    rule: "an ISO image has one of two",
    request: downloadTo("local", { content: "iso", filename: "talos.qcow2" }),
    status: 400,
    errors: { filename: "wrong file extension" },
  },
  {
    rule: "other content is not downloaded",
    request: downloadTo("local", { content: "images" }),
    status: 400,
    errors: { content: "value 'images' does not have a value in the enumeration 'iso, vztmpl, import'" },
  },
  {
    rule: "downloading takes Datastore.AllocateTemplate",
    without: ["Datastore.AllocateTemplate"],
    request: downloadTo("local"),
    status: 403,
    message: "Permission check failed (/storage/local, Datastore.AllocateTemplate)",
  },
];
