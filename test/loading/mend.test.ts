import { test } from "uvu";
import * as assert from "uvu/assert";
import { checkConfig } from "../invalid/pipeline.ts";
import { bytes, edited } from "./example.ts";

const ENDPOINT = "endpoint: https://pve.example.com:8006";
const NAME = "name: dev-talos";
const WORKER = "vm_id: 142";

/** A value with a slip in it, and what is offered for it. */
const MENDED: readonly [from: string, to: (value: string) => string, wrong: string, right: string][] = [
  [ENDPOINT, (value) => `endpoint: ${value}`, "pve.example.com:8006", '"https://pve.example.com:8006"'],
  [ENDPOINT, (value) => `endpoint: ${value}`, "pve1:8006", '"https://pve1:8006"'],
  [ENDPOINT, (value) => `endpoint: ${value}`, "pve.example.com", '"https://pve.example.com"'],
  [NAME, (value) => `${NAME}\n  extra_manifests: [${value}]`, "a.org/x.yaml", '"https://a.org/x.yaml"'],
  [NAME, (value) => `${NAME}\n  subnet_mask: ${value}`, "/24", '"24"'],
  [NAME, (value) => `${NAME}\n  subnet_mask: ${value}`, "24", '"24"'],
  [WORKER, (value) => `vm_id: ${value}`, '"142"', "142"],
  [WORKER, (value) => `${WORKER}\nvolumes: { a: { type: disk, size: ${value} } }`, "10 G", '"10G"'],
];

for (const [from, to, wrong, right] of MENDED) {
  test(`${wrong} → ${right}, which is accepted`, () => {
    const [problem] = checkConfig(bytes(edited(from, to(wrong)))).problems;
    assert.ok(problem?.hint?.startsWith(`write ${right}`), problem?.hint ?? "no hint");
    assert.is(checkConfig(bytes(edited(from, to(right)))).stderr, "");
  });
}

/** What cannot be mended without guessing, and what is said instead, if anything. */
const UNCLEAR: readonly [from: string, to: string, hint: string | undefined][] = [
  [ENDPOINT, "endpoint: https://pve example.com:8006", undefined],
  [WORKER, `${WORKER}\n    bridge: a b`, undefined],
  [WORKER, `${WORKER}\n    datastore: /local`, undefined],
  [NAME, `${NAME}\n  extra_manifests: [foo.yaml]`, undefined],
  [NAME, `${NAME}\n  extra_manifests: [manifests/foo.yaml]`, undefined],
  [WORKER, 'vm_id: "99"', undefined],
  ["machine_type: worker", "machine_type: 1", undefined],
  [
    WORKER,
    `${WORKER}\nvolumes: { a: { type: disk, size: 1.5 } }`,
    'it must be a whole number with a unit, such as "10G"',
  ],
  [
    NAME,
    `${NAME}\n  subnet_mask: 31`,
    'it must be a prefix length from "1" to "30", in quotes and without a slash',
  ],
];

for (const [from, to, hint] of UNCLEAR) {
  test(`nothing is guessed for ${to.replace(`${from}\n`, "").trim()}`, () => {
    const { problems } = checkConfig(bytes(edited(from, to)));
    assert.is(problems.length, 1);
    assert.is(problems[0]?.hint, hint);
  });
}

test.run();
