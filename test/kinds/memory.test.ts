/** Whatever a lock says that it remembers, with the right seal, gets an answer and no stack trace. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Kind } from "../../src/kind.ts";
import { kinds } from "../../src/kinds.ts";
import { formatLock, LOCK_NAME, type Lock } from "../../src/writing/lock.ts";
import { ask, folder } from "../cli/ask.ts";

const FOREIGN = "has a memory that no run has written: restore it from version control";
const ODD: readonly unknown[] = [null, {}, [], 5, "x", true];

/** A golden with its tree, where the lock can be made to remember anything. */
function tampered(name: string) {
  const cwd = folder();
  cpSync(join("golden", name), cwd, { recursive: true });
  const file = join(cwd, "tree", LOCK_NAME);
  const lock = JSON.parse(readFileSync(file, "utf8")) as Lock;
  const remember = async (memory: unknown): Promise<string> => {
    writeFileSync(file, formatLock({ ...lock, memory }));
    const { stderr } = await ask(cwd, "check --out tree", { kinds: kinds as readonly [Kind, ...Kind[]] });
    return stderr;
  };
  return { memory: lock.memory, remember };
}

/** The value itself and all below it, each replaced once by each odd one. */
function* mutations(value: unknown): Generator<unknown> {
  yield* ODD;
  if (typeof value !== "object" || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    const put = (other: unknown) =>
      Array.isArray(value)
        ? value.map((old, at) => (String(at) === key ? other : old))
        : { ...value, [key]: other };
    for (const other of mutations(item)) yield put(other);
    if (!Array.isArray(value))
      yield Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
  }
}

for (const name of ["minimal", "talos-vm-one-vm", "template-cluster-one-host"]) {
  test(`a hostile lock: a memory of another form (${name})`, async () => {
    const { memory, remember } = tampered(name);
    assert.not.match(await remember(memory), FOREIGN);
    for (const odd of ODD) assert.match(await remember(odd), FOREIGN);
  });
}

for (const name of ["every-volume-type", "talos-vm-several-hosts", "template-cluster-dhcp"]) {
  test(`a hostile lock: a memory with any piece of another form (${name})`, async () => {
    const { memory, remember } = tampered(name);
    for (const odd of mutations(memory)) {
      const stderr = await remember(odd);
      assert.not.match(stderr, "mistake of gen-talos-module", JSON.stringify(odd) + stderr);
    }
  });
}

test.run();
