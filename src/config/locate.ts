import { isMap, isScalar, isSeq } from "yaml";
import type { Node } from "yaml";
import type { Lines, Place } from "./lines.ts";
import type { Finding, Path, Problem } from "../problem.ts";
import type { Entries } from "./yaml-data.ts";

interface Range {
  readonly start: number;
  readonly end: number;
}

interface Target {
  readonly key: Node | undefined;
  readonly value: Node | null;
}

export interface Source {
  readonly file: string;
  readonly text: string;
  readonly lines: Lines;
  readonly root: Node;
  readonly entries: Entries;
  /** Takes secrets out of words. */
  readonly blot: (words: string) => string;
}

/** Makes the function that gives a finding its place in the file. */
export function locator({ file, text, lines, root, entries, blot }: Source): (finding: Finding) => Problem {
  /** The node at a path, or the last one on the way to it that exists; an alias ends the way. */
  const find = (path: Path): Target => {
    let target: Target = { key: undefined, value: root };
    for (const step of path) {
      const { value } = target;
      if (typeof step === "string" && isMap(value)) {
        const pair = entries.get(value)?.get(step);
        if (pair === undefined) break;
        target = { key: pair.key, value: pair.value };
      } else if (typeof step === "number" && isSeq(value) && value.items[step] !== undefined) {
        target = { key: undefined, value: value.items[step] as Node };
      } else {
        break;
      }
    }
    return target;
  };

  const range = ({ path, at }: Finding): Range => {
    const { key, value } = find(path);
    // The config as a whole has no line of its own.
    if (value === root) return { start: 0, end: 0 };
    const node = at === "key" && key !== undefined ? key : (value ?? key ?? root);
    const [start, end] = node.range ?? [0, 1];
    // An empty value has no text of its own: point at its key.
    return start === end && key?.range ? { start: key.range[0], end: key.range[1] } : { start, end };
  };

  return (finding) => {
    const { hint, other, offset, message, path, ...rest } = finding;
    const { start, end } = range(finding);
    const inside = offset === undefined ? undefined : placeInside(find(path).value, text, lines, offset);
    const from = inside ?? lines.place(start);
    const to =
      inside === undefined
        ? lines.place(trimEnd(text, start, end))
        : { ...inside, column: lines.line(inside.line).length + 1 };
    const suffix =
      other === undefined ? "" : ` (line ${lines.place(range({ ...finding, path: other }).start).line})`;
    const hintText = typeof hint === "function" ? hint(text.slice(start, end)) : hint;
    return {
      ...rest,
      path: path.map((step) => (typeof step === "string" ? blot(step) : step)),
      message: blot(message) + suffix,
      ...(hintText === undefined ? {} : { hint: blot(hintText) }),
      file,
      line: from.line,
      column: from.column,
      endLine: to.line,
      endColumn: to.column,
    };
  };
}

/** Block values reach to the next key; their last line is the last one with text in it. */
function trimEnd(text: string, start: number, end: number): number {
  if (start === end) return end;
  let last = end;
  while (last > start + 1 && /\s/.test(text.charAt(last - 1))) last--;
  return Math.max(last, start + 1);
}

/** Where a line of a text value stands in the file; undefined where the file does not have it as one piece. */
function placeInside(node: Node | null, text: string, lines: Lines, offset: Place): Place | undefined {
  if (!isScalar(node) || typeof node.value !== "string" || !node.range) return undefined;
  const wanted = node.value.split("\n")[offset.line - 1] ?? "";
  const [start, end] = node.range;
  const first = lines.place(start);
  if (node.type === "BLOCK_LITERAL") {
    const line = first.line + offset.line;
    const source = lines.line(line);
    return source.endsWith(wanted)
      ? { line, column: source.length - wanted.length + offset.column }
      : undefined;
  }
  const source = text.slice(start, end);
  const quotes = source === node.value ? 0 : source.slice(1, -1) === node.value ? 1 : undefined;
  if (quotes === undefined || source.includes("\n")) return undefined;
  return { line: first.line, column: first.column + quotes + offset.column - 1 };
}
