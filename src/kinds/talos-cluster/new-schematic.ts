import type { Surroundings } from "../../kind.ts";
import { render } from "../../rendering/render.ts";

/** Where the schematic is kept that is written when the user has none. */
export const DEFAULT_SCHEMATIC = "assets/talos/schematic.yaml";

/** The schematic that this run writes; null if the user names one, or if there is one. */
export function newSchematicOf(
  image: { readonly schematic_path?: unknown } | undefined,
  { read }: Pick<Surroundings, "read">,
): string | null {
  return image?.schematic_path === undefined && read(DEFAULT_SCHEMATIC) === undefined
    ? render(`talos-cluster/${DEFAULT_SCHEMATIC}`, {})
    : null;
}
