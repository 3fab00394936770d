import type { Http2SecureServer, IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import { gunzipSync } from "node:zlib";

export const codes = {
  OK: 0,
  Unknown: 2,
  InvalidArgument: 3,
  NotFound: 5,
  AlreadyExists: 6,
  PermissionDenied: 7,
  FailedPrecondition: 9,
  Unimplemented: 12,
  Internal: 13,
  Unavailable: 14,
} as const;

export type Code = keyof typeof codes;

/** A refusal, as the client sees it. */
export class Refusal extends Error {
  readonly code: Code;

  constructor(code: Code, message: string) {
    super(message);
    this.code = code;
  }
}

export interface Call {
  readonly path: string;
  readonly body: Buffer;
  /** The addresses of the header `nodes`, or of `node`. */
  readonly nodes: readonly string[];
  /** Whether each answer has to say whose it is, as it does for `nodes`. */
  readonly isForMany: boolean;
  /** Settled when the client has gone or has its answer. */
  readonly ended: Promise<void>;
}

/** Answers with any number of encoded messages, or throws a refusal. */
export type Answer = (call: Call) => AsyncIterable<Buffer>;

/** Serves gRPC, without the library: frames of five bytes and a body, the status in the trailers. */
export function serve(server: Http2SecureServer, answer: Answer): void {
  server.on("stream", (stream, headers) => {
    stream.on("error", () => undefined); // The client went away.
    void respond(stream, headers, answer);
  });
}

async function respond(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  answer: Answer,
): Promise<void> {
  const ended = new Promise<void>((resolve) => stream.once("close", resolve));
  try {
    const body = unframe(await read(stream));
    const many = addresses(headers["nodes"]);
    const nodes = many.length > 0 ? many : addresses(headers["node"]);
    const call = { path: headers[":path"] ?? "", body, nodes, isForMany: many.length > 0, ended };
    for await (const message of answer(call)) {
      if (stream.destroyed) return;
      if (!stream.headersSent) start(stream);
      stream.write(frame(message));
    }
    finish(stream, "OK", "");
  } catch (error) {
    if (error instanceof Refusal) finish(stream, error.code, error.message);
    else finish(stream, "Internal", error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

function start(stream: ServerHttp2Stream): void {
  stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
}

function finish(stream: ServerHttp2Stream, code: Code, message: string): void {
  if (stream.destroyed) return;
  const status = { "grpc-status": String(codes[code]), "grpc-message": encodeURIComponent(message) };
  if (!stream.headersSent) {
    stream.respond({ ":status": 200, "content-type": "application/grpc", ...status }, { endStream: true });
    return;
  }
  stream.once("wantTrailers", () => stream.sendTrailers(status));
  stream.end();
}

async function read(stream: ServerHttp2Stream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function frame(message: Buffer): Buffer {
  const header = Buffer.alloc(5);
  header.writeUInt32BE(message.length, 1);
  return Buffer.concat([header, message]);
}

function unframe(bytes: Buffer): Buffer {
  if (bytes.length < 5) return Buffer.alloc(0);
  const body = bytes.subarray(5, 5 + bytes.readUInt32BE(1));
  return bytes.readUInt8(0) === 1 ? gunzipSync(body) : body;
}

function addresses(header: string | readonly string[] | undefined): readonly string[] {
  return [header ?? []].flat().flatMap((value) => value.split(",").map((address) => address.trim()));
}
