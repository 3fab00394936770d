import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { selfSigned } from "./certificate.ts";

/** A VM that is there before the plan. */
export interface ExistingVm {
  readonly vmid: number;
  readonly name: string;
  readonly node: string;
  /** Joined by semicolons, as Proxmox has them. */
  readonly tags: string;
  /** Given for a template. */
  readonly template?: 1;
}

export interface ProxmoxStub {
  readonly endpoint: string;
  /** May be changed between plans. */
  vms: readonly ExistingVm[];
  /** Names of the files in each datastore, of content type import. */
  files: readonly string[];
  /** What was asked, as "GET /path". */
  readonly requests: string[];
  close(): void;
}

/** A Proxmox that answers what a plan asks, the lists of VMs and images, and nothing else; it lets everybody in. */
export async function startProxmoxStub(): Promise<ProxmoxStub> {
  const nodes = ["pve1", "pve2", "pve3"];
  const ticket = { username: "root@pam", ticket: "PVE:root@pam:stub", CSRFPreventionToken: "stub" };
  const requests: string[] = [];
  const server = createServer(selfSigned(), (request, response) => {
    const path = (request.url ?? "").replace(/\?.*/, "");
    requests.push(`${request.method} ${path}`);
    const isLogin = request.method === "POST" && path === "/api2/json/access/ticket";
    const data = isLogin ? ticket : request.method === "GET" ? answer(path) : undefined;
    response.statusCode = data === undefined ? 501 : 200;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ data: data ?? null }));
  });
  const stub: ProxmoxStub = { endpoint: "", vms: [], files: [], requests, close: () => server.close() };
  const answer = (path: string): unknown => {
    if (path === "/api2/json/nodes") return nodes.map((node) => ({ node, status: "online" }));
    const store = /^\/api2\/json\/nodes\/[^/]+\/storage\/([^/]+)\/content$/.exec(path)?.[1];
    if (store !== undefined)
      return stub.files.map((name) => ({
        volid: `${store}:import/${name}`,
        content: "import",
        format: "qcow2",
        size: 1,
      }));
    const node = /^\/api2\/json\/nodes\/([^/]+)\/qemu$/.exec(path)?.[1];
    if (node === undefined) return undefined;
    return stub.vms.filter((vm) => vm.node === node).map((vm) => ({ ...vm, status: "running" }));
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return Object.assign(stub, { endpoint: `https://127.0.0.1:${(server.address() as AddressInfo).port}` });
}
