import { fstatSync, writeSync } from "node:fs";
import { codeOf } from "../writing/disk.ts";

/** One of the two streams of a process, by its descriptor. */
export type Descriptor = 1 | 2;

/** Whether a descriptor may be a terminal: pipes and files are none. Asking Node itself loads its streams. */
export function mayBeTerminal(descriptor: Descriptor): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false; // It is closed.
  }
}

/**
 * Writes a text at once, without Node's streams, which take longer to load than most files of a tree to write. `later` gets
 * what a pipe that does not wait has no room for.
 */
export function print(descriptor: Descriptor, text: string, later: (rest: Buffer) => void): void {
  let rest = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
  } catch (error) {
    if (codeOf(error) !== "EAGAIN") throw error;
    later(rest);
  }
}
