/** The readings that the rule about patches rests on are those of the real `yamldecode`. */
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { toolEnvironment, tools } from "../../tools/tools.ts";
import { readings, REFUSED } from "./readings.ts";

test("OpenTofu decodes every text as its reading says", () => {
  const texts = readings.map(([text]) => JSON.stringify(text).replace(/([$%])\{/g, "$1$1{"));
  const each = `try(jsonencode(yamldecode(text)), ${JSON.stringify(JSON.stringify(REFUSED))})`;
  const { stdout, stderr } = spawnSync(tools().installed?.tofu ?? "", ["console", "-no-color"], {
    cwd: tmpdir(),
    env: toolEnvironment(),
    input: `jsonencode([for text in [${texts.join(", ")}] : ${each}])\n`,
    encoding: "utf8",
  });
  assert.is(stderr, "");
  const decoded = (JSON.parse(JSON.parse(stdout) as string) as string[]).map((text) => JSON.parse(text));
  for (const [index, [text, wanted]] of readings.entries()) assert.equal(decoded[index], wanted, text);
});

test.run();
