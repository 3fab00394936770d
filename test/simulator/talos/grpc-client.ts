import { connect, type SecureClientSessionOptions } from "node:http2";
import { codes, type Code } from "./grpc.ts";
import { decode, encode, methods, type Fields } from "./protocol.ts";

export interface Reply {
  readonly code: Code;
  readonly message: string;
  /** The first message of the response. */
  readonly fields: Fields | undefined;
}

/** Calls a method of a node, over a connection of its own. Fails if there is none to be had. */
export function call(
  ip: string,
  path: string,
  request: Fields = {},
  tls: SecureClientSessionOptions = {},
  headers: Readonly<Record<string, string | string[]>> = {},
): Promise<Reply> {
  const session = connect(`https://${ip}:50000`, { rejectUnauthorized: tls.ca !== undefined, ...tls });
  const reply = new Promise<Reply>((resolve, reject) => {
    session.once("error", reject);
    const stream = session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      ...headers,
    });
    const status: Record<string, unknown> = {};
    const chunks: Buffer[] = [];
    stream.on("response", (received) => Object.assign(status, received));
    stream.on("trailers", (received) => Object.assign(status, received));
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.once("error", reject);
    stream.once("close", () => {
      if (status["grpc-status"] === undefined) return reject(new Error("the connection was closed"));
      const code = Object.entries(codes).find(([, number]) => String(number) === status["grpc-status"])?.[0];
      const message = decodeURIComponent(String(status["grpc-message"] ?? ""));
      const body = Buffer.concat(chunks);
      const type = methods[path]?.response ?? "Empty";
      const fields = body.length < 5 ? undefined : decode(type, body.subarray(5, 5 + body.readUInt32BE(1)));
      resolve({ code: (code ?? "Unknown") as Code, message, fields });
    });
    const message = encode(methods[path]?.request ?? "Empty", request);
    const prefix = Buffer.alloc(5);
    prefix.writeUInt32BE(message.length, 1);
    stream.end(Buffer.concat([prefix, message]));
  });
  return reply.finally(() => session.destroy());
}
