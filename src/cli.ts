/** The only file that knows of the process: it reads the command line, prints and exits. */
import { homedir } from "node:os";
import { cwd, env, exit, argv, stderr, stdout } from "node:process";
import packageJson from "../package.json" with { type: "json" };
import { PROGRAM, wantsJson } from "./terminal/arguments.ts";
import { describeFailure } from "./terminal/failure.ts";
import { kinds } from "./kinds.ts";
import type { Environment } from "./commands/command.ts";
import { answer } from "./terminal/program.ts";

stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") return; // Whoever read the output has had enough of it.
  stderr.write(`${PROGRAM}: ${describeFailure(error).message}\n`);
  process.exitCode = 1;
});
stderr.on("error", () => {});

const words = argv.slice(2);
const environment = {
  cwd: cwd(),
  env,
  isTerminal: { stdout: stdout.isTTY === true, stderr: stderr.isTTY === true },
  kinds: kinds as Environment["kinds"],
  uninterrupted,
};
const place = {
  cwd: environment.cwd,
  home: homedir(),
  version: packageJson.version,
  columns: stdout.columns ?? 100,
};

void answer(words, environment, place).then((result) => {
  if (wantsJson(words)) {
    stdout.write(`${JSON.stringify(result.document, null, 2)}\n`);
  } else {
    stderr.write(result.stderr);
    stdout.write(result.stdout);
  }
  process.exitCode = result.exitCode;
});

/** Ctrl-C ends the program at once, but while files are written it waits those milliseconds; a second one does not. */
async function uninterrupted(work: () => Promise<void>): Promise<void> {
  let isInterrupted = false;
  const interrupt = () => {
    if (isInterrupted) exit(130);
    isInterrupted = true;
  };
  process.on("SIGINT", interrupt);
  await work().finally(() => process.off("SIGINT", interrupt));
  if (isInterrupted) exit(130);
}
