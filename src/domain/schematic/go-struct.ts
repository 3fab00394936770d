import { isAlias, isMap, isScalar, isSeq, Scalar, type Node } from "yaml";

import { compareKeys, findDoubt, resolvePlain, type Value } from "./go-yaml.ts";

/** What is wrong with a schematic, and where in its text. */
export class Fault extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/** A field as Go holds it; a zero one is left out where its struct says omitempty. */
export interface Field {
  readonly value: Value;
  readonly isZero: boolean;
}

/** Reads a field as Go's yaml library would, or stricter; its node is undefined if it is absent or null. */
export type Reader = (node: Node | undefined, path: string) => Field;

/** The readers are in Go's order, which is the order of writing; the fields in `kept` are written even if zero. */
export function struct(readers: Readonly<Record<string, Reader>>, kept: readonly string[] = []): Reader {
  const allowed = Object.keys(readers);
  return (node, path) => {
    const nodes = new Map<string, Node | undefined>();
    for (const { key, keyNode, value } of node ? readPairs(node, path) : []) {
      if (!allowed.includes(key)) throw faultAt(keyNode, join(path, key), `unknown key, ${oneOf(allowed)}`);
      nodes.set(key, readScalar(value) === null ? undefined : value);
    }
    const fields = allowed.map((key) => ({ key, ...readers[key]!(nodes.get(key), join(path, key)) }));
    const written = fields.filter(({ key, isZero }) => !isZero || kept.includes(key));
    return {
      value: new Map(written.map(({ key, value }) => [key, value])),
      isZero: fields.every(({ isZero }) => isZero),
    };
  };
}

export function listOf(read: Reader): Reader {
  return (node, path) => {
    const value = (node ? readItems(node, path) : []).map((item, index) => {
      if (readScalar(item) === null) throw faultAt(item, `${path}[${index}]`, "must not be empty");
      return read(item, `${path}[${index}]`).value;
    });
    return { value, isZero: value.length === 0 };
  };
}

export const text: Reader = (node, path) => {
  const value = node ? readText(node, path) : "";
  return { value, isZero: value === "" };
};

/** One of a few names, of which the first is Go's zero. */
export function choice(names: readonly string[]): Reader {
  return (node, path) => {
    const value = node ? readText(node, path) : names[0]!;
    if (node && !names.includes(value)) throw faultAt(node, path, oneOf(names));
    return { value, isZero: value === names[0] };
  };
}

export const flag: Reader = (node, path) => {
  const value = node ? readScalar(node) : false;
  if (node && typeof value !== "boolean") throw faultAt(node, path, "must be true or false");
  return { value: value === true, isZero: value !== true };
};

export function integer(max: bigint): Reader {
  return (node, path) => {
    const value = node ? readScalar(node) : 0n;
    if (typeof value === "bigint" && value >= 0n && value <= max) return { value, isZero: value === 0n };
    throw faultAt(node!, path, `must be an integer from 0 to ${max}`);
  };
}

/** A mapping whose values may be anything. */
export const free: Reader = (node, path) => {
  if (node && !isMap(node)) throw faultAt(node, path, "must be a mapping");
  const value = node ? readFree(node, path) : new Map<string, Value>();
  return { value, isZero: value instanceof Map && value.size === 0 };
};

function readFree(node: Node, path: string): Value {
  if (isSeq(node)) return readItems(node, path).map((item, index) => readFree(item, `${path}[${index}]`));
  if (isMap(node)) {
    const pairs = readPairs(node, path).map(({ key, keyNode, value }): [string, Value] => {
      if (!freeKey.test(key) || typeof readScalar(keyNode) !== "string") {
        throw faultAt(keyNode, path, "a key must be a string of letters, digits, _, . and -, a letter first");
      }
      return [readText(keyNode, join(path, key)), readFree(value, join(path, key))];
    });
    return new Map(pairs.sort(([a], [b]) => compareKeys(a, b)));
  }
  const value = readScalar(node);
  if (value === undefined) throw faultAt(node, path, "must not be an unquoted date, infinity, NaN or -0");
  return typeof value === "string" ? readText(node, path) : value;
}

/** Keys whose order and rendering in Go are certain. */
const freeKey = /^(?!.*[0-9]{18})[A-Za-z][A-Za-z0-9_.-]{0,99}$/;

function readPairs(node: Node, path: string): { key: string; keyNode: Node; value: Node }[] {
  if (!isMap<Node, Node | null>(node)) throw faultAt(node, path, "must be a mapping");
  const keys = new Set<string>();
  return node.items.map(({ key: keyNode, value }) => {
    checkNode(keyNode, path);
    if (!isScalar<string>(keyNode)) throw faultAt(keyNode, path, "a key must be a string");
    const key = keyNode.value;
    if (keys.has(key)) throw faultAt(keyNode, join(path, key), "the key is here twice");
    keys.add(key);
    return { key, keyNode, value: value ? checkNode(value, join(path, key)) : new Scalar("") };
  });
}

function readItems(node: Node, path: string): Node[] {
  if (!isSeq<Node>(node)) throw faultAt(node, path, "must be a list");
  return node.items.map((item, index) => checkNode(item, `${path}[${index}]`));
}

function checkNode(node: Node, path: string): Node {
  if (isAlias(node) || node.anchor !== undefined || node.tag !== undefined) {
    throw faultAt(node, path, "an anchor, alias or tag is not supported here");
  }
  return node;
}

/** Go takes an unquoted number or boolean as text too, but in some releases not a date. */
function readText(node: Node, path: string): string {
  if (!isScalar<string>(node)) throw faultAt(node, path, "must be a string");
  if (readScalar(node) === undefined) throw faultAt(node, path, "must be in quotes to be a string");
  const doubt = findDoubt(node.value);
  const reason = "releases of the Image Factory write it differently, so the id is not certain";
  if (doubt) throw faultAt(node, path, `must not ${doubt}: ${reason}`);
  return node.value;
}

/** What Go reads in a scalar; undefined if the node is none, or one that a schematic cannot hold. */
function readScalar(node: Node): Value | undefined {
  if (!isScalar<string>(node)) return undefined;
  return node.type === undefined || node.type === Scalar.PLAIN ? resolvePlain(node.value) : node.value;
}

function faultAt(node: Node, path: string, rule: string): Fault {
  return new Fault(node.range?.[0] ?? 0, `${path || "schematic"}: ${rule}`);
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

function oneOf(names: readonly string[]): string {
  return `must be one of ${names.map((name) => `"${name}"`).join(", ")}`;
}
