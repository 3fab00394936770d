/** Hostile and unlucky configs. Titles that name a hazard are its row in the list of hazards. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadDocument } from "../../src/config/document.ts";
import { check } from "../../src/kinds/talos-cluster/rules/index.ts";
import { checkConfig, quiet } from "../invalid/pipeline.ts";
import { secondsOf } from "../processor-time.ts";
import { bytes, edited, VALID } from "./example.ts";

/** Of processor time; an idle machine is about done by half of it. */
const SECONDS = 4;

function rulesOf(text: string): string[] {
  return [...new Set(checkConfig(bytes(text)).problems.map(({ rule }) => rule))];
}

function dataOf(input: Uint8Array): unknown {
  const loaded = loadDocument("cluster.yaml", input);
  assert.ok("document" in loaded);
  return "document" in loaded ? loaded.document.data : undefined;
}

test("the example is valid", () => {
  assert.is(checkConfig(bytes(VALID)).stderr, "");
});

const bomb = ["a: &a [x, x, x, x, x, x, x, x, x, x]"];
for (const [last, next] of [..."abcdefgh"].map((name, index, all) => [name, all[index + 1] ?? "i"])) {
  bomb.push(`${next}: &${next} [${Array.from({ length: 10 }, () => `*${last}`).join(", ")}]`);
}

