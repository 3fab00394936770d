import type { Vm, Volume } from "../simulator/proxmox/cluster.ts";
import type { ProxmoxSimulator } from "../simulator/proxmox/simulator.ts";
import { gib } from "../simulator/proxmox/sizes.ts";
import type { TalosNodes } from "../simulator/talos/talos-nodes.ts";

/** What a kind of machine looks like from inside. */
export interface Anatomy {
  /** Slots of the disks that STATE and EPHEMERAL are on; one disk may hold both. */
  readonly system: string;
  readonly ephemeral: string;
  /** What the DHCP server gives, by MAC address. */
  readonly leases?: ReadonlyMap<string, string>;
}

/** Runs a Talos machine for each VM that starts with an address, as long as that VM runs. */
export class Machines {
  readonly #proxmox: ProxmoxSimulator;
  readonly #talos: TalosNodes;
  readonly #anatomy: Anatomy;
  /** Volumes that a machine has written to. A volume made anew under the same name is another. */
  readonly #used = new WeakSet<Volume>();
  #work: Promise<void> = Promise.resolve();
  #failure: unknown;

  constructor(proxmox: ProxmoxSimulator, talos: TalosNodes, anatomy: Anatomy) {
    this.#proxmox = proxmox;
    this.#talos = talos;
    this.#anatomy = anatomy;
    proxmox.onVmStarted((vm) => this.#then(vm, (ip) => this.#boot(vm, ip)));
    proxmox.onVmStopped((vm) => this.#then(vm, (ip) => this.#shutDown(vm, ip)));
  }

  /** Waits until all that was switched is on or off; fails if a machine could not be. */
  async settled(): Promise<void> {
    await this.#work;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** One after the other, since a VM may start again at the address of one that is going down. */
  #then(vm: Vm, work: (ip: string) => Promise<void>): void {
    const ip = this.#addressOf(vm);
    if (ip === undefined) return;
    this.#work = this.#work
      .then(() => work(ip))
      .catch((error: unknown) => {
        this.#failure ??= error;
      });
  }

  /** Given by cloud-init, or by the DHCP server. */
  #addressOf({ config }: Vm): string | undefined {
    const [, given] = /(?:^|,)ip=([\d.]+\/|dhcp)/.exec(config.get("ipconfig0") ?? "") ?? [];
    if (given !== "dhcp") return given?.slice(0, -1);
    const [mac = ""] = /[0-9A-F]{2}(:[0-9A-F]{2}){5}/.exec(config.get("net0") ?? "") ?? [];
    return this.#anatomy.leases?.get(mac);
  }

  async #boot(vm: Vm, ip: string): Promise<void> {
    const system = this.#volumeAt(vm, this.#anatomy.system);
    const ephemeral = this.#volumeAt(vm, this.#anatomy.ephemeral);
    await this.#talos.boot(ip, {
      keepsState: this.#used.has(system),
      keepsEphemeral: this.#used.has(ephemeral),
      memoryMib: Number(vm.config.get("memory")),
      ephemeralGib: ephemeral.sizeBytes / gib,
      talosVersion: this.#versionOf(vm.vmid),
    });
    this.#used.add(system).add(ephemeral);
    vm.address = ip;
  }

  async #shutDown(vm: Vm, ip: string): Promise<void> {
    delete vm.address;
    await this.#talos.shutdown(ip);
  }

  #volumeAt(vm: Vm, slot: string): Volume {
    const volid = this.#proxmox.disksOf(vm.vmid).find((disk) => disk.slot === slot)?.volid;
    const volume = [...this.#proxmox.cluster.volumes].find(
      ({ storage, name, node }) => `${storage}:${name}` === volid && (node === undefined || node === vm.node),
    );
    if (volume === undefined) throw new Error(`VM ${vm.vmid} has no disk at ${slot}`);
    return volume;
  }

  /** Of the image that its system disk was made from, or that of the template which it was cloned from. */
  #versionOf(vmid: number, before = Infinity): string {
    const creation = this.#proxmox.requests.findLast(
      ({ number, method, path, body }) =>
        number < before &&
        method === "POST" &&
        ((/^\/nodes\/[^/]+\/qemu$/.test(path) && Number(body["vmid"]) === vmid) ||
          (path.endsWith("/clone") && Number(body["newid"]) === vmid)),
    );
    const [, template] = /\/(\d+)\/clone$/.exec(creation?.path ?? "") ?? [];
    if (template !== undefined) return this.#versionOf(Number(template), creation!.number);
    const image = /import-from=[^,]*-(v\d+\.\d+\.\d+[^,]*?)-\w+-(?:amd64|arm64)\./.exec(
      String(creation?.body[this.#anatomy.system]),
    );
    if (image?.[1] === undefined) throw new Error(`VM ${vmid} was not made from an image of Talos`);
    return image[1];
  }
}
