import { mkdtempSync, readdirSync, rmdirSync, statSync, unlinkSync } from "node:fs";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import { kill, pid } from "node:process";
import { codeOf } from "./disk.ts";
import { OWN_PREFIX } from "./tree-path.ts";
import { WriteError } from "./write-error.ts";

/*
 * A run that writes has a folder of its own in `--out`, named for its host and process. The folder holds what is
 * not yet renamed into the tree, and says to other runs that somebody is writing. Since no two runs ever share a
 * name, the folder of a dead run can be removed by anyone at any time, without a race.
 */

const HOST = hostname()
  .replace(/[^A-Za-z0-9]/g, "-")
  .slice(0, 60);
const CLAIM = /^\.gen-talos-module\.([A-Za-z0-9-]*)\.([0-9]+)\.[A-Za-z0-9]{6}$/;
const STAGED = /^[0-9]+\.tmp$/;

/** How long to wait for another run, and after which time a run on another host has surely ended. */
const PATIENCE_MS = 10_000;
const ABANDONED_MS = 60_000;

/** Names of the folders that are claimed inside of this process. */
const held = new Set<string>();

/** The folder of this run once no other run is writing. Fails when another one does not end. */
export async function claim(out: string, patienceMs = PATIENCE_MS): Promise<string> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    // First show the own claim, then look for others: of two runs, the later one always sees the earlier.
    const own = mkdtempSync(join(out, `${OWN_PREFIX}${HOST}.${pid}.`));
    held.add(basename(own));
    const others = claimsIn(out).filter((folder) => folder !== own);
    const busy = others.find(isAlive);
    if (busy === undefined) {
      others.forEach(release);
      return own;
    }
    release(own);
    if (Date.now() > deadline)
      throw new WriteError(
        `another run is writing to ${out}: wait for it, then run again; if there is none, remove ${busy}`,
      );
    await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 20));
  }
}

/** Folders of runs that are writing, or were killed. */
export function claimsIn(out: string): readonly string[] {
  const entries = readdirSync(out, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && CLAIM.test(entry.name))
    .map(({ name }) => join(out, name));
}

/** Removes the folder of a run with what it staged, and nothing that it did not. */
export function release(folder: string): void {
  held.delete(basename(folder));
  try {
    for (const name of readdirSync(folder)) if (STAGED.test(name)) unlinkSync(join(folder, name));
    rmdirSync(folder);
  } catch {
    // Another run was faster, or the folder holds something foreign; it is in nobody's way.
  }
}

function isAlive(folder: string): boolean {
  const name = basename(folder);
  const [, host, process] = CLAIM.exec(name) ?? [];
  if (host !== HOST) {
    const since = statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
    return since !== undefined && Date.now() - since < ABANDONED_MS;
  }
  // In a container every run has the same number, and after a kill this one is taken for the run that was killed.
  if (Number(process) === pid) return held.has(name);
  try {
    kill(Number(process), 0);
    return true;
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}
