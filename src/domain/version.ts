/** Major, minor, patch, and what stands behind the hyphen of a pre-release. */
export type Version = readonly [number, number, number, string];

export function parseVersion(text: string): Version | undefined {
  const match = /^v?([0-9]+)\.([0-9]+)\.([0-9]+)(?:-(.+))?$/.exec(text);
  if (match === null) return undefined;
  return [Number(match[1]), Number(match[2]), Number(match[3]), match[4] ?? ""];
}

/** Negative, zero or positive, like a sort function's. A pre-release comes before its release. */
export function compare(a: string, b: string): number {
  const [left, right] = [parseVersion(a), parseVersion(b)];
  if (left === undefined || right === undefined) return 0;
  for (const part of [0, 1, 2] as const) {
    if (left[part] !== right[part]) return left[part] - right[part];
  }
  if (left[3] === right[3]) return 0;
  if (left[3] === "" || right[3] === "") return left[3] === "" ? 1 : -1;
  return left[3].localeCompare(right[3], "en", { numeric: true });
}

/** The minor number of a version with the given major one. */
export function minorOf(text: string | undefined, major: number): number | undefined {
  const version = parseVersion(text ?? "");
  return version?.[0] === major ? version[1] : undefined;
}
