import { readFileSync } from "node:fs";
import { parseDocument } from "yaml";

/** Where the servers of a world listen. */
export interface Servers {
  readonly endpoint: string;
  readonly factoryUrl: string;
  /** First half of the addresses of the machines, such as `127.81`: ports are fixed, so each test file has its own. */
  readonly prefix: string;
}

/** A config with its servers and machines on loopback, and nothing else changed. */
export function onLoopback(file: string, { endpoint, factoryUrl, prefix }: Servers): string {
  const document = parseDocument(readFileSync(file, "utf8"));
  const change = (path: readonly string[], map: (text: string) => string): void => {
    if (document.hasIn(path)) document.setIn(path, map(String(document.getIn(path))));
  };
  const toLoopback = (ip: string) => ip.replace(/^\d+\.\d+/, prefix);
  const { nodes = {} } = document.toJS() as { nodes?: object };
  change(["cluster", "gateway"], toLoopback);
  change(["cluster", "vip"], toLoopback);
  for (const name of Object.keys(nodes)) change(["nodes", name, "ip"], toLoopback);
  change(["proxmox", "endpoint"], (url) => url.replace(/^https:\/\/[^/]+/, endpoint));
  document.setIn(["proxmox", "insecure"], true);
  document.setIn(["image", "factory_url"], factoryUrl);
  return document.toString({ lineWidth: 0 });
}

/** The path of a factory that does not stand at the root of its server. */
export function factoryPath(file: string): string {
  const url = parseDocument(readFileSync(file, "utf8")).getIn(["image", "factory_url"]);
  return typeof url === "string" ? new URL(url).pathname.replace(/\/$/, "") : "";
}