const HUGE: readonly [string, string, string][] = [
  ["an alias bomb", "yaml-aliases", bomb.join("\n")],
  ["a million brackets", "yaml-too-deep", `cluster: ${"[".repeat(1_000_000)}`],
  ["half a million braces", "yaml-too-deep", `cluster: ${"{a: ".repeat(500_000)}`],
  ["a million dashes", "yaml-too-deep", "- ".repeat(1_000_000)],
  ["a million question marks", "yaml-too-deep", "? ".repeat(1_000_000)],
  ["a million anchors", "yaml-too-deep", `cluster: ${"&a ".repeat(1_000_000)}`],
  [
    "1,500 indentations",
    "yaml-too-deep",
    Array.from({ length: 1500 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n"),
  ],
  ["five MiB", "yaml-too-big", "#".repeat(5 * 1024 * 1024)],
  ["400,000 aliases", "yaml-too-big", `a: &a 1\n${"- *a\n".repeat(400_000)}`],
  ["one word of four MiB", "type", edited("dev-talos", "x".repeat(4_000_000)).replace("v1.3.0", "1")],
  [
    "a million beginnings of a token",
    "type",
    edited("dev-talos", "eyJ-".repeat(1_000_000)).replace("v1.3.0", "1"),
  ],
  [
    "150,000 wrong entries on one line",
    "too-many",
    edited("  name:", `  extra_manifests: [${"1,".repeat(150_000)}1]\n  name:`),
  ],
  ["100k keys", "too-many", Array.from({ length: 100_000 }, (_, index) => `k${index}: ${index}`).join("\n")],
  ["100k equal keys", "yaml-duplicate-key", "k: 1\n".repeat(100_000)],
  ["60k nodes with nothing in them", "missing-key", nodes(60_000, "{}")],
  ["40k nodes with a wrong value", "type", nodes(40_000, "{cpu: x}")],
  ["40k nodes with an unknown key", "unknown-key", nodes(40_000, "{foo: 1}")],
  [
    "8k nodes with one id",
    "unique-vm-id",
    nodes(
      8_000,
      "{ cpu: 2, host_node: pve1, ip: 10.1.2.3, machine_type: worker, ram_dedicated: 4096, vm_id: 141 }",
    ),
  ],
  ["60k VMs with nothing in them", "missing-key", `kind: talos-vm\nvms:\n${repeated(60_000, "{}")}`],
  [
    "40k hosts with an unknown key",
    "unknown-key",
    `kind: template-cluster\nnode_distribution:\n${repeated(40_000, "{foo: 1}")}`,
  ],
];

/** The valid config with as many more nodes, all with this in them. */
function nodes(count: number, node: string): string {
  return edited("nodes:\n", `nodes:\n${repeated(count, node)}`);
}

function repeated(count: number, value: string): string {
  return Array.from({ length: count }, (_, index) => `  n${index}: ${value}\n`).join("");
}

for (const [name, rule, text] of HUGE) {
  test(`alias bombs, deep nesting, huge files, 100k keys: ${name}`, () => {
    let rules: string[] = [];
    const seconds = secondsOf(() => (rules = rulesOf(text)));
    assert.ok(rules.includes(rule), `${rules} instead of ${rule}`);
    assert.ok(seconds < SECONDS, `${seconds.toFixed(1)} s`);
  });
}

test("10,000 nodes are checked in linear time", () => {
  secondsToCheck(2_500);
  const [quarter, whole] = [secondsToCheck(2_500), secondsToCheck(10_000)];
  // Four times as many; what is quadratic takes sixteen times as long.
  assert.ok(whole < 8 * quarter, `${quarter} s and ${whole} s`);
});

/** What the rules take for so many nodes, when nothing is wrong with them. */
function secondsToCheck(count: number): number {
  const nodes = Array.from({ length: count }, (_, index) => {
    const ip = `10.${100 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;
    const type = index < 3 ? "controlplane" : "worker";
    return `  n${index}: { cpu: 2, host_node: pve1, ip: ${ip}, machine_type: ${type}, ram_dedicated: 4096, vm_id: ${100_000 + index} }`;
  });
  const volumes = Array.from({ length: 10 }, (_, index) => `  v${index}: { type: disk, size: 10G }`);
  const text = edited("  gateway: 10.1.2.254", '  gateway: 10.0.0.1\n  vip: 10.0.0.2\n  subnet_mask: "8"')
    .replace(/nodes:[^]*?(?=proxmox:)/, `nodes:\n${nodes.join("\n")}\n`)
    .concat(`volumes:\n${volumes.join("\n")}\n`);
  const loaded = loadDocument("cluster.yaml", bytes(text));
  assert.ok("document" in loaded);
  const data = "document" in loaded ? loaded.document.data : {};
  return secondsOf(() => assert.equal(check(data as never, quiet), []));
}

for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
  test(`\`__proto__\`, \`constructor\` as names or flags: ${name}`, () => {
    assert.equal(rulesOf(`${VALID}${name}: { polluted: true }\n`), ["unknown-key"]);
    assert.equal(rulesOf(edited("    cpu: 4", `    cpu: 4\n    ${name}: 4`)), ["unknown-key"]);
    assert.equal(rulesOf(edited("  worker1:", `  ${name}:`)), name === "constructor" ? [] : ["node-name"]);
    assert.equal(rulesOf(edited("machine_type: worker", `machine_type: ${name}`)), ["enum"]);
    const flags = { allowDestroy: new Set([name]), accept: new Set([name]) };
    assert.is(checkConfig(bytes(VALID), { ...quiet, ...flags }).stderr, "");
    assert.is(({} as Record<string, unknown>)["polluted"], undefined);
  });
}

test("`__proto__`, `constructor` as names or flags: volumes and datastores", () => {
  const volumes = "volumes:\n  constructor: { node: pve1, size: 10G }\n";
  assert.is(checkConfig(bytes(VALID + volumes)).stderr, "");
  assert.equal(rulesOf(`${VALID}datastores:\n  constructor: { shared: true }\n`), ["unused-datastore"]);
});

test("non-UTF-8, BOM, CRLF, lone surrogates", () => {
  const patched = edited("  name: dev-talos", "  name: dev-talos\n  kubelet: |\n    a: 1\n    b: 2");
  const clean = dataOf(bytes(patched));
  assert.equal(dataOf(bytes(`\ufeff${patched}`)), clean);
  assert.equal(dataOf(bytes(patched.replaceAll("\n", "\r\n"))), clean);
  assert.equal(dataOf(bytes(`\ufeff${patched.replaceAll("\n", "\r\n")}`)), clean);
  assert.equal(dataOf(bytes(patched.replaceAll("\n", "\r"))), clean);
  for (const bad of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0]]) {
    const [before = "", after = ""] = VALID.split("dev-talos");
    const input = Uint8Array.from([...bytes(before), ...bad, ...bytes(after)]);
    const { problems } = checkConfig(input);
    assert.equal(
      problems.map(({ rule, line }) => [rule, line]),
      [["yaml-encoding", 5]],
    );
  }
  for (const escape of ["\\ud800", "\\udfff", "\\0"]) {
    assert.equal(rulesOf(edited("dev-talos", `"${escape}"`)), ["yaml-encoding"]);
  }
});

test("text is NFC, and equal keys are equal after it", () => {
  assert.equal(
    dataOf(bytes(edited("dev-talos", "cafe\u0301"))),
    dataOf(bytes(edited("dev-talos", "caf\u00e9"))),
  );
  assert.equal(rulesOf("cafe\u0301: 1\ncaf\u00e9: 2\n"), ["yaml-duplicate-key"]);
});

const SURPRISES: readonly [string, string, string, string][] = [
  [
    "unquoted `1.10`",
    "gateway_api_version: v1.3.0",
    "gateway_api_version: 1.10",
    'write "v1.10.0", in quotes',
  ],
  ["unquoted mask", "  name: dev-talos", "  name: dev-talos\n  subnet_mask: 024", 'write "24", in quotes'],
  ["two documents", "image:", "---\nimage:", "remove it"],
  ["unknown tags", "dev-talos", "!secret dev", "write the value without a tag"],
  ["integer-like keys", "  worker1:", "  0142:", 'write "0142": in quotes'],
  ["null keys", "  worker1:", "  ~:", "write a name in front of the colon"],
  ["booleans of YAML 1.1", "insecure: false", "insecure: off", "write false"],
];

for (const [name, from, to, hint] of SURPRISES) {
  test(`YAML surprises: unquoted \`1.10\`, two documents, unknown tags, integer-like keys: ${name}`, () => {
    assert.is(checkConfig(bytes(edited(from, to))).problems[0]?.hint, hint);
  });
}

test("names of digits and with dots are names", () => {
  assert.is(checkConfig(bytes(edited("  worker1:", '  "142":'))).stderr, "");
  assert.is(checkConfig(bytes(edited("  worker1:", "  worker1.example.com:"))).stderr, "");
});

test("locale, time zone, umask, working directory, key order: problems do not hang on the order of keys", () => {
  const wrong = edited("10.1.2.4", "10.1.9.4")
    .replace("homelab", "other")
    .replace("vm_id: 142", "vm_id: 1410");
  const [cluster = "", image = "", nodes = "", proxmox = ""] = wrong.split(/^(?=\S)/m);
  const say = (text: string) =>
    checkConfig(bytes(text)).problems.map(({ rule, path, severity }) => `${severity} ${rule} ${path}`);
  assert.equal(say(proxmox + nodes + image + cluster).sort(), say(cluster + image + nodes + proxmox).sort());
});

test("one typo hides no rule", () => {
  const text = edited("machine_type: worker", "machine_type: wroker").replace("10.1.2.4", "10.1.2.3");
  assert.equal(rulesOf(text.replace("cpu: 4", "cpus: 4")), ["unknown-key", "unique-ip", "enum"]);
});

test("whatever is done to a config, it gets an answer", () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const marks = [..."\n :-[]{}'\"#&*!|>%@`?\t\r,"].map((mark) => mark.charCodeAt(0)).concat(0, 0xff);
  for (let round = 0; round < 1000; round++) {
    const input = bytes(VALID);
    for (let change = random(4); change >= 0; change--)
      input[random(input.length)] = marks[random(marks.length)] ?? 0;
    checkConfig(input);
  }
});

test.run();
