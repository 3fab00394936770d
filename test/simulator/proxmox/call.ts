import { privilegesOn, root } from "./access-control.ts";
import type { Cluster } from "./cluster.ts";
import type { Parameters } from "./parameters.ts";
import { denied, failure } from "./refusal.ts";
import { isTrue } from "./schema.ts";

/** One request by someone whose identity is known. */
export class Call {
  /** Tasks that this call started and that failed. */
  readonly failedTasks: string[] = [];

  constructor(
    readonly cluster: Cluster,
    readonly user: string,
    readonly parameters: Parameters,
  ) {}

  get isRoot(): boolean {
    return this.user === root;
  }

  get(name: string): string | undefined {
    return this.parameters.get(name);
  }

  /** A parameter that the schema requires. */
  need(name: string): string {
    const value = this.parameters.get(name);
    if (value === undefined) throw failure(`internal error: no parameter '${name}'`);
    return value;
  }

  isSet(name: string): boolean {
    return isTrue(this.parameters.get(name));
  }

  get node(): string {
    return this.need("node");
  }

  get vmid(): number {
    return Number(this.need("vmid"));
  }

  may(path: string, ...privileges: readonly string[]): boolean {
    const held = privilegesOn(this.cluster, this.user, path);
    return this.isRoot || privileges.every((privilege) => held.has(privilege));
  }

  mayAny(path: string, ...privileges: readonly string[]): boolean {
    return privileges.some((privilege) => this.may(path, privilege));
  }

  check(path: string, ...privileges: readonly string[]): void {
    const missing = privileges.find((privilege) => !this.may(path, privilege));
    if (missing !== undefined) throw denied(`${path}, ${missing}`);
  }

  checkAny(path: string, ...privileges: readonly string[]): void {
    if (!this.mayAny(path, ...privileges)) throw denied(`${path}, ${privileges.join("|")}`);
  }
}
