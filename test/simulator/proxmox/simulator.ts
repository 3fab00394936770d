import type { Server } from "node:https";
import { splitToken } from "./access-control.ts";
import { allocate } from "./allocation.ts";
import { buildCluster, type SimulatorOptions } from "./build-cluster.ts";
import { selfSigned } from "./certificate.ts";
import type { Cluster, Vm, Volume } from "./cluster.ts";
import { Faults, type FaultOptions } from "./faults.ts";
import { disksOf, type GuestDisk } from "./guest.ts";
import { RequestLog, type LoggedRequest, type RefusalMatcher } from "./request-log.ts";
import { router } from "./routes.ts";
import { listen, portOf } from "./server.ts";
import { formatSize, gib } from "./sizes.ts";
import { lookUp, volumeId } from "./storage.ts";
import { snapshot } from "./snapshot.ts";
import { showToGuest } from "./vms.ts";

export type { SimulatorOptions } from "./build-cluster.ts";

export interface Grant {
  /** `user@realm!name`. */
  readonly token: string;
  readonly privileges: readonly string[];
  readonly path?: string;
  readonly isSeparated?: boolean;
}

export interface ForeignVm {
  readonly vmid: number;
  readonly node: string;
  readonly name: string;
  readonly tags?: string;
  readonly isRunning?: boolean;
  /** Each gets a disk of its own, by slot. */
  readonly disks?: Readonly<Record<string, { readonly storage: string; readonly sizeGib: number }>>;
}

/** A Proxmox VE cluster on loopback that answers by the rules of the real one. */
export class ProxmoxSimulator {
  readonly cluster: Cluster;
  readonly log = new RequestLog();
  readonly #faults = new Faults();
  #server: Server | undefined;

  private constructor(options: SimulatorOptions) {
    this.cluster = buildCluster(options);
  }

  static async start(options: SimulatorOptions): Promise<ProxmoxSimulator> {
    const simulator = new ProxmoxSimulator(options);
    const { cluster, log } = simulator;
    simulator.#server = await listen({ cluster, log, router, faults: simulator.#faults }, selfSigned());
    return simulator;
  }

  get endpoint(): string {
    return `https://127.0.0.1:${portOf(this.#server!)}`;
  }

  async stop(): Promise<void> {
    const server = this.#server!;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  /** Makes a user with a role and a token, and gives the token as clients send it. */
  grant({ token: id, privileges, path = "/", isSeparated = false }: Grant): string {
    const [userid, name] = splitToken(id);
    const { users, roles, acl } = this.cluster;
    const user = users.get(userid) ?? { isEnabled: true, expire: 0, details: new Map(), tokens: new Map() };
    users.set(userid, user);
    const secret = `00000000-0000-0000-0000-${String(user.tokens.size).padStart(12, "0")}`;
    user.tokens.set(name!, { secret, isSeparated, comment: "", expire: 0 });
    const roleid = `Granted-${roles.size}`;
    roles.set(roleid, new Set(privileges));
    acl.add({ path, type: "user", ugid: userid, roleid, propagate: true });
    if (isSeparated) acl.add({ path, type: "token", ugid: id, roleid, propagate: true });
    return `${id}=${secret}`;
  }

  vm(vmid: number): Vm | undefined {
    return this.cluster.vms.get(vmid);
  }

  /** The disks that the guest sees. */
  disksOf(vmid: number): readonly GuestDisk[] {
    return disksOf(this.cluster, this.#need(vmid));
  }

  onVmStarted(listener: (vm: Vm) => void): void {
    this.cluster.startListeners.add(listener);
  }

  onVmStopped(listener: (vm: Vm) => void): void {
    this.cluster.stopListeners.add(listener);
  }

  /** A VM of someone else, with disks of its own. */
  addForeignVm({ vmid, node, name, tags, isRunning = false, disks = {} }: ForeignVm): Vm {
    const config = new Map([
      ["name", name],
      ["memory", "2048"],
      ...(tags === undefined ? [] : [["tags", tags] as const]),
    ]);
    for (const [slot, { storage, sizeGib }] of Object.entries(disks)) {
      const volume = allocate(this.cluster, node, storage, vmid, "raw", undefined, sizeGib * gib);
      config.set(slot, `${volumeId(volume)},size=${formatSize(volume.sizeBytes)}`);
    }
    const vm: Vm = { vmid, node, config, isRunning, guestSizes: new Map() };
    this.cluster.vms.set(vmid, vm);
    return vm;
  }

  /** A volume that the CSI plugin made for a claim. */
  addCsiVolume(node: string, storage: string, vmid: number, fileName: string, sizeGib: number): string {
    return volumeId(allocate(this.cluster, node, storage, vmid, "raw", fileName, sizeGib * gib));
  }

  /** As the CSI plugin does it: the first free slot of scsi1 to scsi29. */
  attachCsiVolume(vmid: number, volid: string): string {
    const vm = this.#need(vmid);
    const volume = this.#volume(volid, vm.node);
    const slot = Array.from({ length: 29 }, (_, index) => `scsi${index + 1}`).find(
      (name) => !vm.config.has(name),
    );
    if (slot === undefined) throw new Error(`VM ${vmid} has no free slot`);
    vm.config.set(
      slot,
      `${volid},backup=0,iothread=1,size=${formatSize(volume.sizeBytes)},wwn=0x5056432d49443030`,
    );
    showToGuest(this.cluster, vm, volid);
    return slot;
  }

  /** Stands for data. It stays with the volume wherever that goes, and ends with it. */
  putMarker(volid: string, text: string, node?: string): void {
    this.#volume(volid, node).marker = text;
  }

  marker(volid: string, node?: string): string | undefined {
    const found = this.#volumes(volid, node);
    return found.length === 1 ? found[0]!.marker : undefined;
  }

  markers(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      [...this.cluster.volumes].flatMap((volume) =>
        volume.marker === undefined ? [] : [[volumeId(volume), volume.marker] as const],
      ),
    );
  }

  /** Fails the n-th writing call from now; see `faults.ts`. */
  failCall(n: number, options?: FaultOptions): void {
    this.#faults.plan(n, options);
  }

  get hasPendingFault(): boolean {
    return this.pendingFaults.length > 0;
  }

  /** The faults that no call has met. */
  get pendingFaults(): readonly string[] {
    return this.#faults.pending;
  }

  get requests(): readonly LoggedRequest[] {
    return this.log.requests;
  }

  mark(): number {
    return this.log.mark();
  }

  since(mark: number): readonly LoggedRequest[] {
    return this.log.since(mark);
  }

  writes(mark?: number): readonly LoggedRequest[] {
    return this.log.writes(mark);
  }

  expectRefusals(matcher: RefusalMatcher): void {
    this.log.expect(matcher);
  }

  assertNoRefusals(mark?: number): void {
    this.log.assertNoRefusals(mark);
  }

  snapshot(): Readonly<Record<string, unknown>> {
    return snapshot(this.cluster);
  }

  #need(vmid: number): Vm {
    const vm = this.vm(vmid);
    if (vm === undefined) throw new Error(`there is no VM ${vmid}`);
    return vm;
  }

  #volumes(volid: string, node: string | undefined): readonly Volume[] {
    if (node !== undefined)
      return [lookUp(this.cluster, node, volid)].filter((volume) => volume !== undefined);
    return [...this.cluster.volumes].filter((volume) => volumeId(volume) === volid);
  }

  #volume(volid: string, node: string | undefined): Volume {
    const found = this.#volumes(volid, node);
    if (found.length !== 1) throw new Error(`${found.length} volumes are called ${volid}`);
    return found[0]!;
  }
}
