import { createHash, generateKeyPairSync, X509Certificate } from "node:crypto";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { issue, readKey, selfSigned, type Authority } from "./certificates.ts";

/** Self-signed certificates serve as authorities here: nothing but the signature is looked at. */
function authority(): Authority {
  const { certificate, key } = selfSigned({ commonName: "authority" });
  return { certificate, key: readKey(key) };
}

test("a certificate is signed by its authority and names its hosts", () => {
  const signer = authority();
  const { certificate, key } = issue(signer, "server", {
    commonName: "cp-1",
    hosts: ["127.1.2.3", "cp-1.lan"],
  });
  const read = new X509Certificate(certificate);
  const by = new X509Certificate(signer.certificate);
  assert.ok(read.verify(by.publicKey));
  assert.is(read.issuer, by.subject);
  assert.ok(read.checkPrivateKey(readKey(key)));
  assert.is(read.subjectAltName, "IP Address:127.1.2.3, DNS:cp-1.lan");
  assert.equal(read.keyUsage, ["1.3.6.1.5.5.7.3.1"]);
  assert.not(read.verify(new X509Certificate(authority().certificate).publicKey));
});

test("a client certificate is valid for longer than the 720 hours after which kubeconfigs are renewed", () => {
  const admin = { commonName: "admin", organization: "system:masters" };
  const read = new X509Certificate(issue(authority(), "client", admin).certificate);
  assert.is(read.subject, "O=system:masters\nCN=admin");
  assert.ok(Date.parse(read.validTo) - Date.now() > 720 * 3600 * 1000);
});

test("keys are read under the name that Talos gives them", () => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const hash = (text: string) =>
    createHash("sha256")
      .update(readKey(text).export({ type: "pkcs8", format: "der" }))
      .digest("hex");
  assert.is(hash(pem.replaceAll("PRIVATE KEY", "ED25519 PRIVATE KEY")), hash(pem));
});

test("an authority without its key signs nothing", () => {
  const { certificate } = authority();
  assert.throws(() => issue({ certificate, key: undefined }, "client", { commonName: "a" }), /no key/);
});

test.run();
