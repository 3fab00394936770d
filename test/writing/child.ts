/** A process of its own for tests that kill it, starve it or let two of them loose on one folder. */
import { contentsOf, generate, versionedTree } from "./fixture.ts";

const [command, out = "", ...versions] = process.argv.slice(2);

// Without a handler, a file that is too large would end the process instead of failing the write.
process.on("SIGXFSZ", () => undefined);

if (command === "loop") {
  process.stdout.write("started\n");
  for (let turn = 0; ; turn++) await generate(out, versionedTree(versions[turn % versions.length] ?? ""));
}

if (command === "report") {
  const outcome = await generate(out, versionedTree(versions[0] ?? "")).then(
    (refused) => ({ refused }),
    (error: Error) => ({ error: error.name, message: error.message.replaceAll(out, "OUT") }),
  );
  process.stdout.write(JSON.stringify(outcome) + "\n");
}

if (command === "contents") {
  process.stdout.write(JSON.stringify(contentsOf(out)) + "\n");
}
