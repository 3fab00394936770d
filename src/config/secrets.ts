import { Lines } from "./lines.ts";
import { error } from "../problem.ts";
import type { Finding, Path } from "../problem.ts";
import { isSecretPair, plainName, sightings } from "./secret-shapes.ts";

/** A secret in the config: what to say, and the value or key that must go nowhere. */
export interface Secret {
  readonly finding: Finding;
  readonly path: Path;
}

const known = new WeakMap<object, readonly Secret[]>();

/** Everything in keys and values that looks like a secret. Findings never hold the secret itself. */
export function findSecrets(data: unknown): readonly Secret[] {
  const before = isContainer(data) ? known.get(data) : undefined;
  if (before !== undefined) return before;
  const secrets: Secret[] = [];
  // One look at all texts together is enough for nearly every config: no form is made of two lines that have none.
  const isClean = sightings(textsIn(data).join("\n")).length === 0;
  const look = (text: string) => (isClean ? [] : sightings(text));
  const visit = (value: unknown, path: Path): void => {
    const key = path.at(-1);
    if (typeof key === "string" && !isContainer(value) && isNamedSecret(path, key, String(value ?? ""))) {
      secrets.push({ path, finding: refuse(path, "a secret", "value") });
    } else if (typeof value === "string") {
      const [first] = look(value);
      if (first !== undefined) secrets.push({ path, finding: refuse(path, first.what, "value") });
    } else if (isContainer(value)) {
      for (const [name, item] of Object.entries(value)) {
        const [first] = Array.isArray(value) ? [] : look(name);
        const below = [...path, Array.isArray(value) ? Number(name) : name];
        if (first === undefined) visit(item, below);
        else secrets.push({ path: below, finding: refuse(below, first.what, "key") });
      }
    }
  };
  visit(data, []);
  if (isContainer(data)) known.set(data, secrets);
  return secrets;
}

/** Every key and every string. */
function textsIn(data: unknown): string[] {
  if (typeof data === "string") return [data];
  if (!isContainer(data)) return [];
  return Object.entries(data).flatMap(([name, item]) => [name, ...textsIn(item)]);
}

/** The text with every secret in it blotted out. */
export function redact(text: string): string {
  return sightings(text).reduceRight(
    (rest, { start, end }) => `${rest.slice(0, start)}(secret)${rest.slice(end)}`,
    text,
  );
}

/** The same for each key on the way to a value. */
export function redactPath(path: Path): Path {
  return path.map((step) => (typeof step === "string" ? redact(step) : step));
}

/** Lines of a source that must not be shown, since a secret stands there. */
export function secretLines(text: string): Set<number> {
  const hidden = new Set<number>();
  const lines = new Lines(text);
  for (const { start, end } of sightings(text)) {
    const last = lines.place(end).line;
    for (let { line } = lines.place(start); line <= last; line++) hidden.add(line);
  }
  return hidden;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function refuse(path: Path, what: string, at: Finding["at"]): Finding {
  const claim = what === "a secret" ? "is a secret" : `looks like ${what}`;
  return { ...error("secret", path, `${claim}; secrets do not belong in a config`, hintFor(path, what)), at };
}

function isNamedSecret(path: Path, key: string, value: string): boolean {
  return isProxmoxToken(path) || isSecretPair(key, value);
}

/** Whether the keys say that this is the API token, whatever the value: where it belongs is what the user asks. */
function isProxmoxToken(path: Path): boolean {
  const name = plainName(String(path.at(-1)));
  if (!/token(?:secret|value)?$/.test(name)) return false;
  return /^(?:proxmox|pve)/.test(name) || plainName(String(path[0])).startsWith("proxmox");
}

function hintFor(path: Path, what: string): string {
  const isApiToken = /(?:apitoken|tokensecret)$/.test(plainName(String(path.at(-1))));
  if (isProxmoxToken(path) || isApiToken || what === "a Proxmox API token") {
    return "pass it as the environment variable TF_VAR_proxmox_api_token when running tofu";
  }
  if (what === "a private key") return "write the path of the key's file instead";
  if (what.startsWith("an address")) return "write the address without user and password";
  return "keep it out of this file: everything here is written into files that are committed";
}
