/** The few forms of ASN.1's distinguished encoding that a certificate is made of. */

export function element(tag: number, ...contents: readonly Buffer[]): Buffer {
  const body = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body), body]);
}

export const sequence = (...items: readonly Buffer[]) => element(0x30, ...items);
export const set = (...items: readonly Buffer[]) => element(0x31, ...items);
export const octets = (bytes: Buffer) => element(0x04, bytes);
export const bits = (bytes: Buffer, unused = 0) => element(0x03, Buffer.from([unused]), bytes);
export const text = (value: string) => element(0x0c, Buffer.from(value));

/** The bytes must not start with a set bit, or the number would be negative. */
export const integer = (bytes: Buffer) => element(0x02, bytes);

/** As GeneralizedTime, in whole seconds. */
export const time = (date: Date) =>
  element(0x18, Buffer.from(`${date.toISOString().replace(/\D/g, "").slice(0, 14)}Z`));

/** Tag of an element that its place in a structure explains. */
export const context = (number: number, isConstructed: boolean) => 0x80 | (isConstructed ? 0x20 : 0) | number;

export function identifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** The elements directly inside one, each with its tag and length. */
export function children(der: Buffer): readonly Buffer[] {
  const found: Buffer[] = [];
  for (let at = headerLength(der); at < der.length;) {
    const end = at + headerLength(der.subarray(at)) + bodyLength(der.subarray(at));
    found.push(der.subarray(at, end));
    at = end;
  }
  return found;
}

function lengthOf({ length }: Buffer): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const digits = length.toString(16);
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex");
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}

function headerLength(der: Buffer): number {
  const first = der.readUInt8(1);
  return first < 0x80 ? 2 : 2 + (first & 0x7f);
}

function bodyLength(der: Buffer): number {
  const first = der.readUInt8(1);
  return first < 0x80 ? first : der.readUIntBE(2, first & 0x7f);
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let left = value >>> 7; left > 0; left >>>= 7) bytes.unshift((left & 0x7f) | 0x80);
  return bytes;
}
