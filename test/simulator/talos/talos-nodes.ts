import type { KubernetesCluster } from "../kubernetes/cluster.ts";
import { route } from "./apid.ts";
import type { Authority } from "./certificates.ts";
import { Refusal, type Answer, type Code } from "./grpc.ts";
import type { MachineConfiguration } from "./machine-configuration.ts";
import { TalosNode, type Hardware, type ReceivedConfiguration, type Surroundings } from "./node.ts";

/** One call that arrived, or a handshake that failed. */
export interface TalosRequest {
  /** The node that was dialled. */
  readonly ip: string;
  /** Path of the gRPC method, or `handshake`. */
  readonly method: string;
  /** Whom it was meant for; nobody in particular if empty. */
  readonly nodes: readonly string[];
  readonly isAuthenticated: boolean;
  readonly outcome: Code;
  /** Words of a refusal. */
  readonly message: string;
}

export interface Boot extends Partial<Hardware> {
  /** STATE was kept, and with it the configuration. Default: a fresh disk, so maintenance mode. */
  readonly keepsState?: boolean;
  /** EPHEMERAL was kept, and with it etcd's data. Default: yes, as it is on a disk of its own. */
  readonly keepsEphemeral?: boolean;
}

const usualHardware: Hardware = { memoryMib: 4096, ephemeralGib: 20, talosVersion: "v1.13.0" };

/** Stand-ins of the Talos machines of one cluster, each listening on port 50000 of its own address. */
export class TalosNodes {
  readonly requests: TalosRequest[] = [];
  readonly cluster: KubernetesCluster;
  readonly #nodes = new Map<string, TalosNode>();
  readonly #received = new Map<string, ReceivedConfiguration[]>();
  readonly #state = new Map<string, MachineConfiguration>();
  readonly #surroundings: Surroundings;

  constructor(talosctl: string, cluster: KubernetesCluster) {
    this.cluster = cluster;
    this.#surroundings = {
      talosctl,
      authority: () => this.#authority(),
      configured: ({ ip }, configuration) => {
        this.#state.set(ip, configuration);
        cluster.join(ip, configuration);
      },
      answer: (node, isAuthenticated) => this.#answer(node, isAuthenticated),
      refused: ({ ip }, message) => {
        this.#log({ ip, method: "handshake", nodes: [], isAuthenticated: false }, "Unavailable", message);
      },
    };
  }

  /** All that was ever applied to the machine at an address, refused ones included, oldest first. */
  configurations(ip: string): readonly ReceivedConfiguration[] {
    return this.#received.get(ip) ?? [];
  }

  condition(ip: string): "off" | "maintenance" | "configured" {
    const node = this.#nodes.get(ip);
    if (!node) return "off";
    return node.configuration ? "configured" : "maintenance";
  }

  find(ip: string): TalosNode | undefined {
    return this.#nodes.get(ip);
  }

  /** Switches a machine on; off first, if it was on. */
  async boot(ip: string, { keepsState, keepsEphemeral, ...hardware }: Boot = {}): Promise<void> {
    await this.shutdown(ip);
    if (keepsEphemeral === false) await this.cluster.loseEtcdData(ip);
    if (!keepsState) this.#state.delete(ip);
    const received = this.#received.get(ip) ?? [];
    this.#received.set(ip, received);
    const node = new TalosNode(ip, { ...usualHardware, ...hardware }, received, this.#surroundings);
    this.#nodes.set(ip, node);
    await node.start(this.#state.get(ip));
  }

  /** Switches a machine off. What it had in Kubernetes stays there. */
  async shutdown(ip: string): Promise<void> {
    const node = this.#nodes.get(ip);
    if (!node) return;
    this.#nodes.delete(ip);
    await Promise.all([this.cluster.leave(ip), node.stop()]);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#nodes.keys()].map((ip) => this.shutdown(ip)));
  }

  #authority(): Authority | undefined {
    const authorities = [...this.#nodes.values()].map((node) => node.configuration?.machineAuthority);
    return authorities.find((authority) => authority?.key !== undefined);
  }

  #answer(node: TalosNode, isAuthenticated: boolean): Answer {
    const nodes = this;
    return async function* (call) {
      const request = { ip: node.ip, method: call.path, nodes: call.nodes, isAuthenticated };
      try {
        yield* route(nodes, node, isAuthenticated, call);
        nodes.#log(request, "OK", "");
      } catch (error) {
        const code = error instanceof Refusal ? error.code : "Internal";
        nodes.#log(request, code, error instanceof Error ? error.message : String(error));
        throw error;
      }
    };
  }

  #log(
    request: Pick<TalosRequest, "ip" | "method" | "nodes" | "isAuthenticated">,
    outcome: Code,
    message: string,
  ): void {
    this.requests.push({ ...request, outcome, message });
  }
}
