const MAX_BYTES = 4 * 1024 * 1024;

/** Why bytes are no config text; the line counts from one. */
export interface Unreadable {
  readonly rule: "yaml-encoding" | "yaml-too-big";
  readonly line: number;
  readonly message: string;
  readonly hint: string;
}

/** Characters that no config may hold, written as they are or as an escape: half a surrogate pair, and NUL. */
export const FORBIDDEN = /[\p{Surrogate}\0]/u;

/** UTF-8 bytes as text with plain line ends; a byte order mark is dropped. */
export function decode(bytes: Uint8Array): { text: string } | { unreadable: Unreadable } {
  if (bytes.length > MAX_BYTES) {
    const mebibytes = (bytes.length / 1024 / 1024).toFixed(1);
    return refuse(
      "yaml-too-big",
      1,
      `the file has ${mebibytes} MiB, more than the 4 MiB a config may have`,
      "is this the right file?",
    );
  }
  const text = strictUtf8(bytes);
  if (text === undefined) {
    return refuse("yaml-encoding", firstBadLine(bytes), "this line is not UTF-8", "save the file as UTF-8");
  }
  const nul = text.indexOf("\0");
  if (nul !== -1) {
    const line = text.slice(0, nul).split("\n").length;
    return refuse("yaml-encoding", line, "this line holds a NUL character", "save the file as UTF-8 text");
  }
  return { text: text.replace(/\r\n?/g, "\n") };
}

function refuse(
  rule: Unreadable["rule"],
  line: number,
  message: string,
  hint: string,
): { unreadable: Unreadable } {
  return { unreadable: { rule, line, message, hint } };
}

function strictUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A line feed is never part of a longer UTF-8 sequence, so each line can be tried by itself. */
function firstBadLine(bytes: Uint8Array): number {
  for (let line = 1, start = 0; ; line++) {
    const end = bytes.indexOf(10, start);
    if (end === -1 || strictUtf8(bytes.subarray(start, end)) === undefined) return line;
    start = end + 1;
  }
}
