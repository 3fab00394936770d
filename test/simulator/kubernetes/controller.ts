import type { ApiClient, KubernetesObject } from "./api-client.ts";

type Tend = (object: KubernetesObject) => Promise<void>;

/** Does what the controllers of a real cluster would: without them volumes stay Pending and namespaces never go. */
export class Controller {
  readonly #client: ApiClient;
  readonly #errors: Error[] = [];
  #isStopped = false;

  constructor(client: ApiClient) {
    this.#client = client;
    void this.#follow("/api/v1/persistentvolumes", (volume) => this.#tendVolume(volume));
    void this.#follow("/api/v1/namespaces", (namespace) => this.#tendNamespace(namespace));
    void this.#follow(
      "/api/v1/nodes",
      async () => undefined,
      (node) => this.#clearNode(node),
    );
  }

  /** What went wrong, for the tests to look at when something hangs. */
  get errors(): readonly Error[] {
    return this.#errors;
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #follow(path: string, tend: Tend, clear: Tend = async () => undefined): Promise<void> {
    while (!this.#isStopped) {
      const report = (error: unknown) => {
        if (!this.#isStopped) this.#errors.push(error as Error);
      };
      const onObject = (object: KubernetesObject, isGone: boolean) => {
        void (isGone ? clear : tend)(object).catch(report);
      };
      await this.#client.watch(path, onObject).catch(report);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Pods go with the node that they ran on. */
  async #clearNode({ metadata }: KubernetesObject): Promise<void> {
    const pods = `/api/v1/namespaces/kube-system/pods?fieldSelector=spec.nodeName=${metadata.name}`;
    await this.#client.delete(`${pods}&gracePeriodSeconds=0`);
  }

  async #tendVolume({ metadata, status }: KubernetesObject): Promise<void> {
    const path = `/api/v1/persistentvolumes/${metadata.name}`;
    if (metadata.deletionTimestamp) {
      if (metadata.finalizers?.length) await this.#client.merge(path, { metadata: { finalizers: null } });
    } else if (status?.["phase"] === "Pending") {
      await this.#client.merge(`${path}/status`, { status: { phase: "Available" } });
    }
  }

  async #tendNamespace(namespace: KubernetesObject): Promise<void> {
    const { metadata, spec } = namespace;
    const isDone = !(spec?.["finalizers"] as readonly string[] | undefined)?.length;
    if (!metadata.deletionTimestamp || isDone) return;
    const path = `/api/v1/namespaces/${metadata.name}`;
    for (const kind of ["secrets", "configmaps", "serviceaccounts", "pods", "persistentvolumeclaims"])
      await this.#client.delete(`${path}/${kind}`);
    await this.#client.put(`${path}/finalize`, { ...namespace, spec: { finalizers: [] } });
  }
}
