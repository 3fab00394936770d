import type { Complete } from "../../config/defaults.ts";
import type { TalosVm, Vm } from "./config.ts";

/** A config that is complete: every default filled in. Nothing is decided after this. */
export interface Model {
  /** Name of the config, as headers mention it. */
  readonly source: string;
  readonly isExample: boolean;
  readonly config: Complete<TalosVm>;
  /** By name, in order; the template is text, also where it is a VMID. */
  readonly vms: readonly CompleteVm[];
}

export interface CompleteVm extends Omit<Complete<Vm>, "template"> {
  readonly name: string;
  readonly template: string;
}
