import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** A folder below golden/: a config, the user's own files, and the whole tree that they become. */
export interface Case {
  readonly name: string;
  /** Which system the config describes. */
  readonly kind: string;
  /** The config, cluster.yaml. */
  readonly config: string;
  /** What the user keeps in the tree, if anything: it is there before the first run. */
  readonly files: string;
  readonly tree: string;
}

const folder = fileURLToPath(new URL("../../golden/", import.meta.url));

export const cases: readonly Case[] = readdirSync(folder)
  .sort()
  .map((name) => ({
    name,
    kind: kindOf(join(folder, name, "cluster.yaml")),
    config: join(folder, name, "cluster.yaml"),
    files: join(folder, name, "files"),
    tree: join(folder, name, "tree"),
  }));

/** The cases of one kind. */
export function casesOf(kind: string): readonly Case[] {
  return cases.filter((one) => one.kind === kind);
}

function kindOf(config: string): string {
  return /^kind: (\S+)$/m.exec(readFileSync(config, "utf8"))?.[1] ?? "talos-cluster";
}

/** The case of this name. */
export function caseOf(name: string): Case {
  const found = cases.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no folder golden/${name}`);
  return found;
}

/** Lays the user's own files where the tree will be. */
export function layFiles({ files }: Case, out: string): void {
  if (existsSync(files)) cpSync(files, out, { recursive: true });
}

/** Every file below a folder: path with forward slashes → text. Sorted. */
export function readTree(path: string): Map<string, string> {
  if (!existsSync(path)) return new Map();
  const names = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1));
  const texts = names.map((name): [string, string] => [
    name.split(sep).join("/"),
    readFileSync(join(path, name), "utf8"),
  ]);
  return new Map(texts.sort(([a], [b]) => (a < b ? -1 : 1)));
}
