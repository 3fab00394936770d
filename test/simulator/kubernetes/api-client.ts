import { Agent, request, type RequestOptions } from "node:https";
import type { IncomingMessage } from "node:http";
import { createInterface } from "node:readline";

/** An object of the Kubernetes API, as far as these tests look into one. */
export interface KubernetesObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly deletionTimestamp?: string;
  };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
  readonly data?: Readonly<Record<string, string>>;
  readonly items?: readonly KubernetesObject[];
}

export interface Connection {
  readonly host: string;
  readonly port: number;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** Speaks to a Kubernetes API by path. */
export class ApiClient {
  readonly #options: RequestOptions;
  readonly #agent: Agent;

  constructor({ host, port, ...credentials }: Connection) {
    this.#agent = new Agent({ keepAlive: true, ...credentials });
    this.#options = { host, port, agent: this.#agent };
  }

  get(path: string): Promise<KubernetesObject> {
    return this.#call("GET", path);
  }

  async list(path: string): Promise<readonly KubernetesObject[]> {
    return (await this.get(path)).items ?? [];
  }

  put(path: string, body: object): Promise<KubernetesObject> {
    return this.#call("PUT", path, body, "application/json");
  }

  /** Creates or changes what is there, field by field. */
  apply(path: string, body: object): Promise<KubernetesObject> {
    const query = "?fieldManager=simulator&force=true";
    return this.#call("PATCH", `${path}${query}`, body, "application/apply-patch+yaml");
  }

  merge(path: string, body: object): Promise<KubernetesObject> {
    return this.#call("PATCH", path, body, "application/merge-patch+json");
  }

  delete(path: string): Promise<KubernetesObject> {
    return this.#call("DELETE", path);
  }

  async isReady(): Promise<boolean> {
    const response = await this.#send("GET", "/readyz");
    response.resume();
    return response.statusCode === 200;
  }

  /** Calls back with each object that exists, is made, changed or deleted, until the connection is closed. */
  async watch(path: string, onObject: (object: KubernetesObject, isGone: boolean) => void): Promise<void> {
    const response = await this.#send("GET", `${path}?watch=true`);
    try {
      for await (const line of createInterface({ input: response })) {
        const { type, object } = JSON.parse(line) as { type: string; object: KubernetesObject };
        if (["ADDED", "MODIFIED", "DELETED"].includes(type)) onObject(object, type === "DELETED");
      }
    } catch {
      // The server went away.
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  async #call(method: string, path: string, body?: object, type?: string): Promise<KubernetesObject> {
    const response = await this.#send(method, path, body, type);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    if ((response.statusCode ?? 0) >= 300)
      throw new Error(`${method} ${path}: ${response.statusCode} ${text}`);
    return JSON.parse(text) as KubernetesObject;
  }

  #send(method: string, path: string, body?: object, type?: string): Promise<IncomingMessage> {
    const headers = type === undefined ? {} : { "content-type": type };
    return new Promise((resolve, reject) => {
      const sent = request({ ...this.#options, method, path, headers }, resolve);
      sent.once("error", reject);
      sent.end(body && JSON.stringify(body));
    });
  }
}
