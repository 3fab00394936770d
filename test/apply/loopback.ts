import { readFileSync } from "node:fs";
import { parse, parseDocument } from "yaml";

/** Where the servers of a world listen. */
export interface Servers {
  readonly endpoint: string;
  readonly factoryUrl?: string;
  /** First half of the addresses of the machines, such as `127.81`: ports are fixed, so each test file has its own. */
  readonly prefix?: string;
}

/** Where a kind of config has what is moved to loopback. */
export interface Places {
  readonly addresses: readonly (readonly string[])[];
  /** Key of the group with endpoint and insecure. */
  readonly proxmox: string;
  readonly factory?: readonly string[];
}

/** The config of a cluster with its servers and machines on loopback, and nothing else changed. */
export function onLoopback(file: string, servers: Servers): string {
  const text = readFileSync(file, "utf8");
  const { nodes = {} } = parse(text) as { nodes?: object };
  const addresses = [
    ["cluster", "gateway"],
    ["cluster", "vip"],
    ...Object.keys(nodes).map((name) => ["nodes", name, "ip"]),
  ];
  return moved(text, { addresses, proxmox: "proxmox", factory: ["image", "factory_url"] }, servers);
}

/** A config with these places moved, and nothing else changed. */
export function moved(text: string, places: Places, { endpoint, factoryUrl, prefix }: Servers): string {
  const document = parseDocument(text);
  const change = (path: readonly string[], map: (text: string) => string): void => {
    if (document.hasIn(path)) document.setIn(path, map(String(document.getIn(path))));
  };
  for (const path of places.addresses)
    if (prefix !== undefined) change(path, (ip) => ip.replace(/^\d+\.\d+/, prefix));
  change([places.proxmox, "endpoint"], (url) => url.replace(/^https:\/\/[^/]+/, endpoint));
  document.setIn([places.proxmox, "insecure"], true);
  if (places.factory !== undefined) document.setIn(places.factory, factoryUrl);
  return document.toString({ lineWidth: 0 });
}

/** The path of a factory that does not stand at the root of its server. */
export function factoryPath(file: string): string {
  const url = parseDocument(readFileSync(file, "utf8")).getIn(["image", "factory_url"]);
  return typeof url === "string" ? new URL(url).pathname.replace(/\/$/, "") : "";
}
