import type { Http2SecureServer } from "node:http2";
import { createServer, type Server, type Socket } from "node:net";

/** A listening port that asks at each connection who shall serve it; without an answer it hangs up. */
export class TlsPort {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(choose: () => Http2SecureServer | undefined) {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => undefined).once("close", () => this.#sockets.delete(socket));
      const server = choose();
      if (server) server.emit("connection", socket);
      else socket.destroy();
    });
  }

  listen(ip: string, port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject).listen(port, ip, resolve);
    });
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#sockets.forEach((socket) => socket.destroy());
    await closed;
  }
}
