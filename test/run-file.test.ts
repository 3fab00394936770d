import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { folder } from "./cli/ask.ts";
import { count, runFile } from "./run-file.ts";

const summary = (total: number, passed: number, skipped: number) =>
  `\n  Total:     ${total}\n  \u001b[32mPassed:    ${passed}\u001b[39m\n  Skipped:   ${skipped}\n  Duration:  1ms\n\n`;

test("counts uvu's summary", () => {
  assert.equal(count(summary(5, 5, 2), true), { passed: 5, failed: 0, skipped: 2 });
  assert.equal(count(summary(5, 3, 0), false), { passed: 3, failed: 2, skipped: 0 });
});

test("a file that dies without a summary, or after it, counts as a failed test", () => {
  assert.equal(count("Segmentation fault\n", false), { passed: 0, failed: 1, skipped: 0 });
  assert.equal(count("", true), { passed: 0, failed: 1, skipped: 0 });
  assert.equal(count(summary(5, 5, 0), false), { passed: 5, failed: 1, skipped: 0 });
});

test("runs a file of tests", async () => {
  const uvu = pathToFileURL(fileURLToPath(import.meta.resolve("uvu"))).href;
  const path = join(folder(), "some.test.ts");
  writeFileSync(
    path,
    `import { test } from "${uvu}";
     test("good", () => {}); test.skip("later", () => {}); test("bad", () => { throw new Error("bad on purpose"); });
     test.run();`,
  );
  const { passed, failed, skipped, output } = await runFile(path);
  assert.equal({ passed, failed, skipped }, { passed: 1, failed: 1, skipped: 1 });
  assert.match(output, "bad on purpose");
});

test.run();
