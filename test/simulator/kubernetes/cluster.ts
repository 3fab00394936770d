import type { KubernetesTools } from "../../tools/tools.ts";
import type { MachineConfiguration } from "../talos/machine-configuration.ts";
import type { ApiClient } from "./api-client.ts";
import { ApiServer } from "./api-server.ts";
import { Controller } from "./controller.ts";
import { EtcdMembers } from "./etcd-members.ts";
import { Gate } from "./gate.ts";
import { makeKubeconfig } from "./kubeconfig.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { loseSight, register } from "./registration.ts";

/**
 * The Kubernetes of the simulated machines: etcd's data, which outlives them, and a real API server, which is reached at
 * the addresses of the control planes that run.
 */
export class KubernetesCluster {
  /** How late the API is after the bootstrap. */
  startDelaySeconds = 0;
  /** Where the API will be reached one day. Talos renews its certificate then, and this one is made once. */
  laterAddresses: readonly string[] = [];

  readonly #tools: KubernetesTools;
  readonly #machines = new Map<string, MachineConfiguration>();
  readonly #registered = new Map<string, MachineConfiguration>();
  readonly #members = new EtcdMembers();
  readonly #gates = new Map<string, Gate>();
  readonly #settle = oneAtATime(() => this.#reconcile());
  #server: ApiServer | undefined;
  #controller: Controller | undefined;
  #delay: NodeJS.Timeout | undefined;
  #isDown = false;
  #failure: unknown;

  constructor(tools: KubernetesTools) {
    this.#tools = tools;
  }

  get isBootstrapped(): boolean {
    return !this.#members.isEmpty;
  }

  /** The API answers, and every machine that runs is known to it. */
  get isReady(): boolean {
    const isSettled = [...this.#machines].every(([ip, machine]) => this.#registered.get(ip) === machine);
    return this.#canServe() && this.#gates.size > 0 && isSettled;
  }

  /** For looking at what is in the cluster, with all rights and past everything that is down. */
  get client(): ApiClient {
    if (!this.#server) throw new Error("the API server does not run", { cause: this.#failure });
    return this.#server.client;
  }

  /** Waits for a cluster that is about to be ready, at most so long. */
  async startingUp(seconds: number): Promise<void> {
    const deadline = Date.now() + seconds * 1000;
    while (this.isBootstrapped && !this.#isDown && !this.isReady && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 50));
  }

  etcdMembers() {
    return this.#members.list();
  }

  kubeconfig({ clusterName, endpoint, clusterAuthority }: MachineConfiguration): string {
    return makeKubeconfig(clusterName, endpoint, clusterAuthority);
  }

  /** A machine runs with this configuration now. */
  join(ip: string, configuration: MachineConfiguration): void {
    this.#machines.set(ip, configuration);
    this.#settleSoon();
  }

  /** A machine was switched off. */
  async leave(ip: string): Promise<void> {
    this.#machines.delete(ip);
    await this.#settle();
  }

  bootstrap(ip: string): void {
    this.#members.add(ip, this.#machines.get(ip)?.hostname ?? ip);
    this.#delay = setTimeout(() => {
      this.#delay = undefined;
      this.#settleSoon();
    }, this.startDelaySeconds * 1000);
  }

  /** The disk of a control plane is gone. With the last one all that was in Kubernetes is lost. */
  async loseEtcdData(ip: string): Promise<void> {
    this.#members.remove(ip);
    if (!this.#members.isEmpty) return;
    await this.#settle();
    await this.#stopServer();
  }

  /** What an operator does when a control plane was taken away for good. */
  removeEtcdMember(ip: string): void {
    this.#members.remove(ip);
  }

  async takeDown(): Promise<void> {
    this.#isDown = true;
    await this.#settle();
  }

  async bringUp(): Promise<void> {
    this.#isDown = false;
    await this.#settle();
  }

  /** Fails with what went wrong in the meantime. */
  async stop(): Promise<void> {
    this.#machines.clear();
    await this.#settle().catch(() => undefined);
    await this.#stopServer();
    if (this.#failure) throw this.#failure;
  }

  #canServe(): boolean {
    const hasQuorum = this.#members.hasQuorum((ip) => this.#machines.has(ip));
    return this.#server !== undefined && !this.#isDown && hasQuorum;
  }

  #settleSoon(): void {
    this.#settle().catch((error: unknown) => {
      console.error(error);
      this.#failure ??= error;
    });
  }

  async #reconcile(): Promise<void> {
    const isDue = this.isBootstrapped && this.#delay === undefined && this.#controlPlanes().length > 0;
    if (isDue && !this.#server) await this.#startServer();
    if (this.#server) await this.#register(this.#server.client);
    await this.#openGates();
  }

  async #register(client: ApiClient): Promise<void> {
    for (const [ip, { nodeName }] of this.#registered) {
      if (this.#machines.has(ip)) continue;
      this.#registered.delete(ip);
      await loseSight(client, nodeName);
    }
    for (const [ip, machine] of this.#machines) {
      if (this.#registered.get(ip) === machine) continue;
      await register(client, ip, machine);
      if (machine.type === "controlplane") this.#members.add(ip, machine.hostname);
      this.#registered.set(ip, machine);
    }
  }

  async #openGates(): Promise<void> {
    const wanted = this.#canServe() ? this.#addresses() : [];
    for (const [ip, gate] of this.#gates) {
      if (wanted.includes(ip)) continue;
      this.#gates.delete(ip);
      await gate.close();
    }
    const port = Number(this.#controlPlanes()[0]?.[1].endpoint.port || 443);
    for (const ip of wanted)
      if (!this.#gates.has(ip)) this.#gates.set(ip, await Gate.open(ip, port, this.#server?.port ?? 0));
  }

  #controlPlanes() {
    return [...this.#machines].filter(([, { type }]) => type === "controlplane");
  }

  /** Where the API can be reached: on each control plane, and on the address that they share. */
  #addresses(): readonly string[] {
    return [...new Set(this.#controlPlanes().flatMap(([ip, { virtualIps }]) => [ip, ...virtualIps]))];
  }

  async #startServer(): Promise<void> {
    const [first] = this.#controlPlanes();
    const { clusterAuthority: authority, serviceAccountKey, endpoint } = first![1];
    if (serviceAccountKey === undefined) throw new Error("a control plane without a service account key");
    const hosts = [endpoint.hostname, ...this.#addresses(), ...this.laterAddresses];
    this.#server = await ApiServer.start(this.#tools, { authority, serviceAccountKey, hosts });
    this.#controller = new Controller(this.#server.client);
  }

  async #stopServer(): Promise<void> {
    clearTimeout(this.#delay);
    this.#delay = undefined;
    this.#controller?.stop();
    const server = this.#server;
    this.#server = undefined;
    this.#registered.clear();
    await this.#openGates();
    await server?.stop();
  }
}
