import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toolEnvironment } from "../../tools/tools.ts";

export interface Run {
  readonly code: number | null;
  /** Both streams. */
  readonly output: string;
  readonly seconds: number;
}

/** A folder with a copy of some HCL, in which the real OpenTofu runs. */
export class Workspace {
  readonly #tofu: string;
  readonly #folder = mkdtempSync(join(tmpdir(), "provider-test-"));

  constructor(tofu: string, source: URL) {
    this.#tofu = tofu;
    cpSync(source, this.#folder, { recursive: true });
  }

  setVariables(variables: object): void {
    writeFileSync(join(this.#folder, "terraform.tfvars.json"), JSON.stringify(variables));
  }

  /** This process serves what the command talks to, so it must not be held up. */
  run(command: string, ...words: readonly string[]): Promise<Run> {
    const start = performance.now();
    const child = spawn(this.#tofu, [command, "-no-color", ...words], {
      cwd: this.#folder,
      env: toolEnvironment(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
    return new Promise((resolve) => {
      child.once("close", (code) => {
        const seconds = (performance.now() - start) / 1000;
        resolve({ code, output: Buffer.concat(chunks).toString(), seconds });
      });
    });
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }
}
