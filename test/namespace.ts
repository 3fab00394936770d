import { spawnSync } from "node:child_process";

/** Runs the words after it where there is no network but loopback, which takes any address. */
export const inNamespace: readonly string[] = [
  "unshare",
  "--map-root-user",
  "--net",
  "sh",
  "-c",
  'ip link set lo up && OWN_NETWORK=1 exec "$@"',
  "sh",
];

/** Why that cannot be done on this machine, if it cannot. */
export function whyNoNamespace(): string | undefined {
  const [file = "", ...words] = inNamespace;
  const probe = [...words, "ip", "address", "add", "10.0.0.1/32", "dev", "lo"];
  const { error, status, stderr } = spawnSync(file, probe, { encoding: "utf8", timeout: 10_000 });
  if (status === 0) return undefined;
  return `no network namespace: ${(error?.message ?? stderr).trim().split("\n").at(-1)}`;
}
