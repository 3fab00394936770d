import type { Vm, Volume } from "../simulator/proxmox/cluster.ts";
import type { ProxmoxSimulator } from "../simulator/proxmox/simulator.ts";
import { gib } from "../simulator/proxmox/sizes.ts";
import type { TalosNodes } from "../simulator/talos/talos-nodes.ts";

/** Runs a Talos machine for each VM that starts with an address, as long as that VM runs. */
export class Machines {
  readonly #proxmox: ProxmoxSimulator;
  readonly #talos: TalosNodes;
  /** Volumes that a machine has written to. A volume made anew under the same name is another. */
  readonly #used = new WeakSet<Volume>();
  #work: Promise<void> = Promise.resolve();
  #failure: unknown;

  constructor(proxmox: ProxmoxSimulator, talos: TalosNodes) {
    this.#proxmox = proxmox;
    this.#talos = talos;
    proxmox.onVmStarted((vm) => this.#then(vm, (ip) => this.#boot(vm, ip)));
    proxmox.onVmStopped((vm) => this.#then(vm, (ip) => talos.shutdown(ip)));
  }

  /** Waits until all that was switched is on or off; fails if a machine could not be. */
  async settled(): Promise<void> {
    await this.#work;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** One after the other, since a VM may start again at the address of one that is going down. */
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
    const system = this.#volumeAt(vm, "scsi0");
    const ephemeral = this.#volumeAt(vm, "scsi1");
    await this.#talos.boot(ip, {
      keepsState: this.#used.has(system),
      keepsEphemeral: this.#used.has(ephemeral),
      memoryMib: Number(vm.config.get("memory")),
      ephemeralGib: ephemeral.sizeBytes / gib,
      talosVersion: this.#versionOf(vm),
    });
    this.#used.add(system).add(ephemeral);
  }

  #volumeAt(vm: Vm, slot: string): Volume {
    const volid = this.#proxmox.disksOf(vm.vmid).find((disk) => disk.slot === slot)?.volid;
    const volume = [...this.#proxmox.cluster.volumes].find(
      ({ storage, name, node }) => `${storage}:${name}` === volid && (node === undefined || node === vm.node),
    );
    if (volume === undefined) throw new Error(`VM ${vm.vmid} has no disk at ${slot}`);
    return volume;
  }

  /** Of the image that its system disk was made from. */
  #versionOf({ vmid }: Vm): string {
    const creation = this.#proxmox.requests.findLast(
      ({ method, path, body }) =>
        method === "POST" && /^\/nodes\/[^/]+\/qemu$/.test(path) && Number(body["vmid"]) === vmid,
    );
    const image = /import-from=[^,]*-(v\d+\.\d+\.\d+[^,]*?)-\w+-(?:amd64|arm64)\./.exec(
      String(creation?.body["scsi0"]),
    );
    if (image?.[1] === undefined) throw new Error(`VM ${vmid} was not made from an image of Talos`);
    return image[1];
  }
}
