/** `error`: answered with 500 and not done. `drop`: connection cut, not done. `lost`: done, then connection cut. */
export type Fault = "drop" | "error" | "lost";

export interface FaultOptions {
  readonly fault?: Fault;
  /** Which calls count; those that write by default. */
  readonly counts?: "all" | "writes";
  /** Of these, only those whose method, path and body match: `POST /nodes/pve1/qemu vmid=142&name=x`. */
  readonly matching?: RegExp;
}

/** Makes calls to come fail, each planned one once. */
export class Faults {
  readonly #planned = new Set<{ left: number } & Required<FaultOptions>>();

  /** The n-th call from now, counted from 1. */
  plan(n: number, { fault = "error", counts = "writes", matching = /^/ }: FaultOptions = {}): void {
    this.#planned.add({ left: n, fault, counts, matching });
  }

  next(method: string, path = "", body = ""): Fault | undefined {
    let due: Fault | undefined;
    for (const planned of this.#planned) {
      if (planned.counts === "writes" && method === "GET") continue;
      if (!planned.matching.test(`${method} ${path} ${body}`)) continue;
      planned.left -= 1;
      if (planned.left > 0) continue;
      due = planned.fault;
      this.#planned.delete(planned);
    }
    return due;
  }

  /** What was planned and not yet met. */
  get pending(): readonly string[] {
    return [...this.#planned].map(({ matching }) => matching.source);
  }
}
