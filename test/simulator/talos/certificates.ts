import {
  createPrivateKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  X509Certificate,
  type KeyObject,
} from "node:crypto";
import { isIP } from "node:net";
import * as der from "./der.ts";

/** A certificate authority, as a machine configuration carries it; workers get it without the key. */
export interface Authority {
  /** PEM. */
  readonly certificate: string;
  readonly key: KeyObject | undefined;
}

/** Both as PEM. */
export interface Credentials {
  readonly certificate: string;
  readonly key: string;
}

export interface Subject {
  readonly commonName: string;
  readonly organization?: string;
  /** Addresses and names under which a server is reached. */
  readonly hosts?: readonly string[];
}

const usages = { server: "1.3.6.1.5.5.7.3.1", client: "1.3.6.1.5.5.7.3.2" };
const dayMs = 24 * 3600 * 1000;

/** Talos calls the PKCS #8 of its own Ed25519 keys by a name that only Go's side knows. */
export function readKey(pem: string): KeyObject {
  return createPrivateKey(pem.replaceAll("ED25519 PRIVATE KEY", "PRIVATE KEY"));
}

/** A new key and its certificate, valid for a year. */
export function issue(authority: Authority, usage: keyof typeof usages, subject: Subject): Credentials {
  if (!authority.key) throw new Error("the authority has no key to sign with");
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const issuer = nameOf(new X509Certificate(authority.certificate));
  const certificate = signed(authority.key, [
    issuer,
    validity(),
    name(subject),
    publicKey.export({ type: "spki", format: "der" }),
    der.element(der.context(3, true), der.sequence(...extensions(usage, subject.hosts ?? []))),
  ]);
  return { certificate, key: privateKey.export({ type: "sec1", format: "pem" }).toString() };
}

/** What a node shows before it has a configuration. */
export function selfSigned(subject: Subject): Credentials {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const certificate = signed(privateKey, [
    name(subject),
    validity(),
    name(subject),
    publicKey.export({ type: "spki", format: "der" }),
    der.element(der.context(3, true), der.sequence(...extensions("server", subject.hosts ?? []))),
  ]);
  return { certificate, key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}

function signed(key: KeyObject, [issuer, ...rest]: readonly [Buffer, ...Buffer[]]): string {
  const isEd25519 = key.asymmetricKeyType === "ed25519";
  if (!isEd25519 && key.asymmetricKeyType !== "ec") throw new Error("cannot sign with this kind of key");
  const algorithm = der.sequence(der.identifier(isEd25519 ? "1.3.101.112" : "1.2.840.10045.4.3.2"));
  const version3 = der.element(der.context(0, true), der.integer(Buffer.from([2])));
  const serial = der.integer(Buffer.concat([Buffer.from([1]), randomBytes(15)]));
  const body = der.sequence(version3, serial, algorithm, issuer, ...rest);
  const signature = der.bits(sign(isEd25519 ? null : "sha256", body, key));
  return new X509Certificate(der.sequence(body, algorithm, signature)).toString();
}

/** The subject, the sixth part of a certificate's body, as it is encoded there. */
function nameOf(certificate: X509Certificate): Buffer {
  const [body = Buffer.alloc(0)] = der.children(certificate.raw);
  const subject = der.children(body)[5];
  if (!subject) throw new Error("not a certificate of version 3");
  return subject;
}

function name({ commonName, organization }: Subject): Buffer {
  const attribute = (type: string, value: string) =>
    der.set(der.sequence(der.identifier(type), der.text(value)));
  const parts = organization === undefined ? [] : [attribute("2.5.4.10", organization)];
  return der.sequence(...parts, attribute("2.5.4.3", commonName));
}

function validity(): Buffer {
  const now = Date.now();
  return der.sequence(der.time(new Date(now - dayMs)), der.time(new Date(now + 365 * dayMs)));
}

function extensions(usage: keyof typeof usages, hosts: readonly string[]): readonly Buffer[] {
  const extension = (type: string, value: Buffer) => der.sequence(der.identifier(type), der.octets(value));
  const digitalSignature = der.bits(Buffer.from([0x80]), 7);
  const found = [
    extension("2.5.29.15", digitalSignature),
    extension("2.5.29.37", der.sequence(der.identifier(usages[usage]))),
  ];
  return hosts.length === 0 ? found : [...found, extension("2.5.29.17", der.sequence(...hosts.map(host)))];
}

function host(value: string): Buffer {
  if (isIP(value) === 4) return der.element(der.context(7, false), Buffer.from(value.split(".").map(Number)));
  return der.element(der.context(2, false), Buffer.from(value));
}
