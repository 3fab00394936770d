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
  for (const volume of volumes) serials[volume] = memory?.volumes[volume]?.serial || serialOf(volume);
  return serials;
}

function serialOf(volume: string): string {
  if (volume.length <= SERIAL_LENGTH) return volume;
  const hash = createHash("sha256").update(volume).digest("hex").slice(0, 8);
  return `${volume.slice(0, SERIAL_LENGTH - hash.length - 1)}-${hash}`;
}
