import { gzipSync } from "node:zlib";

/** A compressed tar archive of one file. */
export function gzipTar(name: string, contents: string): Buffer {
  const body = Buffer.from(contents);
  const header = Buffer.alloc(512);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, "0");
  header.write(name, 0);
  header.write(octal(0o600, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(body.length, 11), 124);
  header.write(octal(0, 11), 136);
  header.write(" ".repeat(8), 148); // The checksum, while it is being computed.
  header.write("0", 156);
  header.write("ustar\u000000", 257, "latin1");
  const checksum = header.reduce((sum, byte) => sum + byte, 0);
  header.write(`${octal(checksum, 6)}\0 `, 148);
  const padding = Buffer.alloc((512 - (body.length % 512)) % 512);
  return gzipSync(Buffer.concat([header, body, padding, Buffer.alloc(1024)]));
}
