/** A secret in a text, never with the secret itself. */
export interface Sighting {
  /** What it looks like, with its article. */
  readonly what: string;
  readonly start: number;
  readonly end: number;
}

/** Secrets that give themselves away by their form. Every repetition is bounded, or starts only where a word does. */
const SHAPES: readonly { what: string; pattern: RegExp }[] = [
  {
    what: "a Proxmox API token",
    pattern:
      /(?<![\w.+-])[\w.+-]{1,64}@[\w.-]{1,64}![\w.-]{1,128}[=:][0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi,
  },
  {
    what: "a private key",
    pattern: /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[^]*?(?:-----END[^\n]*|$)/g,
  },
  // The same in base64, as machine configurations and kubeconfigs carry it.
  {
    what: "a private key",
    pattern: /LS0tLS1CRUdJTi(?!BDRVJU)[\w+/]{0,60}?(?:UFJJVkFUR|BSSVZBVE|QUklWQVRF)[\w+/=]*/g,
  },
  { what: "an age key", pattern: /AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{20,}/gi },
  { what: "a GitHub token", pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{22,})/g },
  { what: "a GitLab token", pattern: /(?<![\w-])gl(?:pat|dt|rt|cbt|ptt|agent)-[\w-]{20,}/g },
  { what: "an AWS access key", pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  {
    what: "a Slack token",
    pattern: /(?<![\w-])xox[abeoprs]-[\w-]{10,}|hooks\.slack\.com\/services\/T\w+\/B\w+\/\w+/g,
  },
  { what: "a Google API key", pattern: /(?<![\w-])AIza[\w-]{35}/g },
  { what: "a Vault token", pattern: /\bhv[sbr]\.[\w-]{20,}/g },
  {
    what: "an access token",
    pattern:
      /(?<![\w-])(?:npm_[A-Za-z0-9]{36}|dckr_pat_[\w-]{20,}|dop_v1_[0-9a-f]{64}|sk_live_\w{16,}|tskey-[a-z]+-[\w-]{16,})/g,
  },
  { what: "a JSON web token", pattern: /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/g },
  {
    what: "an address with a password in it",
    pattern: /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@"']{0,200}:[^\s/@"']{1,200}@/gi,
  },
];

const SECRET_NAME =
  /(?:password|passwd|passphrase|apitoken|tokensecret|apikey|accesskey|accesskeyid|secretkey|clientsecret|privatekey|(?:auth|access|refresh|bearer|session|bootstrap|join)token|encryptionsecret)$/;
/** No secret with its name or form is shorter. */
const SHORTEST = 10;
const BARE_NAME = /^(?:secret|token)$/;
const PAIR =
  /(?<![\w.-])["']?-{0,2}([A-Za-z][\w.-]{0,80})["']?[ \t]*[:=][ \t]*("[^"\n]*"|'[^'\n]*'|[^\s,[\]{}"'][^\s,}\]]*)/g;

/** A key without what people spell in different ways. */
export function plainName(key: string): string {
  return key.toLowerCase().replace(/[-_.]/g, "");
}

/** Whether a key says that its value is a secret. Paths, switches, numbers and references are none. */
export function isSecretPair(key: string, value: string): boolean {
  const name = plainName(key);
  if (name === "proxmoxapitoken") return true;
  const bare = value.replace(/^(["'])(.*)\1$/, "$2");
  if (bare === "" || /^(?:[\d.]+|true|false|null|~)$|^[.~]{0,2}\/|^\$|^\{\{|^[|>&*#]/.test(bare))
    return false;
  return SECRET_NAME.test(name) || (BARE_NAME.test(name) && /^(?=\S*\d)(?=\S*[A-Za-z])\S{16,}$/.test(bare));
}

/** Every secret in a text, by its form or by the name in front of it; in order, none inside another. */
export function sightings(text: string): readonly Sighting[] {
  if (text.length < SHORTEST) return [];
  const found: Sighting[] = [];
  for (const { what, pattern } of SHAPES) {
    for (const { 0: match, index } of text.matchAll(pattern))
      found.push({ what, start: index, end: index + match.length });
  }
  for (const { 0: match, 1: key = "", 2: value = "", index } of text.matchAll(PAIR)) {
    if (isSecretPair(key, value))
      found.push({ what: `a secret (${key})`, start: index, end: index + match.length });
  }
  return merge(found.sort((a, b) => a.start - b.start || b.end - a.end));
}

function merge(found: readonly Sighting[]): readonly Sighting[] {
  const merged: Sighting[] = [];
  for (const sighting of found) {
    const last = merged.at(-1);
    if (last === undefined || sighting.start >= last.end) merged.push(sighting);
    else merged[merged.length - 1] = { ...last, end: Math.max(last.end, sighting.end) };
  }
  return merged;
}
