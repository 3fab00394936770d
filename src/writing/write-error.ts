import { sayError } from "./disk.ts";
import { OWN_PREFIX } from "./tree-path.ts";

/** What the user is told when the tree could not be written: one sentence that names the path. */
export class WriteError extends Error {
  override readonly name = "WriteError";
}

export function changedMeanwhile(out: string): WriteError {
  return new WriteError(`another run has changed ${out} in the meantime: run again`);
}

/** An error of the system, put into words. Any other error is our own fault and stays what it is. */
export function asWriteError(error: unknown, out: string, ending = ""): unknown {
  if (!(error instanceof Error) || !("syscall" in error)) return error;
  const place = ["dest" in error && error.dest, "path" in error && error.path].find(
    (name) => typeof name === "string",
  );
  const named = typeof place !== "string" || place.includes(OWN_PREFIX) ? out : place;
  return new WriteError(`${named} cannot be written: ${sayError(error)}${ending}`);
}
