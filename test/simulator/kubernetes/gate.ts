import { connect, createServer, type Server, type Socket } from "node:net";

/** One address at which the API can be reached, or not. */
export class Gate {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, target: number) {
    this.#server = server;
    server.on("connection", (socket) => {
      const behind = connect(target, "127.0.0.1");
      for (const [one, other] of [
        [socket, behind],
        [behind, socket],
      ] as const) {
        this.#sockets.add(one);
        one
          .on("error", () => undefined)
          .once("close", () => {
            this.#sockets.delete(one);
            other.destroy();
          });
        one.pipe(other);
      }
    });
  }

  /** Passes connections on to a port of 127.0.0.1. */
  static async open(ip: string, port: number, target: number): Promise<Gate> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(port, ip, resolve);
    });
    return new Gate(server, target);
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#sockets.forEach((socket) => socket.destroy());
    await closed;
  }
}
