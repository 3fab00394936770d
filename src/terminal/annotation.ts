import type { Severity } from "../problem.ts";

/** The workflow command that makes GitHub show a message that has no place in a file. */
export function annotate(severity: Severity, message: string): string {
  return `::${severity}::${escapeMessage(message)}`;
}

/** A message inside a workflow command. */
export function escapeMessage(message: string): string {
  return message.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
