import type { Task } from "./tasks.ts";

/** All that a Proxmox VE cluster remembers. */
export interface Storage {
  readonly id: string;
  readonly type: string;
  readonly content: readonly string[];
  readonly isShared: boolean;
  /** Where it is available; everywhere if not given. */
  readonly nodes?: readonly string[];
}

export interface Volume {
  readonly storage: string;
  /** None on a shared storage: all nodes see the same volume. */
  node: string | undefined;
  name: string;
  readonly content: string;
  readonly format: string;
  readonly owner: number | undefined;
  sizeBytes: number;
  /** Of an image that can be imported: what a disk made from it has. */
  readonly virtualSizeBytes?: number;
  /** Put there by a test, in place of data. */
  marker?: string;
}

export interface Vm {
  readonly vmid: number;
  node: string;
  config: Map<string, string>;
  isRunning: boolean;
  /** Sizes of volumes as the running guest sees them, by volume id. */
  readonly guestSizes: Map<string, number>;
  /** What the guest took by DHCP, once it has booted. */
  address?: string;
}

export interface Token {
  readonly secret: string;
  isSeparated: boolean;
  comment: string;
  expire: number;
}

export interface User {
  isEnabled: boolean;
  expire: number;
  password?: string;
  readonly details: Map<string, string>;
  readonly tokens: Map<string, Token>;
}

export interface Acl {
  readonly path: string;
  readonly type: "group" | "token" | "user";
  readonly ugid: string;
  readonly roleid: string;
  propagate: boolean;
}

export interface Pool {
  comment: string;
  readonly vms: Set<number>;
  readonly storages: Set<string>;
}

export interface PciMapping {
  map: readonly string[];
  description: string;
  mdev: boolean;
}

/** What a resolver knows of an address that can be downloaded. */
export interface Image {
  readonly size: number;
  /** Of the disk inside, for images that can be imported; the size of the file if not given. */
  readonly virtualSize?: number;
}

export type Resolver = (url: string) => Image | Promise<Image | undefined> | undefined;

export class Cluster {
  readonly name: string;
  readonly nodes = new Map<string, { readonly bridges: readonly string[] }>();
  readonly storages = new Map<string, Storage>();
  readonly vms = new Map<number, Vm>();
  readonly volumes = new Set<Volume>();
  readonly users = new Map<string, User>();
  readonly groups = new Map<string, Set<string>>();
  readonly roles = new Map<string, ReadonlySet<string>>();
  readonly acl = new Set<Acl>();
  readonly pools = new Map<string, Pool>();
  readonly pciMappings = new Map<string, PciMapping>();
  readonly tasks = new Map<string, Task>();
  readonly tickets = new Map<string, { readonly user: string; readonly csrf: string }>();

  /** Ids of VMs that were destroyed: asking for one again is how a client learns that it is gone. */
  readonly destroyed = new Set<number>();
  /** What the server lets pass although it harms, since the last request. */
  readonly hazards: string[] = [];
  readonly startListeners = new Set<(vm: Vm) => void>();
  readonly stopListeners = new Set<(vm: Vm) => void>();
  resolve: Resolver;

  constructor(name: string, resolve: Resolver) {
    this.name = name;
    this.resolve = resolve;
  }
}
