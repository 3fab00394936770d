import { createSecureServer, type Http2SecureServer, type SecureServerOptions } from "node:http2";
import { issue, selfSigned, type Authority } from "./certificates.ts";
import { Refusal, serve, type Answer } from "./grpc.ts";
import { readMachineConfiguration, type MachineConfiguration } from "./machine-configuration.ts";
import { TlsPort } from "./tls-port.ts";
import { validate } from "./validation.ts";

/** What a machine was started with. */
export interface Hardware {
  readonly memoryMib: number;
  readonly ephemeralGib: number;
  /** Of the image, such as `v1.13.0`. */
  readonly talosVersion: string;
}

/** One ApplyConfiguration. */
export interface ReceivedConfiguration {
  readonly bytes: Buffer;
  /** Whether it came over mutual TLS, not in maintenance mode. */
  readonly isAuthenticated: boolean;
  /** What `talosctl validate` said; the node refused the configuration then. */
  readonly problem: string | undefined;
}

/** What a node needs of the others. */
export interface Surroundings {
  readonly talosctl: string;
  /** That of a control plane, which signs for all, since workers get no key. */
  authority(): Authority | undefined;
  configured(node: TalosNode, configuration: MachineConfiguration): void;
  answer(node: TalosNode, isAuthenticated: boolean): Answer;
  refused(node: TalosNode, reason: string): void;
}

/** A machine that is switched on: in maintenance mode until it has a configuration. */
export class TalosNode {
  readonly ip: string;
  readonly hardware: Hardware;
  readonly received: ReceivedConfiguration[];
  readonly #surroundings: Surroundings;
  readonly #port = new TlsPort(() => this.#server ?? this.#secured());
  #server: Http2SecureServer | undefined;
  #configuration: MachineConfiguration | undefined;

  constructor(ip: string, hardware: Hardware, received: ReceivedConfiguration[], surroundings: Surroundings) {
    this.ip = ip;
    this.hardware = hardware;
    this.received = received;
    this.#surroundings = surroundings;
  }

  get configuration(): MachineConfiguration | undefined {
    return this.#configuration;
  }

  /** With the configuration of the STATE partition, if that was kept. */
  async start(kept: MachineConfiguration | undefined): Promise<void> {
    if (kept) this.#configure(kept);
    else this.#server = this.#open();
    await this.#port.listen(this.ip, 50000);
  }

  async stop(): Promise<void> {
    await this.#port.close();
  }

  /** Refuses what the real node would refuse. A dry run only looks. */
  async apply(bytes: Buffer, isAuthenticated: boolean, isDryRun: boolean): Promise<void> {
    const problem = await validate(this.#surroundings.talosctl, bytes);
    if (!isDryRun) this.received.push({ bytes, isAuthenticated, problem });
    if (problem !== undefined) throw new Refusal("InvalidArgument", problem);
    if (!isDryRun) this.#configure(readMachineConfiguration(bytes));
  }

  #configure(configuration: MachineConfiguration): void {
    this.#configuration = configuration;
    this.#server = undefined;
    this.#surroundings.configured(this, configuration);
  }

  /** Maintenance mode: anyone may talk to the node. */
  #open(): Http2SecureServer {
    const { certificate, key } = selfSigned({ commonName: "maintenance", hosts: [this.ip] });
    return this.#serve({ cert: certificate, key }, false);
  }

  /** Mutual TLS, as soon as there is someone to sign for it. */
  #secured(): Http2SecureServer | undefined {
    const authority = this.#surroundings.authority();
    if (!authority || !this.#configuration) return undefined;
    const { certificate, key } = issue(authority, "server", {
      commonName: this.#configuration.hostname,
      hosts: [this.ip],
    });
    const trust = { requestCert: true, rejectUnauthorized: true, ca: authority.certificate };
    this.#server = this.#serve({ cert: certificate, key, ...trust }, true);
    return this.#server;
  }

  #serve(options: SecureServerOptions, isAuthenticated: boolean): Http2SecureServer {
    const server = createSecureServer({ ...options, minVersion: "TLSv1.3" });
    server.on("tlsClientError", (error: NodeJS.ErrnoException) => {
      this.#surroundings.refused(this, error.code ?? error.message);
    });
    server.on("sessionError", () => undefined); // The client went away.
    serve(server, this.#surroundings.answer(this, isAuthenticated));
    return server;
  }
}
