import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Handlebars from "handlebars";

/** Helpers that templates may call; the compiler refuses all others. */
const HELPERS = { code: true, comment: true, heredoc: true, mermaid: true, shell: true, yaml: true };

/** Source of a module with every template below a folder, compiled: name of the output file → template. */
export function renderTemplates(folder: string): string {
  const entries = templateNames(folder).map((name) => {
    const source = readFileSync(join(folder, `${name}.hbs`), "utf8");
    const compiled = Handlebars.precompile(source, {
      strict: true,
      preventIndent: true,
      knownHelpersOnly: true,
      knownHelpers: HELPERS,
    } as PrecompileOptions);
    return `  ${JSON.stringify(name)}: ${String(compiled)},`;
  });
  return ["// @ts-nocheck", "export const templates: Record<string, unknown> = {", ...entries, "};", ""].join(
    "\n",
  );
}

/** Names of all templates, sorted: their path below the folder without `.hbs`. */
export function templateNames(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".hbs"))
    .map((path) => path.slice(0, -".hbs".length).replaceAll("\\", "/"))
    .sort();
}
