import type { Call } from "./call.ts";
import type { Cluster } from "./cluster.ts";
import { Parameters } from "./parameters.ts";
import { failure, invalid, Refusal } from "./refusal.ts";
import { verify, type Schema } from "./schema.ts";

/** An endpoint. A request passes `allow`, then its parameters are verified, then it is answered: the server's order. */
export interface Route {
  readonly method: "DELETE" | "GET" | "POST" | "PUT";
  /** `{name}` stands for one part of the path, `{name...}` for all the rest of it. */
  readonly path: string;
  /** Those in the path included. */
  readonly parameters: Schema;
  readonly allow?: (call: Call) => void;
  readonly answer: (call: Call) => unknown;
  readonly isPublic?: boolean;
}

interface Match {
  readonly route: Route;
  readonly inPath: ReadonlyMap<string, string>;
}

export class Router {
  readonly #routes: readonly { readonly route: Route; readonly parts: readonly string[] }[];

  constructor(routes: readonly Route[]) {
    this.#routes = routes.map((route) => ({ route, parts: route.path.split("/") }));
  }

  /** Works on the path as it was sent: an escaped slash does not separate. */
  find(method: string, path: string): Match {
    const parts = path.split("/").filter((part) => part !== "");
    for (const { route, parts: pattern } of this.#routes) {
      if (route.method !== method) continue;
      const inPath = match(pattern, parts);
      if (inPath !== undefined) return { route, inPath };
    }
    throw new Refusal(501, `Method '${method} /${parts.join("/")}' not implemented`);
  }
}

/** What came in the path and what came beside it; a name in both must have one value. */
export function merge(inPath: ReadonlyMap<string, string>, sent: Parameters): Parameters {
  const merged = new Parameters();
  for (const [name, value] of inPath) merged.add(name, value);
  for (const name of sent.names) {
    if (!inPath.has(name)) for (const value of sent.all(name)) merged.add(name, value);
    else if (sent.all(name).some((value) => value !== inPath.get(name)))
      throw invalid({ [name]: "duplicate parameter (already defined in URI) with conflicting values!" });
  }
  return merged;
}

export async function answer(route: Route, call: Call): Promise<unknown> {
  if (!route.isPublic) {
    route.allow?.(call);
    if (route.path.startsWith("nodes/{node}")) findNode(call.cluster, call.node);
  }
  verify(route.parameters, call.parameters);
  return (await route.answer(call)) ?? null;
}

export function findNode(cluster: Cluster, node: string): void {
  if (!cluster.nodes.has(node))
    throw failure(
      `hostname lookup '${node}' failed - failed to get address info for: ${node}: Name or service not known`,
    );
}

function match(
  pattern: readonly string[],
  parts: readonly string[],
): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>();
  for (const [index, expected] of pattern.entries()) {
    const rest = /^\{(\w+)\.\.\.\}$/.exec(expected)?.[1];
    if (rest !== undefined && index < parts.length)
      return found.set(rest, parts.slice(index).map(decodeURIComponent).join("/"));
    const part = parts[index];
    if (part === undefined) return undefined;
    const name = /^\{(\w+)\}$/.exec(expected)?.[1];
    if (name !== undefined) found.set(name, decodeURIComponent(part));
    else if (part !== expected) return undefined;
  }
  return parts.length === pattern.length ? found : undefined;
}
