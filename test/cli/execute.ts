import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The program as it is shipped. */
export const program = fileURLToPath(new URL("../../dist/cli.cjs", import.meta.url));

export interface Ending {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Circumstances {
  readonly env?: Readonly<Record<string, string>>;
  readonly umask?: string;
  readonly file?: string;
  /** Sends SIGINT after so many milliseconds. */
  readonly interruptAfterMs?: number;
}

/** Runs the program in a process of its own, with nothing of this one's environment but the PATH. */
export function execute(
  cwd: string,
  args: readonly string[],
  { env = {}, umask = "022", file = program, interruptAfterMs }: Circumstances = {},
): Promise<Ending> {
  const line = `umask ${umask}; exec "$@"`;
  const child = spawn("sh", ["-c", line, "sh", process.execPath, file, ...args], {
    cwd,
    env: { PATH: process.env["PATH"], HOME: cwd === "/" ? "/root" : `${cwd}/..`, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const timer =
    interruptAfterMs === undefined ? undefined : setTimeout(() => child.kill("SIGINT"), interruptAfterMs);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exitCode, signal) => {
      clearTimeout(timer);
      resolve({ exitCode, signal, stdout, stderr });
    });
  });
}
