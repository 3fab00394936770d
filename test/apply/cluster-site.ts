import type { ImageFactory } from "../simulator/factory/image-factory.ts";
import { KubernetesCluster } from "../simulator/kubernetes/cluster.ts";
import type { ProxmoxSimulator } from "../simulator/proxmox/simulator.ts";
import { TalosNodes } from "../simulator/talos/talos-nodes.ts";
import { kubernetesTools, tools } from "../tools/tools.ts";
import { Machines, type Anatomy } from "./machines.ts";
import { Site, type Mark } from "./site.ts";

/** A site whose tree makes a cluster: a VM that starts is a Talos machine that boots, from an image of the factory. */
export abstract class ClusterSite extends Site {
  readonly factory: ImageFactory;
  readonly kubernetes: KubernetesCluster;
  readonly talos: TalosNodes;
  readonly #machines: Machines;

  protected constructor(factory: ImageFactory, proxmox: ProxmoxSimulator, anatomy: Anatomy) {
    super(proxmox);
    const [base, more] = [tools(), kubernetesTools()];
    if (!base.installed || !more.installed) throw new Error(base.reason ?? more.reason);
    this.factory = factory;
    this.kubernetes = new KubernetesCluster(more.installed);
    this.talos = new TalosNodes(base.installed.talosctl, this.kubernetes);
    this.#machines = new Machines(proxmox, this.talos, anatomy);
  }

  protected override ends(): readonly (() => Promise<void>)[] {
    return [
      () => this.#machines.settled(),
      () => this.talos.stop(),
      () => this.kubernetes.stop(),
      ...super.ends(),
      () => this.factory.stop(),
    ];
  }

  override mark(): Mark {
    return { ...super.mark(), talos: this.talos.requests.length };
  }

  /** The calls that changed something in Talos since, `ApplyConfiguration 127.81.2.41`, sorted. */
  talosWrites(mark: Mark): readonly string[] {
    return [...this.talosCalls(mark)].sort();
  }

  /** The same, in the order of arrival. */
  talosCalls({ talos }: Mark): readonly string[] {
    return this.talos.requests
      .slice(talos)
      .map(({ method, ip }) => `${method.replace(/.*\//, "")} ${ip}`)
      .filter((text) => /^(ApplyConfiguration|Bootstrap|Reset|Reboot) /.test(text));
  }

  /** Neither Proxmox nor Talos was asked for something that it refused or does not know. */
  override assertNoRefusals(): void {
    super.assertNoRefusals();
    const unknown = this.talos.requests.filter(({ outcome }) =>
      ["InvalidArgument", "Unimplemented", "Internal"].includes(outcome),
    );
    if (unknown.length > 0) throw new Error(`refused by Talos: ${JSON.stringify(unknown, undefined, 2)}`);
  }

  protected override logs(): Readonly<Record<string, readonly string[]>> {
    return {
      ...super.logs(),
      Talos: this.talos.requests.map(
        ({ ip, method, outcome, message }) => `${ip} ${method} -> ${outcome} ${message}`,
      ),
      "Image Factory": this.factory.requests.map(
        ({ method, path, status }) => `${method} ${path} -> ${status}`,
      ),
    };
  }

  protected override settled(): Promise<void> {
    return this.#machines.settled();
  }
}
