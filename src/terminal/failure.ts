import { WriteError } from "../writing/write-error.ts";

/** A reason to stop that the user can do something about: shown as it is, without a stack trace. */
export class Refusal extends Error {}

export interface Failure {
  readonly message: string;
  /** Only for a mistake of this program. */
  readonly stack?: string;
}

/** What to tell the user about anything that was thrown. */
export function describeFailure(thrown: unknown): Failure {
  if (thrown instanceof Refusal || thrown instanceof WriteError) return { message: thrown.message };
  if (isSystemError(thrown)) return { message: describeSystemError(thrown) };
  const stack = thrown instanceof Error && thrown.stack !== undefined ? thrown.stack : String(thrown);
  return { message: "this is a mistake of gen-talos-module, please report it with the lines below", stack };
}

export function isMissing(thrown: unknown): boolean {
  return isSystemError(thrown) && (thrown.code === "ENOENT" || thrown.code === "ENOTDIR");
}

interface SystemError extends Error {
  readonly code: string;
  readonly syscall: string;
  readonly path?: string;
}

function isSystemError(thrown: unknown): thrown is SystemError {
  return (
    thrown instanceof Error && "code" in thrown && "syscall" in thrown && typeof thrown.code === "string"
  );
}

/** `EACCES: permission denied, open '/x'` as `cannot open /x: permission denied (EACCES)`. */
function describeSystemError({ code, syscall, path, message }: SystemError): string {
  const reason = message.replace(`${code}: `, "").replace(/, \w+( '.*)?$/s, "");
  return `cannot ${syscall}${path === undefined ? "" : ` ${path}`}: ${reason} (${code})`;
}
