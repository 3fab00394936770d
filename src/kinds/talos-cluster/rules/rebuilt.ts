import { list, quote } from "../../../problem.ts";
import { readSchematic } from "../../../domain/schematic/schematic.ts";
import { newSchematicOf } from "../new-schematic.ts";
import { entries, entryOf, rule } from "./rule.ts";
import type { Context } from "./rule.ts";

/** The word that --accept takes for a new image on every machine at once. */
const ALL_AT_ONCE = "image";

const HINT = `for one at a time write the new values as update_version and update_schematic_path and set update on a node; to take an update back, or where nothing was applied yet, run with --accept ${ALL_AT_ONCE}`;

/** A main VM is made anew when its image changes. One at a time is an upgrade; all at once is an outage. */
export const rebuiltRules = [
  rule("rebuilt-together", (context, say) => {
    const { config, memory, surroundings } = context;
    if (memory === undefined) return;
    const current = imageOf(context, false);
    const next = imageOf(context, true);
    const rebuilt = entries(config.nodes).filter(([name, { update }]) => {
      const before = entryOf(memory.nodes, name)?.image;
      const now = update === true ? next : current;
      return before !== undefined && now !== undefined && before !== now;
    });
    const plain = rebuilt.filter(([, { update }]) => update !== true).map(([name]) => name);
    if (plain.length > 0 && !surroundings.accept.has(ALL_AT_ONCE)) {
      say.error(
        ["image"],
        `is another image for ${list(plain.map(quote), "and")}, which rebuilds ${plain.length === 1 ? "it" : "them all at the same time"}`,
        { at: "key", hint: HINT },
      );
    }
    const updated = rebuilt.filter(([, { update }]) => update === true).map(([name]) => name);
    if (updated.length > 1) {
      say.warning(
        ["nodes", updated[1] ?? "", "update"],
        `${list(updated.map(quote), "and")} are rebuilt at the same time`,
        {
          hint: "set it on one node, apply, and go on with the next",
        },
      );
    }
  }),
];

/** The image that a machine would run; unknown where a part of it is wrong. */
function imageOf({ config, given, surroundings }: Context, isUpdate: boolean): string | undefined {
  const { image } = config;
  const path = (isUpdate ? image?.update_schematic_path : undefined) ?? image?.schematic_path;
  const version = (isUpdate ? image?.update_version : undefined) ?? image?.version;
  const text =
    path === undefined
      ? undefined
      : (surroundings.read(path) ?? newSchematicOf(given.image, surroundings) ?? undefined);
  const schematic = text === undefined ? undefined : readSchematic(text);
  if (schematic === undefined || "fault" in schematic) return undefined;
  const parts = [schematic.id, version, image?.platform, image?.arch];
  return parts.includes(undefined) ? undefined : parts.join("-");
}
