import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { canonical, schematicId } from "./schematic-id.ts";

export interface FactoryRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const platformFile = /^[a-z0-9]+-(amd64|arm64)(-secureboot)?\.(raw|qcow2|iso|vmdk|vhd|ova)(\.(gz|xz|zst))?$/;

/** A stand-in of the Image Factory: it registers schematics, and has images of those only. */
export class ImageFactory {
  readonly requests: FactoryRequest[] = [];
  readonly #schematics = new Map<string, string>();
  readonly #path: string;
  readonly #server: Server;

  private constructor(path: string) {
    this.#path = path;
    this.#server = createServer((request, response) => {
      void this.#answer(request).then(({ status, type, body }) => {
        this.requests.push({ method: request.method ?? "", path: request.url ?? "", status });
        response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body) });
        response.end(request.method === "HEAD" ? undefined : body);
      });
    });
  }

  /** Below a path of its server, such as `/talos`, if one is given. */
  static async start(path = ""): Promise<ImageFactory> {
    const factory = new ImageFactory(path);
    await new Promise<void>((resolve) => factory.#server.listen(0, "127.0.0.1", resolve));
    return factory;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${this.#path}`;
  }

  /** The ids that were registered. */
  get schematics(): readonly string[] {
    return [...this.#schematics.keys()];
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const asked = request.url ?? "";
    const path = asked.startsWith(`${this.#path}/`) ? asked.slice(this.#path.length) : "";
    const isReading = request.method === "GET" || request.method === "HEAD";
    if (request.method === "POST" && path === "/schematics")
      return this.#register(await read(request), request);
    const [, schematic] = /^\/schematics\/([^/]+)$/.exec(path) ?? [];
    if (isReading && schematic !== undefined) return this.#show(schematic);
    const [, id, version, file] = /^\/image\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
    if (isReading && id !== undefined) return this.#image(id, version ?? "", file ?? "");
    return refusal(404, "404 page not found");
  }

  #register(source: string, { headers }: IncomingMessage): Answer {
    try {
      // The provider sends the factory's own text, made by the factory's own code; it needs no reading to be hashed.
      const isCanonical = headers["user-agent"]?.startsWith("Go-http-client") ?? false;
      const schematic = isCanonical ? source : canonical(source);
      const id = schematicId(schematic);
      this.#schematics.set(id, schematic);
      return { status: 201, type: "application/json", body: JSON.stringify({ id, schematic }) };
    } catch (error) {
      return refusal(400, `yaml: ${(error as Error).message}`);
    }
  }

  #show(id: string): Answer {
    const body = this.#schematics.get(id);
    return body === undefined
      ? refusal(404, "schematic not found")
      : { status: 200, type: "application/yaml", body };
  }

  #image(id: string, version: string, file: string): Answer {
    if (!this.#schematics.has(id)) return refusal(404, "schematic not found");
    if (/\.sha(256|512)$/.test(file)) return refusal(402, "checksums need the enterprise edition");
    if (!/^v\d+\.\d+\.\d+/.test(version)) return refusal(400, `invalid version: ${version}`);
    if (!platformFile.test(file)) return refusal(400, `invalid profile: ${file}`);
    return { status: 200, type: "application/octet-stream", body: `image ${id} ${version} ${file}\n` };
  }
}

const refusal = (status: number, body: string): Answer => ({ status, type: "text/plain", body: `${body}\n` });

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
