import { spawn } from "node:child_process";
import { goarch, goos } from "./cache.ts";

/** What the user can put right: told in one sentence, without a stack trace. */
export class Obstacle extends Error {}

/** Where and for what the go command runs. */
export interface Workplace {
  readonly folder: string;
  /** For go's own temporary files, so that they go away with ours. */
  readonly temporary: string;
  /** Module paths for which the checksum database is not asked. */
  readonly unlisted: readonly string[];
  readonly signal: AbortSignal;
}

export interface Outcome {
  readonly isOk: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the go command with the proxy and the caches that the user has configured. */
export function go(
  args: readonly string[],
  { folder, temporary, unlisted, signal }: Workplace,
): Promise<Outcome> {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    CGO_ENABLED: "0",
    GOARCH: goarch,
    GOFLAGS: "-mod=mod",
    GOOS: goos,
    GOTMPDIR: temporary,
    GOWORK: "off",
  };
  if (unlisted.length > 0) {
    const already = process.env["GONOSUMDB"] || process.env["GOPRIVATE"];
    env["GONOSUMDB"] = [already, ...unlisted].filter(Boolean).join(",");
  }
  return new Promise((resolve, reject) => {
    // On SIGINT go removes what it was making; on SIGTERM it does not.
    const child = spawn("go", args, { cwd: folder, env, signal, killSignal: "SIGINT" });
    child.stdin.end();
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT")
        reject(new Obstacle(`Building the tools needs Go, but "go" is not on the PATH.`));
      else if (!signal.aborted) reject(error);
    });
    child.on("close", (code) => {
      if (signal.aborted) reject(signal.reason as Error);
      else resolve({ isOk: code === 0, stdout, stderr });
    });
  });
}

const networkTrouble =
  /dial tcp|no such host|i\/o timeout|connection re(fused|set)|handshake timeout|deadline exceeded/;

/** Why go could not do something: one line for a missing network, else the last lines of what it said. */
export function obstacle(what: string, said: string): Obstacle {
  const lines = said.trim().split("\n");
  const trouble = lines.find((line) => networkTrouble.test(line));
  const reason = trouble ? `no network, it seems: ${trouble.trim()}` : lines.slice(-20).join("\n");
  return new Obstacle(`${what} failed: ${reason}`);
}
