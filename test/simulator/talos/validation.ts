import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What `talosctl validate` has against a machine configuration; nothing if it is right. */
export async function validate(talosctl: string, configuration: Buffer): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "machine-configuration-"));
  const path = join(folder, "machine.yaml");
  try {
    writeFileSync(path, configuration);
    return await run(talosctl, ["validate", "--mode", "cloud", "--config", path]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(command: string, words: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(command, words, { encoding: "utf8" }, (error, stdout, stderr) => {
      resolve(error ? stderr.trim() || stdout.trim() || error.message : undefined);
    });
  });
}
