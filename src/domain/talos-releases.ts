import type { Path } from "../problem.ts";
import type { Say } from "../rule.ts";
import { compare, minorOf, parseVersion } from "./version.ts";

/** The network documents that the trees are built from came with it. */
const OLDEST_TALOS = 12;
/** Minor release of the talos provider → newest minor release of Talos 1 that it knows. */
const TALOS_OF_PROVIDER: Readonly<Record<number, number>> = { 10: 12, 11: 13 };
const OLDEST_TALOS_PROVIDER = "0.10.0";
/** Minor release of Talos 1 → oldest and newest minor release of Kubernetes 1 that it supports. */
const KUBERNETES_OF_TALOS: Readonly<Record<number, readonly [number, number]>> = {
  12: [30, 35],
  13: [31, 36],
};

/** A place where a config names a Talos release. */
export interface TalosVersion {
  readonly path: Path;
  readonly text: string;
}

/** Refuses what lacks something that the tree configures. */
export function refuseOldTalos(versions: readonly TalosVersion[], what: string, say: Say): void {
  for (const { path, text } of versions) {
    if (compare(text, `1.${OLDEST_TALOS}.0-0`) >= 0) continue;
    const message = `Talos ${text} is too old: ${what} are configured in a way that came with v1.${OLDEST_TALOS}.0`;
    say.error(path, message);
  }
}

/** Refuses what the provider of this version has not heard of. */
export function refuseNewTalos(
  versions: readonly TalosVersion[],
  provider: string | undefined,
  say: Say,
): void {
  const newest = TALOS_OF_PROVIDER[minorOf(provider, 0) ?? NaN];
  for (const { path, text } of newest === undefined ? [] : versions) {
    if (compare(text, `1.${(newest ?? 0) + 1}.0-0`) < 0) continue;
    const message = `the talos provider ${provider} knows Talos up to 1.${newest}, not ${text}`;
    say.error(path, message, { hint: "set providers.talos to a release that knows it, if there is one" });
  }
}

export function refuseOldTalosProvider(provider: string | undefined, say: Say): void {
  if (provider === undefined || compare(provider, OLDEST_TALOS_PROVIDER) >= 0) return;
  const message = `the tree needs ${OLDEST_TALOS_PROVIDER} or newer, the first that knows Talos 1.${OLDEST_TALOS}, not ${provider}`;
  say.error(["providers", "talos"], message);
}

export function warnOfUnknownTalosProvider(provider: string | undefined, say: Say): void {
  if (provider === undefined || compare(provider, OLDEST_TALOS_PROVIDER) < 0) return;
  const isKnown =
    parseVersion(provider)?.[0] === 0 && TALOS_OF_PROVIDER[minorOf(provider, 0) ?? NaN] !== undefined;
  if (isKnown) return;
  const message = `which Talos releases the talos provider ${provider} knows is not known here, so that is not checked`;
  say.warning(["providers", "talos"], message);
}

/** What Talos of a version says of a Kubernetes release that it does not support; undefined where it does, or is not known. */
export function outsideOfWindow(kubernetes: string, talos: string): string | undefined {
  const window = KUBERNETES_OF_TALOS[minorOf(talos, 1) ?? NaN];
  if (window === undefined) return undefined;
  const [oldest, newest] = window;
  const isInside =
    compare(kubernetes, `1.${oldest}.0-0`) >= 0 && compare(kubernetes, `1.${newest + 1}.0-0`) < 0;
  return isInside ? undefined : `1.${oldest} to 1.${newest}`;
}

/** The Kubernetes release that a Talos release brings: of the newest minor one that it supports. */
export function defaultKubernetes(talos: string): string | undefined {
  const newest = KUBERNETES_OF_TALOS[minorOf(talos, 1) ?? NaN]?.[1];
  return newest === undefined ? undefined : `v1.${newest}.0`;
}

/** Whether a Talos release came after those that are known here. */
export function isNewerThanKnown(talos: string): boolean {
  const newest = Math.max(...Object.keys(KUBERNETES_OF_TALOS).map(Number));
  return compare(talos, `1.${newest + 1}.0-0`) >= 0;
}
