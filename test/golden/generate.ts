import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../../src/commands/command.ts";
import { kinds } from "../../src/kinds.ts";
import type { OutputDocument } from "../../src/terminal/output.ts";
import { answer } from "../../src/terminal/program.ts";

/** Runs the program inside this process: `gen-talos-module --config FILE --out DIR`. It has to succeed. */
export async function generate(config: string, out: string, ...more: string[]): Promise<OutputDocument> {
  const environment: Environment = {
    cwd: tmpdir(),
    env: {},
    isTerminal: { stdout: false, stderr: false },
    kinds: kinds as Environment["kinds"],
    uninterrupted: (work) => work(),
  };
  const place = { cwd: environment.cwd, home: join(out, "home"), version: "0.0.0", columns: 100 };
  const { document, stderr } = await answer(["--config", config, "--out", out, ...more], environment, place);
  if (document.exit_code !== 0) throw new Error(stderr);
  return document;
}
