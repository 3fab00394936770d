import { annotate } from "./annotation.ts";
import { parseArguments, PROGRAM } from "./arguments.ts";
import { lines, type Environment, type Result } from "../commands/command.ts";
import { run } from "../commands/index.ts";
import { describeFailure } from "./failure.ts";
import type { CommandName } from "./options.ts";
import { createOutput, diagnose } from "./output.ts";
import type { Place } from "./usage.ts";

/** From the words of the command line to everything there is to print. Never throws. */
export async function answer(
  argv: readonly string[],
  environment: Environment,
  place: Place,
): Promise<Result> {
  const fail = (message: string, detail?: string) => failure(command, message, detail, environment);
  let command: CommandName | null = null;
  try {
    const parsed = await parseArguments(argv, place);
    if ("text" in parsed) return inform(parsed.text);
    if ("fault" in parsed) return fail(parsed.fault, `${PROGRAM} --help shows the options and examples`);
    command = parsed.arguments.command;
    return await run(parsed.arguments, environment);
  } catch (thrown) {
    const { message, stack } = describeFailure(thrown);
    return fail(message, stack);
  }
}

/** Help and version. */
function inform(text: string): Result {
  const document = createOutput({ command: null, exitCode: 0, notes: [text] });
  return { exitCode: 0, stdout: lines(text), stderr: "", document };
}

function failure(command: CommandName | null, message: string, detail = "", { env }: Environment): Result {
  const document = createOutput({ command, exitCode: 1, diagnostics: [diagnose(message, detail)] });
  const annotation = env["GITHUB_ACTIONS"] === "true" ? annotate("error", message) : "";
  return { exitCode: 1, stdout: "", stderr: lines(`${PROGRAM}: ${message}`, detail, annotation), document };
}
