import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadDocument } from "../../src/config/document.ts";
import { formatProblems } from "../../src/terminal/report.ts";
import { redact } from "../../src/config/secrets.ts";
import { checkConfig } from "../invalid/pipeline.ts";
import { bytes, edited, VALID } from "./example.ts";

/** Put together here, so that no scanner takes this file for a leak. */
const join = (...parts: string[]): string => parts.join("");
const UUID = "01234567-89ab-cdef-0123-456789abcdef";
const KEY_LINES = ["MHcCAQEEIOb0Aq8nJx0n1tqmAq0vFvJhS8", "oAoGCCqGSM49AwEHoUQDQgAEq7d1Zx"];
const PEM = [
  join("-----BEGIN EC PRIV", "ATE KEY-----"),
  ...KEY_LINES,
  join("-----END EC PRIV", "ATE KEY-----"),
];
const BASE64 = Buffer.from(PEM.join("\n")).toString("base64");

function patch(...lines: string[]): string {
  return edited(
    "  name: dev-talos",
    ["  name: dev-talos", "  kubelet: |", ...lines.map((line) => `    ${line}`)].join("\n"),
  );
}

/** A config, and what of it must never be seen again. */
const SECRETS: readonly [string, string, readonly string[]][] = [
  ["the documented token", `${VALID}proxmox_api_token: terraform@pve!tofu=${UUID}\n`, [UUID]],
  ["the documented token with any value", `${VALID}proxmox_api_token: hunter2\n`, ["hunter2"]],
  ["a Proxmox token elsewhere", edited("username: terraform", `username: root@pam!x=${UUID}`), [UUID]],
  ["a private key", patch("key: |", ...PEM.map((line) => `  ${line}`)), KEY_LINES],
  ["a private key in base64", patch(`ca: { key: ${BASE64} }`), [BASE64]],
  [
    "a GitHub token",
    edited("dev-talos", join("ghp", "_0123456789abcdefghijABCDEFGHIJ456789")),
    ["0123456789abcdefghij"],
  ],
  ["an AWS key", edited("dev-talos", join("AK", "IAIOSFODNN7EXAMPLE")), ["IOSFODNN7"]],
  ["a Slack token", edited("dev-talos", join("xo", "xb-123456789012-abcdefghij")), ["123456789012"]],
  ["an age key", edited("dev-talos", join("AGE-SECRET", `-KEY-1${"Q".repeat(58)}`)), ["QQQQ"]],
  ["a JSON web token", patch("x: eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl"), ["c2lnbmF0dXJl"]],
  ["a password in a patch", patch("extraConfig:", "  registryPassword: hunter2-hunter2"), ["hunter2"]],
  ["a password in a flow map", patch("auth: {username: me, password: hunter2}"), ["hunter2"]],
  [
    "a token among arguments",
    patch('extraArgs: ["--bootstrap-token=abcdef.0123456789abcdef"]'),
    ["0123456789abcdef"],
  ],
  [
    "a password under an unknown key",
    edited("username: terraform", "username: terraform\n  password: hunter2"),
    ["hunter2"],
  ],
  [
    "an address with a password",
    edited("version: v1.13.0", "version: v1.13.0\n  factory_url: https://me:hunter2@example.com"),
    ["hunter2"],
  ],
  [
    "a secret as a name",
    edited("  worker1:", join("  gh", "p_0123456789abcdefghijABCDEFGHIJ456789:")),
    ["0123456789abcdefghij"],
  ],
  ["a folded token", `${VALID}proxmox_api_token: >-\n  terraform@pve!tofu=\n  ${UUID}\n`, [UUID]],
];

for (const [name, text, hidden] of SECRETS) {
  test(`secrets in the config, in messages, in generated files: ${name}`, () => {
    const { problems, stderr } = checkConfig(bytes(text));
    assert.equal([...new Set(problems.map(({ rule }) => rule))], ["secret"]);
    const loaded = loadDocument("cluster.yaml", bytes(text));
    assert.ok("document" in loaded);
    const github =
      "document" in loaded ? formatProblems(problems, loaded.document, { color: true, github: true }) : "";
    for (const secret of hidden) {
      for (const output of [stderr, github, JSON.stringify(problems)]) assert.not.match(output, secret);
    }
  });
}

