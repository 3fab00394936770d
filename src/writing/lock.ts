import { json } from "../rendering/prose.ts";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { look, lookAtOut } from "./disk.ts";
import type { Tree } from "../tree.ts";
import { isTreePath } from "./tree-path.ts";

/** The file that is committed with the tree and remembers what must never shift. */
export const LOCK_NAME = "gen-talos-module.lock.json";

export const LOCK_FORMAT = 1;

export interface Lock {
  readonly format: typeof LOCK_FORMAT;
  readonly kind: string;
  /** Name of the config that the tree was generated from; null for the built-in example. */
  readonly source: string | null;
  /** Path → sha256 of the text as it was written. Files written once are not in it. */
  readonly files: Readonly<Record<string, string>>;
  /** While a run writes, and after it was interrupted: path → sha256 of what it is about to write. */
  readonly pending?: Readonly<Record<string, string>>;
  /** What the kind wants to know at its next run; undefined when the first run was interrupted. */
  readonly memory: unknown;
}

/** The lock that belongs to a tree. */
export function lockFor(kind: string, source: string | null, tree: Tree, memory: unknown): Lock {
  const generated = [...tree].filter(([, file]) => !file.once);
  const files = Object.fromEntries(generated.map(([path, file]) => [path, sha256(file.text)]));
  return { format: LOCK_FORMAT, kind, source, files, memory };
}

export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** The lock of a tree, undefined where there is none yet. A fault is one sentence; then nothing may be written. */
export async function readLock(out: string): Promise<{ lock: Lock | undefined } | { fault: string }> {
  const obstacle = lookAtOut(out);
  if (obstacle !== undefined) return { fault: obstacle };
  const found = look(out, LOCK_NAME);
  if (found.is === "missing") return { lock: undefined };
  if (found.is === "obstacle") return { fault: `${join(out, LOCK_NAME)} ${found.reason}` };
  const lock = parseLock(found.bytes.toString());
  return typeof lock === "string" ? { fault: `${join(out, LOCK_NAME)} ${lock}` } : { lock };
}

/** What to say of a lock whose memory has not the form that its kind gives it. */
export function foreignMemory(out: string): string {
  return `${join(out, LOCK_NAME)} has a memory that no run has written: ${RESTORE}`;
}

/** Stable JSON: keys sorted at every depth, two spaces, a final newline. The memory is sealed by its own hash. */
export function formatLock(lock: Lock): string {
  const known = formatted.get(lock);
  if (known !== undefined) return known;
  const text = stableJson({ ...lock, memory_sha256: seal(lock.memory) });
  formatted.set(lock, text);
  return text;
}

/** A run compares its locks again and again, and never changes one. */
const formatted = new WeakMap<Lock, string>();

/** Two halves of a merged memory may not fit together, so a memory that no run has written is not trusted. */
function seal(memory: unknown): string {
  return sha256(stableJson(memory ?? null));
}

function stableJson(value: unknown): string {
  return json(value, (_, item) => (isObject(item) ? sorted(item) : item));
}

export function isSameLock(one: Lock | undefined, other: Lock | undefined): boolean {
  return (one && formatLock(one)) === (other && formatLock(other));
}

/** The lock in this text, or what is wrong with it. */
function parseLock(text: string): Lock | string {
  if (/^(<{7}|>{7}|={7}|\|{7})( |\r?$)/m.test(text)) {
    return "has merge-conflict markers: take the side whole that was applied last (git checkout --ours or --theirs), then generate again";
  }
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return `is not valid JSON: ${RESTORE}`;
  }
  if (!isObject(data) || !Number.isInteger(data.format)) return `is not a lock: ${RESTORE}`;
  const { format, kind, source, files, pending, memory, memory_sha256 } = data;
  if (Number(format) > LOCK_FORMAT) return "was written by a newer gen-talos-module: install that version";
  if (format !== LOCK_FORMAT) return `has an unknown format ${String(format)}: ${RESTORE}`;
  if (typeof kind !== "string" || !(typeof source === "string" || source === null)) {
    return `is not a lock: ${RESTORE}`;
  }
  for (const hashes of pending === undefined ? [files] : [files, pending]) {
    if (!isObject(hashes)) return `is not a lock: ${RESTORE}`;
    for (const [path, hash] of Object.entries(hashes)) {
      if (!isTreePath(path) || path === LOCK_NAME || path === "__proto__") {
        return `names a file that no run has written, ${JSON.stringify(path)}: ${RESTORE}`;
      }
      if (typeof hash !== "string" || !/^[0-9a-f]{64}$/.test(hash)) return `is not a lock: ${RESTORE}`;
    }
  }
  if (!isTame(memory, 0)) return `is not a lock: ${RESTORE}`;
  if (memory_sha256 !== seal(memory)) return `has a memory that was edited or merged by hand: ${RESTORE}`;
  // Only what was checked is taken over; a foreign key is dropped.
  return {
    format: LOCK_FORMAT,
    kind,
    source,
    files: files as Record<string, string>,
    ...(pending === undefined ? {} : { pending: pending as Record<string, string> }),
    memory,
  };
}

const RESTORE = "restore it from version control";

/** No deeper than a memory ever is, and no key that could reach a prototype. */
function isTame(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depth > 20 || Object.hasOwn(value, "__proto__")) return false;
  return Object.values(value).every((item) => isTame(item, depth + 1));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sorted(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
