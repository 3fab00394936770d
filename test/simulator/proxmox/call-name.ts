import type { LoggedRequest } from "./request-log.ts";
import { gib } from "./sizes.ts";

type Request = Pick<LoggedRequest, "method" | "path" | "body">;

/**
 * A request with the names in its body: ids, file names, the keys of a VM's config, and the size that a disk gets. The
 * query is left out, and of a task's id all but its type and its VM: `GET /nodes/pve1/tasks/qmcreate:142/status`.
 */
export function named({ method, path, body }: Request): string {
  const keys = Object.keys(body).sort();
  const shown = (wanted: readonly string[]) =>
    keys.filter((key) => wanted.includes(key)).map((key) => `${key}=${body[key]}`);
  const words = path.endsWith("/config")
    ? keys.map((key) => (key === "delete" ? `delete=${body[key]}` : key))
    : path.endsWith("/resize")
      ? [...shown(["disk"]), `size=${Number(body["size"]) / gib}G`]
      : shown(path.endsWith("/qemu") ? ["vmid"] : ["filename", "newid", "roleid", "userid"]);
  const plain = path
    .replace(/\?.*/, "")
    .replace(/\/UPID:(?:[^:/]*:){4}([^:/]*):([^:/]*):[^/]*/, (_, type: string, id: string) =>
      /^\d+$/.test(id) ? `/${type}:${id}` : `/${type}`,
    );
  return [method, plain, ...words].join(" ");
}

/** What a call of this name looks like to `failCall`. Of the words after its path, the first counts. */
export function pattern(name: string): RegExp {
  const [method = "", path = "", word] = name.split(" ");
  const onWire = escaped(path).replace(/\/tasks\/([^/]+)\//, "/tasks/UPID:[^/]*:$1:[^/]*/");
  return new RegExp(`^${method} ${onWire}(?:\\?\\S*)? ${word === undefined ? "" : `.*\\b${sent(word)}\\b`}`);
}

/** A word in a body, which is a form or JSON. */
function sent(word: string): string {
  const [key = "", value] = word.split("=");
  if (value === undefined) return escaped(key);
  return `${escaped(key)}["=:]+(?:${escaped(value)}|${escaped(encodeURIComponent(value))})`;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
