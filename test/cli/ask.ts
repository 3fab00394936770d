import {
  mkdtempSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as assert from "uvu/assert";
import type { Environment, Result } from "../../src/commands/command.ts";
import type { Kind } from "../../src/kind.ts";
import { answer } from "../../src/terminal/program.ts";
import { assertOutput } from "./output-schema.ts";
import { otherKind, stubKind } from "./stub-kind.ts";

export interface Setting {
  readonly env?: Readonly<Record<string, string>>;
  readonly isTerminal?: boolean;
  readonly kinds?: readonly [Kind, ...Kind[]];
}

process.setMaxListeners(0);

/** A folder with these files, as the user's working folder. */
export function folder(files: Readonly<Record<string, string>> = {}): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "gen-talos-module-cli-")));
  process.once("exit", () => rmSync(path, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return path;
}

/** Every file below a folder, with its text. */
export function contents(path: string): Record<string, string> {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const names = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(names.map((name) => [name.slice(path.length + 1), readFileSync(name, "utf8")]));
}

/** One file at a time, so that a failure shows what differs and no more. */
export function assertSame(actual: Record<string, string>, wanted: Record<string, string>): void {
  assert.equal(Object.keys(actual).sort(), Object.keys(wanted).sort());
  for (const [path, text] of Object.entries(wanted)) assert.is(actual[path], text, `${path} differs`);
}

/** Runs a command line inside this process. Whatever it answers, its document is what the schema says. */
export async function ask(
  cwd: string,
  line: string | readonly string[],
  setting: Setting = {},
): Promise<Result> {
  const { env = {}, isTerminal = false, kinds = [stubKind, otherKind] } = setting;
  const argv = typeof line === "string" ? line.split(" ").filter((word) => word !== "") : line;
  const environment: Environment = {
    cwd,
    env,
    isTerminal: { stdout: isTerminal, stderr: isTerminal },
    kinds,
    uninterrupted: (work) => work(),
  };
  const place = { cwd, home: join(cwd, "home"), version: "1.2.3", columns: 100 };
  const result = await answer(argv, environment, place);
  assertOutput(result.document);
  return result;
}
