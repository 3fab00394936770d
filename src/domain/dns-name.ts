import { quote } from "../problem.ts";

/** What Proxmox, Talos and Kubernetes all take: lower-case labels, with dots between them. */
const DNS_NAME = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;
const LONGEST_LABEL = 63;
const LONGEST_NAME = 253;

/** Why this cannot be the name of a machine. */
export function nameFault(name: string): string | undefined {
  if (!DNS_NAME.test(name))
    return "only lower-case letters, digits, inner hyphens and dots between labels are allowed";
  if (name.length > LONGEST_NAME) return `${name.length} characters, more than ${LONGEST_NAME}`;
  const long = name.split(".").find((label) => label.length > LONGEST_LABEL);
  return long === undefined
    ? undefined
    : `one part has ${long.length} characters, more than ${LONGEST_LABEL}`;
}

/** What to write instead, where small changes make a name of it. */
export function nameHint(name: string): { hint?: string } {
  const fixed = name.toLowerCase().replace(/[_ ]/g, "-");
  return fixed !== name && nameFault(fixed) === undefined ? { hint: `write ${quote(fixed)}` } : {};
}
