import { request } from "node:https";

export interface Answer {
  readonly status: number;
  readonly reason: string;
  readonly data: unknown;
  readonly errors?: Readonly<Record<string, string>>;
  readonly message?: string;
}

export interface Asked {
  readonly method: string;
  /** Without `/api2/json/`. */
  readonly path: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Sent as JSON instead of as a form. */
  readonly isJson?: boolean;
}

/** Asks a server with a self-signed certificate, as the providers do. */
export function ask(
  endpoint: string,
  headers: Readonly<Record<string, string>>,
  asked: Asked,
): Promise<Answer> {
  const { method, path, parameters = {}, isJson = false } = asked;
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    for (const item of Array.isArray(value) ? value : [value]) form.append(name, String(item));
  const isQuery = !isJson && (method === "GET" || method === "DELETE");
  const query = isQuery && form.size > 0 ? `?${form}` : "";
  const body = isQuery ? "" : isJson ? JSON.stringify(parameters) : form.toString();
  const type = isJson ? "application/json" : "application/x-www-form-urlencoded";
  return new Promise((resolve, reject) => {
    const sending = request(
      `${endpoint}/api2/json/${path}${query}`,
      {
        method,
        rejectUnauthorized: false,
        agent: false,
        headers: {
          ...headers,
          ...(body === "" ? {} : { "content-type": type, "content-length": Buffer.byteLength(body) }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const text = JSON.parse(Buffer.concat(chunks).toString()) as Answer;
          resolve({ ...text, status: response.statusCode ?? 0, reason: response.statusMessage ?? "" });
        });
      },
    );
    sending.on("error", reject);
    sending.end(body);
  });
}
