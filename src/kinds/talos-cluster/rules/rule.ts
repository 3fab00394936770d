import type { Sound } from "../../../kind.ts";
import * as shared from "../../../rule.ts";
import type { TalosCluster } from "../config.ts";
import type { Memory } from "../memory.ts";

export { blame, entries, entryOf } from "../../../rule.ts";
export type { Say } from "../../../rule.ts";

export type Config = Sound<TalosCluster>;
export type Node = Sound<TalosCluster["nodes"][string]>;
export type Volume = Sound<NonNullable<TalosCluster["volumes"]>[string]>;
export type Context = shared.Context<Config, Memory>;
export type Rule = shared.Rule<Config, Memory>;

export const rule = shared.createRule<Config, Memory>;
