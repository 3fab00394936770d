import { isAlias, isMap, isScalar, isSeq } from "yaml";
import type { Node, Pair, Scalar, YAMLMap } from "yaml";
import { FORBIDDEN } from "./text.ts";
import { quote } from "../problem.ts";
import type { Fault } from "./yaml.ts";

/** Aliases may repeat this many values in all; more is an attack, or a mistake. */
const MAX_REPEATED = 100_000;
const MAX_DEPTH = 64;
const CORE_TAGS = /^(!|tag:yaml\.org,2002:(str|int|float|bool|null|map|seq))$/;

/** The pairs of every map by key, as places are looked up in them. */
export type Entries = ReadonlyMap<YAMLMap, ReadonlyMap<string, Pair<Node, Node | null>>>;

export interface Reading {
  readonly data: unknown;
  readonly entries: Entries;
  readonly faults: readonly Fault[];
}

/** One value with the number of values in it, itself included, and how deep it goes. */
interface Value {
  readonly data: unknown;
  readonly size: number;
  readonly depth: number;
}

/**
 * Plain data of a YAML document. Maps have no prototype, so no name means anything to JavaScript; text is NFC.
 * What an alias repeats is shared and counted, never copied, so that no input takes more than linear time.
 */
export function readData(root: Node): Reading {
  const faults: Fault[] = [];
  const entries = new Map<YAMLMap, Map<string, Pair<Node, Node | null>>>();
  const anchors = new Map<string, Value | "open">();
  const trail: (string | number)[] = [];
  let repeated = 0;

  const fault = (
    rule: Fault["rule"],
    node: Node | null,
    message: string,
    hint?: string,
    first?: Node,
  ): void => {
    const [start, end] = node?.range ?? [0, 1];
    const more = {
      ...(hint === undefined ? {} : { hint }),
      ...(first?.range ? { first: first.range[0] } : {}),
    };
    faults.push({ rule, path: [...trail], start, end, message, ...more });
  };

  const leaf = (data: unknown): Value => ({ data, size: 1, depth: 1 });

  const read = (node: Node | null): Value => {
    if (node === null) return leaf(null);
    if (isAlias(node)) return repeat(node.source, node);
    if (node.tag !== undefined && !CORE_TAGS.test(node.tag)) {
      fault(
        "yaml-tag",
        node,
        `the tag ${node.tag.replace(/^tag:yaml\.org,2002:/, "!!")} means nothing here`,
        "write the value without a tag",
      );
    }
    const anchor = isMap(node) || isSeq(node) || isScalar(node) ? node.anchor : undefined;
    if (anchor !== undefined) anchors.set(anchor, "open");
    const value = isMap(node)
      ? map(node)
      : isSeq(node)
        ? list(node.items as Node[])
        : leaf(scalar(node as Scalar));
    if (anchor !== undefined) anchors.set(anchor, value);
    return value;
  };

  const repeat = (name: string, node: Node): Value => {
    const value = anchors.get(name);
    if (value === undefined || value === "open") {
      const message =
        value === "open" ? `*${name} repeats the value that it stands in` : `there is no &${name} above`;
      fault("yaml-aliases", node, message, "write the value itself");
      return leaf(null);
    }
    const before = repeated;
    repeated += value.size;
    if (before <= MAX_REPEATED && repeated > MAX_REPEATED) {
      fault(
        "yaml-aliases",
        node,
        `aliases repeat more than ${MAX_REPEATED} values`,
        "write the values themselves",
      );
    }
    return repeated > MAX_REPEATED ? leaf(null) : value;
  };

  const scalar = (node: Scalar): unknown => {
    if (typeof node.value !== "string") return node.value;
    if (FORBIDDEN.test(node.value)) {
      fault(
        "yaml-encoding",
        node,
        "holds NUL or half of a surrogate pair, which no text can",
        "remove the escape",
      );
    }
    return node.value.normalize("NFC");
  };

  const list = (items: readonly Node[]): Value => {
    const values = items.map((item, index) => below(index, item));
    return { data: values.map(({ data }) => data), ...measure(values) };
  };

  const map = (node: YAMLMap): Value => {
    const data = Object.create(null) as Record<string, unknown>;
    const pairs = new Map<string, Pair<Node, Node | null>>();
    const values: Value[] = [];
    entries.set(node, pairs);
    for (const pair of node.items as Pair<Node, Node | null>[]) {
      const key = name(pair.key);
      if (key === undefined) continue;
      const first = pairs.get(key);
      if (first !== undefined) {
        fault(
          "yaml-duplicate-key",
          pair.key,
          `the key ${quote(key)} is already here`,
          "keep one of the two",
          first.key,
        );
        continue;
      }
      pairs.set(key, pair);
      const value = below(key, pair.value);
      values.push(value);
      data[key] = value.data;
    }
    return { data, ...measure(values) };
  };

  /** The key as text; anything else would be taken for text by some tools and for a number by others. */
  const name = (key: Node): string | undefined => {
    if (isScalar(key) && typeof key.value === "string") {
      if (key.value !== "<<" || key.type !== "PLAIN") return scalar(key) as string;
      fault(
        "yaml-merge",
        key,
        "merge keys are not part of YAML 1.2",
        "write the keys out, or repeat a whole value with *name",
      );
    } else if (isScalar(key) && key.value !== null) {
      const source = key.source ?? String(key.value);
      fault(
        "yaml-key",
        key,
        `the key ${source} is a ${typeof key.value}, not text`,
        `write ${quote(source)}: in quotes`,
      );
    } else {
      fault("yaml-key", key, "a key must be text", "write a name in front of the colon");
    }
    return undefined;
  };

  const below = (step: string | number, node: Node | null): Value => {
    trail.push(step);
    const value = read(node);
    trail.pop();
    if (value.depth + trail.length >= MAX_DEPTH && faults.at(-1)?.rule !== "yaml-too-deep") {
      fault("yaml-too-deep", node, `values are nested deeper than ${MAX_DEPTH} levels`);
    }
    return value;
  };

  return { data: read(root).data, entries, faults };
}

function measure(values: readonly Value[]): { size: number; depth: number } {
  let size = 1;
  let depth = 0;
  for (const value of values) {
    size += value.size;
    depth = Math.max(depth, value.depth);
  }
  return { size, depth: depth + 1 };
}
