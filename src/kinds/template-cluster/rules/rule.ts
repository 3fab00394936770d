import type { Sound } from "../../../kind.ts";
import * as shared from "../../../rule.ts";
import type { TemplateCluster } from "../config.ts";
import type { Memory } from "../memory.ts";

export type { Say } from "../../../rule.ts";

export type Config = Sound<TemplateCluster>;
export type Context = shared.Context<Config, Memory>;
export type Rule = shared.Rule<Config, Memory>;

export const rule = shared.createRule<Config, Memory>;
