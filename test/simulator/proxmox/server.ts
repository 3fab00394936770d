import { createServer, type Server } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { authenticate } from "./authentication.ts";
import { Call } from "./call.ts";
import type { Certificate } from "./certificate.ts";
import type { Cluster } from "./cluster.ts";
import type { Faults } from "./faults.ts";
import { Parameters, parseParameters } from "./parameters.ts";
import { Refusal } from "./refusal.ts";
import type { RequestLog } from "./request-log.ts";
import { answer, merge, type Router } from "./router.ts";

/** What the server works with. */
export interface Backend {
  readonly cluster: Cluster;
  readonly router: Router;
  readonly log: RequestLog;
  readonly faults: Faults;
}

interface Outcome {
  readonly status: number;
  readonly data: unknown;
  readonly user: string;
  readonly message?: string;
  readonly errors?: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
}

const prefix = "/api2/json";

/** Listens on a free port of loopback. */
export async function listen(backend: Backend, certificate: Certificate): Promise<Server> {
  const server = createServer({ ...certificate, minVersion: "TLSv1.3" }, (request, response) => {
    void serve(backend, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

async function serve(backend: Backend, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { log, faults } = backend;
  const method = request.method ?? "GET";
  const [path = "", query = ""] = (request.url ?? "").split("?");
  const shown = `${path.replace(prefix, "")}${query === "" ? "" : `?${query}`}`;
  const sent = { method, path: shown, user: "", body: {} };
  const fault = faults.next(method, shown, Buffer.concat(chunks).toString());
  if (fault === "drop" || fault === "error") {
    const text = `simulated failure of ${method} ${shown}`;
    log.add({ ...sent, status: fault === "drop" ? 0 : 500, problems: [text], isInjected: true });
    if (fault === "drop") request.socket.destroy();
    else reply(response, 500, { data: null, message: `${text}\n` }, text);
    return;
  }
  let parameters = new Parameters();
  const outcome = await handle(backend, method, path, request, () => {
    parameters = parseParameters(
      method,
      query,
      request.headers["content-type"],
      Buffer.concat(chunks).toString(),
    );
    return parameters;
  });
  const { status, data, user, message, errors, problems } = outcome;
  log.add({ ...sent, user, body: parameters.toObject(), status, problems, isInjected: fault !== undefined });
  if (fault === "lost") return void request.socket.destroy();
  reply(
    response,
    status,
    { data, ...(errors && { errors }), ...(message && { message: `${message}\n` }) },
    message,
  );
}

async function handle(
  { cluster, router }: Backend,
  method: string,
  path: string,
  request: IncomingMessage,
  read: () => Parameters,
): Promise<Outcome> {
  let user = "";
  cluster.hazards.length = 0;
  try {
    const sent = read();
    if (!path.startsWith(`${prefix}/`)) throw new Refusal(404, `no such file '${path}'`);
    const { route, inPath } = router.find(method, path.slice(prefix.length));
    if (!route.isPublic) user = authenticate(cluster, method, request.headers);
    const call = new Call(cluster, user, merge(inPath, sent));
    const data = await answer(route, call);
    const failed = call.failedTasks.map((text) => `task failed: ${text}`);
    return {
      status: 200,
      data,
      user,
      problems: [...failed, ...cluster.hazards.map((text) => `hazard: ${text}`)],
    };
  } catch (error) {
    const refusal =
      error instanceof Refusal
        ? error
        : new Refusal(500, `internal error: ${String((error as Error).stack)}`);
    const { status, message, errors } = refusal;
    const problems = isPlainNo(cluster, method, message)
      ? []
      : [message, ...(errors ? [JSON.stringify(errors)] : [])];
    return { status, data: null, user, message, ...(errors && { errors }), problems };
  }
}

/**
 * Asking for a VM until it is gone is how clients wait for its end, and asking for a resource of high availability is
 * how they learn that there is none. The server answers with an error all the same.
 */
function isPlainNo(cluster: Cluster, method: string, message: string): boolean {
  const [, vmid] = /qemu-server\/(\d+)\.conf' does not exist$/.exec(message) ?? [];
  const isGone = vmid !== undefined && cluster.destroyed.has(Number(vmid));
  return method === "GET" && (isGone || message.startsWith("no such resource 'vm:"));
}

/** The first line of a message is the reason in the status line, too. */
function reply(response: ServerResponse, status: number, body: unknown, message?: string): void {
  if (message !== undefined) response.statusMessage = message.split("\n")[0]!.replace(/[^\x20-\x7e]/g, "?");
  response.writeHead(status, {
    "content-type": "application/json;charset=UTF-8",
    server: "pve-api-daemon/3.0",
  });
  response.end(JSON.stringify(body));
}
