import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";

/**
 * Lives as long as its standard input is open, so that it ends with this process whatever way that goes, kill -9
 * included.
 */
const leash = `
  exec 3<&0
  "$@" </dev/null &
  child=$!
  (read -r _ <&3; kill -9 "$child") &
  wait "$child"
`;

/** A server that runs as a process of its own, its output in a file. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #name: string;
  readonly #log: string;
  readonly #ended: Promise<void>;
  #hasEnded = false;

  constructor(name: string, command: string, words: readonly string[], log: string) {
    this.#name = name;
    this.#log = log;
    const file = openSync(log, "w");
    this.#child = spawn("sh", ["-c", leash, "sh", command, ...words], { stdio: ["pipe", file, file] });
    closeSync(file);
    this.#child.stdin?.on("error", () => undefined);
    this.#ended = new Promise((resolve) => {
      this.#child.once("exit", () => {
        this.#hasEnded = true;
        this.#child.stdin?.destroy();
        resolve();
      });
    });
  }

  /** Repeats an attempt until it succeeds; fails when the process ends first. */
  async ready(attempt: () => Promise<boolean>, seconds: number): Promise<void> {
    const deadline = Date.now() + seconds * 1000;
    while (!(await attempt().catch(() => false))) {
      const log = () => readFileSync(this.#log, "utf8").split("\n").slice(-20).join("\n");
      if (this.#hasEnded) throw new Error(`${this.#name} ended:\n${log()}`);
      if (Date.now() > deadline) throw new Error(`${this.#name} is not ready after ${seconds} s:\n${log()}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async stop(): Promise<void> {
    this.#child.stdin?.end();
    await this.#ended;
  }
}