const TOKENS: readonly [from: string, to: string][] = [
  ["proxmox:", "proxmox:\n  api_token: hunter2"],
  ["proxmox:", "proxmox:\n  apiToken: hunter2"],
  ["proxmox:", "proxmox:\n  api-token:"],
  ["proxmox:", "proxmox:\n  token: hunter2"],
  ["proxmox:", "proxmox:\n  api_token_secret: ${HUNTER2}"],
  ["    vm_id: 142", "    vm_id: 142\n    pve_token: hunter2"],
  ["proxmox:", "token_secret: hunter2\nproxmox:"],
  ["proxmox:", "API_TOKEN: hunter2\nproxmox:"],
];

for (const [from, to] of TOKENS) {
  test(`the API token has its place, which ${to.replace(from, "").trim()} is told`, () => {
    const { problems, stderr } = checkConfig(bytes(edited(from, to)));
    assert.equal(
      problems.map(({ rule, hint }) => [rule, hint]),
      [["secret", "pass it as the environment variable TF_VAR_proxmox_api_token when running tofu"]],
    );
    assert.not.match(stderr + JSON.stringify(problems), /hunter2/i);
  });
}

test("secrets in the config, in messages, in generated files: where the config is not even YAML", () => {
  const text = `${VALID}proxmox_api_token: "terraform@pve!tofu=${UUID}\n`;
  const { problems, stderr } = checkConfig(bytes(text));
  assert.is(problems[0]?.rule, "yaml-syntax");
  assert.not.match(stderr, UUID);
});

test("secrets in the config, in messages, in generated files: in a comment beside a mistake", () => {
  const { stderr } = checkConfig(bytes(edited("vm_id: 142", `vm_id: 141 # root@pam!x=${UUID}`)));
  assert.match(stderr, "a secret is on this line");
  assert.not.match(stderr, UUID);
});

const LOOKALIKES: readonly [string, string][] = [
  ["a schematic id", patch("x: ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515")],
  [
    "an OIDC client id",
    patch("extraArgs:", "  oidc-client-id: 3f2c1b0a9d8e7f6a5b4c", `  oidc-groups-claim: groups`),
  ],
  [
    "key paths",
    `${VALID}sealed_secrets_config:\n  key_path: assets/sealed-secrets/certificate/sealed-secrets.key\n`,
  ],
  [
    "files of keys and tokens",
    patch(
      "extraArgs:",
      "  service-account-signing-key-file: /etc/sa.key",
      "  token-auth-file: /etc/tokens.csv",
    ),
  ],
  ["a name that ends in -secret", edited("dev-talos", "sealed-secret")],
  [
    "a secret by its name",
    patch("imagePullSecret: regcred-secret", "secretName: my-tls-secret", "secret: my-tls-secret"),
  ],
  ["a UUID", patch(`x: ${UUID}`)],
  ["a MAC address", edited("    vm_id: 142", "    vm_id: 142\n    mac_address: BC:24:11:2E:C8:02")],
  [
    "a digest in an address",
    edited(
      "  name: dev-talos",
      `  name: dev-talos\n  extra_manifests:\n    - https://example.com:8443/x@sha256:${"ab12".repeat(16)}`,
    ),
  ],
  [
    "switches about tokens",
    patch("enable-bootstrap-token-auth: true", "tokenTTL: 24h0m0s", "password: ${PASSWORD}"),
  ],
  ["a certificate", patch("ca: |", "  -----BEGIN CERTIFICATE-----", "  MIIB", "  -----END CERTIFICATE-----")],
  [
    "a certificate in base64",
    patch(`ca: ${Buffer.from("-----BEGIN CERTIFICATE-----\nMIIBIjANBgkqhkiG9w0BAQ\n").toString("base64")}`),
  ],
  ["a mail address and a user", edited("username: terraform", "username: terraform@pve")],
];

for (const [name, text] of LOOKALIKES) {
  test(`no secret: ${name}`, () => assert.is(checkConfig(bytes(text)).stderr, ""));
}

test("secrets are blotted out of any text", () => {
  assert.is(
    redact(`token root@pam!x=${UUID} and password: hunter2, done`),
    "token (secret) and (secret), done",
  );
  assert.is(redact("nothing to see"), "nothing to see");
});

test.run();
