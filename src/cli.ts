/** The only file that knows of the process: it reads the command line, prints and exits. */
import { homedir } from "node:os";
import { cwd, env, exit, argv } from "node:process";
import packageJson from "../package.json" with { type: "json" };
import { PROGRAM, wantsJson } from "./terminal/arguments.ts";
import { describeFailure } from "./terminal/failure.ts";
import { kinds } from "./kinds.ts";
import type { Environment } from "./commands/command.ts";
import { mayBeTerminal, print } from "./terminal/print.ts";
import { answer } from "./terminal/program.ts";

const words = argv.slice(2);
const environment = {
  cwd: cwd(),
  env,
  isTerminal: {
    stdout: mayBeTerminal(1) && process.stdout.isTTY === true,
    stderr: mayBeTerminal(2) && process.stderr.isTTY === true,
  },
  kinds: kinds as Environment["kinds"],
  uninterrupted,
};
const place = {
  cwd: environment.cwd,
  home: homedir(),
  version: packageJson.version,
  columns: (environment.isTerminal.stdout && process.stdout.columns) || 100,
};

void answer(words, environment, place).then((result) => {
  process.exitCode = result.exitCode;
  if (wantsJson(words)) {
    say(`${JSON.stringify(result.document, null, 2)}\n`);
  } else {
    whisper(result.stderr);
    say(result.stdout);
  }
});

function say(text: string): void {
  try {
    print(1, text, (rest) => process.stdout.on("error", complain).write(rest));
  } catch (error) {
    complain(error as NodeJS.ErrnoException);
  }
}

function complain(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") return; // Whoever read the output has had enough of it.
  whisper(`${PROGRAM}: ${describeFailure(error).message}\n`);
  process.exitCode = 1;
}

/** Nobody is left to tell if this fails. */
function whisper(text: string): void {
  try {
    print(2, text, (rest) => process.stderr.on("error", () => {}).write(rest));
  } catch {}
}

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
