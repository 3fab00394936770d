import { templates } from "../generated/templates.ts";

/** Names of the templates below a folder. */
export function templateNames(folder: string): string[] {
  return Object.keys(templates).filter((name) => name.startsWith(folder));
}
