import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ServerProcess } from "./server-process.ts";

let folder: string;

test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), "server-process-"));
});

test.after.each(() => rmSync(folder, { recursive: true }));

/** A server that writes its process id into a file and then does nothing. */
const server = () => ["-c", 'echo $$ >"$0"; exec sleep 600', join(folder, "pid")];

test("a stopped server has ended", async () => {
  const process = new ServerProcess("sleeper", "sh", server(), join(folder, "log"));
  await process.ready(async () => Boolean(processId()), 10);
  const pid = processId();
  await process.stop();
  await gone(pid);
});

test("a server that ends before it is ready is a failure, with its last words", async () => {
  const process = new ServerProcess("mute", "sh", ["-c", "echo no config; exit 1"], join(folder, "log"));
  const error = await process
    .ready(async () => false, 10)
    .then(
      () => undefined,
      (reason: Error) => reason,
    );
  assert.match(error?.message ?? "", /^mute ended:\nno config/);
});

test("a server does not outlive a test that is killed", async () => {
  const script = `
    import { ServerProcess } from ${JSON.stringify(new URL("server-process.ts", import.meta.url).href)};
    new ServerProcess("sleeper", "sh", ${JSON.stringify(server())}, ${JSON.stringify(join(folder, "log"))});
  `;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script]);
  for (let tries = 0; !processId() && tries < 200; tries += 1) await pause();
  const pid = processId();
  assert.ok(isAlive(pid));
  child.kill("SIGKILL");
  await gone(pid);
});

test.run();

function processId(): number {
  const path = join(folder, "pid");
  return existsSync(path) ? Number(readFileSync(path, "utf8")) : 0;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function gone(pid: number): Promise<void> {
  for (let tries = 0; isAlive(pid) && tries < 200; tries += 1) await pause();
  assert.ok(pid > 0 && !isAlive(pid));
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 50));
