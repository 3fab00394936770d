import { formatPatch, structuredPatch } from "diff/lib/patch/create.js";

/** Texts that differ in more lines than this are shown as replaced: comparing them further would take too long. */
const MAX_EDITS = 2000;

/** What changes in one file, as `git apply` reads it; empty where nothing does. Undefined: there is no such file. */
export function unifiedDiff(path: string, before: string | undefined, after: string | undefined): string {
  if (before === after) return "";
  return formatPatch({
    isGit: true,
    isCreate: before === undefined,
    isDelete: after === undefined,
    oldFileName: before === undefined ? "/dev/null" : `a/${path}`,
    newFileName: after === undefined ? "/dev/null" : `b/${path}`,
    oldHeader: undefined,
    newHeader: undefined,
    hunks: hunksOf(before ?? "", after ?? ""),
  });
}

function hunksOf(before: string, after: string) {
  if (before === after) return [];
  const options = { context: 3, maxEditLength: MAX_EDITS };
  const isEdit = before !== "" && after !== "";
  const patch = isEdit ? structuredPatch("", "", before, after, undefined, undefined, options) : undefined;
  return patch?.hunks ?? [replacement(before, after)];
}

/** All lines of the one text out, all of the other in. */
function replacement(before: string, after: string) {
  const removed = linesOf(before);
  const added = linesOf(after);
  return {
    oldStart: 1,
    oldLines: removed.length,
    newStart: 1,
    newLines: added.length,
    lines: [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)],
  };
}

/** The lines without their ends; where the last has none, with git's remark on a line of its own. */
function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  if (text.endsWith("\n")) return text.slice(0, -1).split("\n");
  const lines = text.split("\n");
  return [...lines.slice(0, -1), `${lines.at(-1)}\n\\ No newline at end of file`];
}
