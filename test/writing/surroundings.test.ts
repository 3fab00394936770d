import { lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { contentsOf, emptyFolder, generate, versionedTree } from "./fixture.ts";

/** Contents and modes of everything below a folder, itself included. */
function imageOf(out: string): Record<string, string> {
  const mode = (path: string) => (lstatSync(join(out, path)).mode & 0o7777).toString(8);
  const entries = Object.entries({ ".": "folder", ...contentsOf(out) });
  return Object.fromEntries(entries.map(([path, text]) => [path, `${mode(path)} ${text}`]));
}

test("locale, time zone, umask, working directory, key order", async () => {
  const images: Record<string, string>[] = [];
  const [umask, folder, zone] = [process.umask(), process.cwd(), process.env.TZ];
  for (const [mask, place, out, timeZone] of [
    [0o022, ".", "out", "UTC"],
    [0o000, ".", "deep/er/out", "Asia/Kathmandu"],
    [0o077, "below", "../out", "Pacific/Apia"],
    [0o027, "below", "out/", "UTC"],
  ] as const) {
    const root = emptyFolder();
    mkdirSync(join(root, "below"));
    try {
      process.umask(mask);
      process.chdir(join(root, place));
      process.env.TZ = timeZone;
      const tree = versionedTree("one");
      // The order of a tree must not matter either.
      await generate(out, mask === 0o077 ? new Map([...tree].reverse()) : tree);
      images.push(imageOf(out));
    } finally {
      process.umask(umask);
      process.chdir(folder);
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  }
  for (const [path, image] of Object.entries(images[0] ?? {})) {
    assert.is(image.split(" ")[0], image.endsWith(" folder") ? "755" : "644", path);
  }
  assert.ok(Object.keys(images[0] ?? {}).length > 40);
  for (const image of images) assert.equal(image, images[0]);
});

test.run();
