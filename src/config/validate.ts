import type { Kind, SchemaError } from "../kind.ts";
import { pointer, steps, without } from "./pointer.ts";
import { error } from "../problem.ts";
import type { Finding, Path } from "../problem.ts";
import { explain, intended } from "./schema-messages.ts";
import { findSecrets } from "./secrets.ts";

/** More than this nobody reads, and each takes time. */
const MOST_EXPLAINED = 1000;

export interface Validation {
  readonly findings: readonly Finding[];
  /** The data for the rules: whatever is wrong is undefined there, while its key still is. */
  readonly sound: unknown;
}

/** Checks the data against its kind's schema, and for secrets. */
export function validateConfig(data: unknown, kind: Kind): Validation {
  const secrets = findSecrets(data);
  const findings = secrets.map(({ finding }) => finding);
  const secretPaths = new Set(secrets.map(({ path }) => pointer(path)));
  const removed = new Map<string, string>();
  for (const { path, finding } of secrets) {
    // A name that is a secret leaves nothing to say about the names beside it.
    const whole = finding.at === "key" && path.length > 1 ? path.slice(0, -1) : wholeValue(path);
    removed.set(pointer(whole), String(whole.at(-1)));
  }
  const isSecret = (path: Path): boolean =>
    secretPaths.size > 0 && path.some((_, index) => secretPaths.has(pointer(path.slice(0, index + 1))));

  const faults = kind.validate(data) ? [] : (kind.validate.errors ?? []);
  for (const fault of faults.slice(0, MOST_EXPLAINED)) {
    const finding = explain(fault, steps(fault.instancePath, data), kind);
    if (finding === undefined || isSecret(finding.path)) continue;
    findings.push(finding);
    if (fault.keyword === "required") continue;
    const wrong = wholeValue(finding.path);
    removed.set(pointer(wrong), meantKey(fault, kind) ?? String(wrong.at(-1)));
  }
  if (faults.length > MOST_EXPLAINED) {
    const message = `more than ${MOST_EXPLAINED} things are wrong here; the rest is not listed`;
    return { findings: [...findings, error("too-many", [], message, "is this the right file?")], sound: {} };
  }
  return { findings, sound: removed.size === 0 ? data : without(data, removed) };
}

/** A list is wrong as a whole, so that no other entry of it changes its place. */
function wholeValue(path: Path): Path {
  const entry = path.findIndex((step) => typeof step === "number");
  return entry === -1 ? path : path.slice(0, entry);
}

/** The key that a misspelt one stands for: that one is not missing, its value is unknown. */
function meantKey({ keyword, params, parentSchema }: SchemaError, kind: Kind): string | undefined {
  if (keyword !== "additionalProperties") return undefined;
  const { properties = {} } = parentSchema as { properties?: object };
  return intended(String(params.additionalProperty), Object.keys(properties), kind);
}
