import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KubernetesTools } from "../../tools/tools.ts";
import { issue, type Authority } from "../talos/certificates.ts";
import { ApiClient } from "./api-client.ts";
import { freePorts } from "./free-ports.ts";
import { ServerProcess } from "./server-process.ts";

export interface ApiServerOptions {
  readonly authority: Authority;
  /** PEM. */
  readonly serviceAccountKey: string;
  /** Names and addresses that its certificate is good for. */
  readonly hosts: readonly string[];
}

/** The real kube-apiserver and etcd, listening on 127.0.0.1 only. */
export class ApiServer {
  readonly port: number;
  /** With all rights. */
  readonly client: ApiClient;
  readonly #etcd: ServerProcess;
  readonly #server: ServerProcess;
  readonly #folder: string;

  private constructor(
    port: number,
    client: ApiClient,
    etcd: ServerProcess,
    server: ServerProcess,
    folder: string,
  ) {
    this.port = port;
    this.client = client;
    this.#etcd = etcd;
    this.#server = server;
    this.#folder = folder;
  }

  static async start(tools: KubernetesTools, options: ApiServerOptions): Promise<ApiServer> {
    const { authority, serviceAccountKey, hosts } = options;
    const [port = 0, etcdPort = 0, peerPort = 0] = await freePorts(3);
    const folder = mkdtempSync(join(tmpdir(), "kubernetes-"));
    const file = (name: string, contents: string) => {
      writeFileSync(join(folder, name), contents, { mode: 0o600 });
      return join(folder, name);
    };
    const serving = issue(authority, "server", {
      commonName: "kube-apiserver",
      hosts: [...hosts, "127.0.0.1"],
    });
    const admin = issue(authority, "client", { commonName: "simulator", organization: "system:masters" });

    const etcdUrl = `http://127.0.0.1:${etcdPort}`;
    const etcd = new ServerProcess(
      "etcd",
      tools.etcd,
      [
        `--data-dir=${join(folder, "etcd")}`,
        `--listen-client-urls=${etcdUrl}`,
        `--advertise-client-urls=${etcdUrl}`,
        `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
        "--unsafe-no-fsync",
      ],
      join(folder, "etcd.log"),
    );
    const serviceAccountFile = file("service-account.key", serviceAccountKey);
    const server = new ServerProcess(
      "kube-apiserver",
      tools.kubeApiserver,
      [
        `--etcd-servers=${etcdUrl}`,
        "--bind-address=127.0.0.1",
        `--secure-port=${port}`,
        "--advertise-address=127.0.0.1",
        "--endpoint-reconciler-type=none",
        `--tls-cert-file=${file("serving.crt", serving.certificate)}`,
        `--tls-private-key-file=${file("serving.key", serving.key)}`,
        `--client-ca-file=${file("ca.crt", authority.certificate)}`,
        "--service-account-issuer=https://kubernetes.default.svc",
        `--service-account-key-file=${serviceAccountFile}`,
        `--service-account-signing-key-file=${serviceAccountFile}`,
        "--authorization-mode=RBAC",
        "--service-cluster-ip-range=10.96.0.0/12",
        // Their controllers do not run: no default account is ever made, no taint ever taken off a new node.
        "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition",
      ],
      join(folder, "kube-apiserver.log"),
    );
    const { certificate: cert, key } = admin;
    const client = new ApiClient({ host: "127.0.0.1", port, ca: authority.certificate, cert, key });
    const started = new ApiServer(port, client, etcd, server, folder);
    try {
      await etcd.ready(() => answers(`${etcdUrl}/health`), 60);
      await server.ready(() => client.isReady(), 120);
      return started;
    } catch (error) {
      await started.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.client.close();
    await Promise.all([this.#server.stop(), this.#etcd.stop()]);
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function answers(url: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    get(url, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).once("error", reject);
  });
}
