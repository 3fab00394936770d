import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { formatLock, readLock, type Lock } from "../../src/writing/lock.ts";
import { contentsOf, emptyFolder, folderWith, generate, treeOf } from "./fixture.ts";

const HASH = "0".repeat(64);
const RESTORE = "restore it from version control";
const good = { format: 1, kind: "talos-cluster", source: "cluster.yaml", files: {}, memory: {} };
const naming = (path: string) => JSON.stringify({ ...good, files: { [path]: HASH } });
const alien = (path: string) => `names a file that no run has written, ${JSON.stringify(path)}: ${RESTORE}`;
const CONFLICT =
  "has merge-conflict markers: take the side whole that was applied last (git checkout --ours or --theirs), then generate again";
const NO_LOCK = `is not a lock: ${RESTORE}`;
const EDITED = `has a memory that was edited or merged by hand: ${RESTORE}`;
const NO_JSON = `is not valid JSON: ${RESTORE}`;

const hostile: readonly (readonly [text: string, fault: string])[] = [
  ...["../victim.tf", "a/../../victim.tf", "/etc/passwd", "a\\b", "C:\\x", "a\0b", "", ".", "a//b"].map(
    (path) => [naming(path), alien(path)] as const,
  ),
  ...[".git/config", "a/.GIT/config", "gen-talos-module.lock.json", ".gen-talos-module.x/0.tmp", "NUL"].map(
    (path) => [naming(path), alien(path)] as const,
  ),
  [`{"format":1,"kind":"k","source":null,"files":{"__proto__":"${HASH}"},"memory":{}}`, alien("__proto__")],
  [JSON.stringify({ ...good, pending: { "../victim.tf": HASH } }), alien("../victim.tf")],
  ["", NO_JSON],
  ["{", NO_JSON],
  [JSON.stringify(good).slice(0, -9), NO_JSON],
  ["\0\0\0", NO_JSON],
  [`{\n<<<<<<< HEAD\n  "format": 1\n=======\n  "format": 1\n>>>>>>> other\n}`, CONFLICT],
  [`{\r\n<<<<<<< HEAD\r\n||||||| base\r\n=======\r\n>>>>>>> other\r\n}`, CONFLICT],
  ["null", NO_LOCK],
  ["[]", NO_LOCK],
  ["{}", NO_LOCK],
  ['"lock"', NO_LOCK],
  [JSON.stringify({ ...good, format: "1" }), NO_LOCK],
  [JSON.stringify({ ...good, format: 0 }), `has an unknown format 0: ${RESTORE}`],
  [
    JSON.stringify({ format: 2, anything: true }),
    "was written by a newer gen-talos-module: install that version",
  ],
  [JSON.stringify({ ...good, kind: 1 }), NO_LOCK],
  [JSON.stringify({ ...good, source: undefined }), NO_LOCK],
  [JSON.stringify({ ...good, files: undefined }), NO_LOCK],
  [JSON.stringify({ ...good, files: [HASH] }), NO_LOCK],
  [JSON.stringify({ ...good, files: { "a.tf": 1 } }), NO_LOCK],
  [JSON.stringify({ ...good, files: { "a.tf": "abc" } }), NO_LOCK],
  [JSON.stringify({ ...good, pending: null }), NO_LOCK],
  [JSON.stringify({ ...good, memory: { nodes: {} } }), EDITED],
  [JSON.stringify({ ...good, memory_sha256: HASH }), EDITED],
  [JSON.stringify(good), EDITED],
  ['{"format":1,"kind":"k","source":null,"files":{},"memory":{"nodes":{"__proto__":{}}}}', NO_LOCK],
  [`{"format":1,"kind":"k","source":null,"files":{},"memory":${"[".repeat(1e5)}${"]".repeat(1e5)}}`, NO_LOCK],
];

test("a hostile lock (`../`, absolute, broken JSON, conflict markers)", async () => {
  for (const [text, fault] of hostile) {
    const root = folderWith({
      "victim.tf": "precious\n",
      "out/a.tf": "1\n",
      "out/gen-talos-module.lock.json": text,
    });
    const out = join(root, "out");
    const before = contentsOf(root);
    assert.equal(await readLock(out), { fault: `${join(out, "gen-talos-module.lock.json")} ${fault}` });
    await generate(out, treeOf({})).then(
      () => assert.unreachable(),
      (error: Error) => assert.ok(error.message.endsWith(fault)),
    );
    assert.equal(contentsOf(root), before);
  }
  assert.is(({} as Record<string, unknown>).nodes, undefined);
});

test("no lock is no fault, a folder in its place is one", async () => {
  assert.equal(await readLock(emptyFolder()), { lock: undefined });
  assert.equal(await readLock(join(emptyFolder(), "missing")), { lock: undefined });
  const out = folderWith({ "gen-talos-module.lock.json/x": "" });
  assert.equal(await readLock(out), { fault: `${join(out, "gen-talos-module.lock.json")} is a folder` });
  const file = join(folderWith({ out: "" }), "out");
  assert.equal(await readLock(file), { fault: `${file} is not a folder` });
  assert.ok("fault" in (await readLock(join(file, "below"))));
});

test("a lock reads back as it was written, and a foreign key is dropped", async () => {
  const lock: Lock = {
    ...good,
    format: 1,
    files: { "a.tf": HASH },
    pending: { "b.tf": HASH },
    memory: { n: [1] },
  };
  const out = folderWith({ "gen-talos-module.lock.json": formatLock({ ...lock, foreign: 1 } as Lock) });
  assert.equal(await readLock(out), { lock });
});

test("a lock is written with sorted keys, whatever the order was", () => {
  const text = formatLock({
    memory: { b: { d: 1, c: [{ z: 1, a: 2 }] }, a: null },
    source: null,
    files: { "b.tf": HASH, "a.tf": HASH },
    kind: "k",
    format: 1,
  });
  const lines = [
    [
      "{",
      '  "files": {',
      `    "a.tf": "${HASH}",`,
      `    "b.tf": "${HASH}"`,
      "  },",
      '  "format": 1,',
      '  "kind": "k",',
    ],
    ['  "memory": {', '    "a": null,', '    "b": {', '      "c": [', "        {", '          "a": 2,'],
    [
      '          "z": 1',
      "        }",
      "      ],",
      '      "d": 1',
      "    }",
      "  },",
      '  "memory_sha256": "6fffa23e630d004fa973680e705a8a4e1e1db98552da06c248209e52623efd4b",',
      '  "source": null',
      "}",
      "",
    ],
  ];
  assert.is(text, lines.flat().join("\n"));
});

test.run();
