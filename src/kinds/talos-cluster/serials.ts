import { createHash } from "node:crypto";
import type { Memory } from "./memory.ts";

/** As many characters as QEMU hands over to the guest. */
const SERIAL_LENGTH = 20;

/**
 * The serial that Talos finds the disk of a volume by: its name, or as much of it as fits with a piece of its hash. Once
 * given it stays, since Talos looks for the disk anew at every boot.
 */
export function allocateSerials(
  volumes: readonly string[],
  memory: Memory | undefined,
): Record<string, string> {
  const serials: Record<string, string> = Object.create(null);
  for (const volume of volumes) {
    const known = memory?.volumes[volume]?.serial;
    if (known) serials[volume] = known;
  }
  const taken = new Set(Object.values(serials));
  for (const volume of volumes) {
    if (serials[volume] !== undefined) continue;
    const serial = firstFree(candidates(volume), taken);
    serials[volume] = serial;
    taken.add(serial);
  }
  return serials;
}

/** A name may look like what was made of another one, so there is always a next one. */
function* candidates(volume: string): Generator<string> {
  if (volume.length <= SERIAL_LENGTH) yield volume;
  for (let salt = ""; ; salt += "+") {
    const hash = createHash("sha256").update(volume).update(salt).digest("hex").slice(0, 8);
    yield `${volume.slice(0, SERIAL_LENGTH - hash.length - 1)}-${hash}`;
  }
}

function firstFree(serials: Iterable<string>, taken: ReadonlySet<string>): string {
  for (const serial of serials) if (!taken.has(serial)) return serial;
  throw new Error("no serial is free");
}
