import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { generate } from "../../golden/generate.ts";
import { temporaryFolder } from "../../golden/temporary-folder.ts";
import { ImageFactory } from "../../simulator/factory/image-factory.ts";
import { KubernetesCluster } from "../../simulator/kubernetes/cluster.ts";
import type { Vm, Volume } from "../../simulator/proxmox/cluster.ts";
import { ProxmoxSimulator } from "../../simulator/proxmox/simulator.ts";
import { mib } from "../../simulator/proxmox/sizes.ts";
import { TalosNodes } from "../../simulator/talos/talos-nodes.ts";
import type { Ending } from "../../tofu/run.ts";
import { workspaceIn, type Workspace } from "../../tofu/workspace.ts";
import { kubernetesTools, tools } from "../../tools/tools.ts";

/** A config as its author edits it. */
export type Editable = Record<string, Record<string, any>>;

/**
 * All that a tree of clones is applied to, on loopback: a Proxmox of three nodes, an Image Factory, and a Talos machine
 * for each VM that starts with an address. A clone has one disk: whoever loses it has lost configuration and etcd.
 */
export class World {
  readonly config: Editable;
  readonly folder = temporaryFolder();
  readonly proxmox: ProxmoxSimulator;
  readonly factory: ImageFactory;
  readonly kubernetes: KubernetesCluster;
  readonly talos: TalosNodes;
  readonly #file = join(temporaryFolder(), "cluster.yaml");
  readonly #used = new WeakSet<Volume>();
  #workspace: Workspace | undefined;
  #work: Promise<void> = Promise.resolve();
  #failure: unknown;

  private constructor(config: Editable, proxmox: ProxmoxSimulator, factory: ImageFactory) {
    const [base, more] = [tools(), kubernetesTools()];
    if (!base.installed || !more.installed) throw new Error(base.reason ?? more.reason);
    this.config = config;
    this.proxmox = proxmox;
    this.factory = factory;
    this.kubernetes = new KubernetesCluster(more.installed);
    this.talos = new TalosNodes(base.installed.talosctl, this.kubernetes);
    proxmox.onVmStarted((vm) => this.#then(vm, (ip) => this.#boot(vm, ip)));
    proxmox.onVmStopped((vm) => this.#then(vm, (ip) => this.talos.shutdown(ip)));
  }

  /** Ready for the first plan, with a token that may do what the README says and no more. */
  static async start(config: Editable): Promise<World> {
    const factory = await ImageFactory.start();
    const proxmox = await ProxmoxSimulator.start({
      nodes: { pve1: {}, pve2: {}, pve3: {} },
      storages: [
        { id: "local", type: "dir", content: ["import", "iso"], isShared: false },
        { id: "local-lvm", type: "lvmthin", content: ["images"], isShared: false },
        { id: "tank", type: "zfspool", content: ["images"], isShared: false },
      ],
      resolve: async (url) =>
        (await fetch(url, { method: "HEAD" })).ok ? { size: 100 * mib, virtualSize: 4247 * mib } : undefined,
    });
    const world = new World(config, proxmox, factory);
    Object.assign((config["proxmox_config"] ??= {}), { endpoint: proxmox.endpoint, insecure: true });
    Object.assign((config["cluster_config"] ??= {}), { factory_url: factory.url });
    await world.generate();
    const privileges = /pveum role add \S+ --privs "([^"]+)"/.exec(world.read("README.md"))?.[1] ?? "";
    const token = proxmox.grant({ token: "talos@pve!tofu", privileges: privileges.split(" ") });
    world.#workspace = workspaceIn(world.folder, { TF_VAR_proxmox_api_token: token });
    await world.must("init");
    return world;
  }

  async stop(): Promise<void> {
    await this.#work;
    await this.talos.stop();
    await this.kubernetes.stop();
    await Promise.all([this.proxmox.stop(), this.factory.stop()]);
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), "utf8");
  }

  /** Runs the program on the config as it stands. Gives what the user is told to do. */
  async generate(...options: string[]): Promise<readonly string[]> {
    writeFileSync(this.#file, stringify(this.config));
    return (await generate(this.#file, this.folder, ...options)).notes;
  }

  /** Runs tofu, whatever comes of it. */
  async tofu(...words: readonly string[]): Promise<Ending> {
    const [command = "", ...rest] = words;
    const approval = ["apply", "destroy"].includes(command) ? ["-auto-approve"] : [];
    const plain = ["-no-color", ...(command === "output" ? [] : ["-input=false"])];
    const ending = await this.#workspace!.tofu(command, ...plain, ...approval, ...rest);
    await this.#work;
    if (this.#failure !== undefined) throw this.#failure;
    return ending;
  }

  async must(...words: readonly string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await this.tofu(...words);
    if (exitCode !== 0) throw new Error(`tofu ${words.join(" ")}:\n${stdout.slice(-4000)}${stderr}`);
    return stdout;
  }

  /** Ids of the VMs that were made or destroyed since. */
  madeAnew(mark: number): number[] {
    const ids = this.proxmox.writes(mark).flatMap(({ method, path, body }) => {
      const id = /^\/nodes\/[^/]+\/qemu\/(\d+)\/?(\?.*)?$/.exec(path)?.[1];
      if (method === "DELETE" && id !== undefined) return [Number(id)];
      if (method === "POST" && /\/qemu$/.test(path)) return [Number(body["vmid"])];
      return method === "POST" && /\/clone$/.test(path) ? [Number(body["newid"])] : [];
    });
    return [...new Set(ids)].sort((a, b) => a - b);
  }

  /** What was done to Talos machines since, `ApplyConfiguration 127.91.2.10`, in that order. */
  talosWrites(mark: number): string[] {
    return this.talos.requests
      .slice(mark)
      .map(({ method, ip }) => `${method.replace(/.*\//, "")} ${ip}`)
      .filter((text) => /^(ApplyConfiguration|Bootstrap|Reset|Reboot) /.test(text));
  }

  #then(vm: Vm, work: (ip: string) => Promise<void>): void {
    const ip = /(?:^|,)ip=([\d.]+)\//.exec(vm.config.get("ipconfig0") ?? "")?.[1];
    if (ip === undefined) return;
    this.#work = this.#work
      .then(() => work(ip))
      .catch((error: unknown) => {
        this.#failure ??= error;
      });
  }

  async #boot(vm: Vm, ip: string): Promise<void> {
    const volid = this.proxmox.disksOf(vm.vmid).find(({ slot }) => slot === "virtio0")?.volid;
    const disk = [...this.proxmox.cluster.volumes].find(
      ({ storage, name, node }) => `${storage}:${name}` === volid && (node === undefined || node === vm.node),
    );
    if (disk === undefined) throw new Error(`VM ${vm.vmid} has no disk at virtio0`);
    const isUsed = this.#used.has(disk);
    await this.talos.boot(ip, { keepsState: isUsed, keepsEphemeral: isUsed });
    this.#used.add(disk);
  }
}
