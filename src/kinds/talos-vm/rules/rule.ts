import type { Sound } from "../../../kind.ts";
import * as shared from "../../../rule.ts";
import type { TalosVm } from "../config.ts";
import type { Memory } from "../memory.ts";

export type Config = Sound<TalosVm>;
export type Vm = Sound<TalosVm["vms"][string]>;
export type Context = shared.Context<Config, Memory>;
export type Rule = shared.Rule<Config, Memory>;

export const rule = shared.createRule<Config, Memory>;
