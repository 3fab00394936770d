import type { Kind } from "./kind.ts";
import { talosCluster } from "./kinds/talos-cluster/index.ts";
import { talosVm } from "./kinds/talos-vm/index.ts";
import { templateCluster } from "./kinds/template-cluster/index.ts";

/** All kinds of config; the first is meant where a config names none. */
export const kinds: readonly Kind[] = [talosCluster, talosVm, templateCluster];
