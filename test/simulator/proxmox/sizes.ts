export const kib = 1024;
export const mib = 1024 * kib;
export const gib = 1024 * mib;

const units: Readonly<Record<string, number>> = { K: kib, M: mib, G: gib, T: 1024 * gib };

/** `20G`, `528K` or bytes; undefined if it is none of these. */
export function parseSize(text: string): number | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?)([KMGT])?$/.exec(text) ?? [];
  return number === undefined ? undefined : Math.floor(Number(number) * (unit ? units[unit]! : 1));
}

/** As the server prints sizes: the largest unit that leaves no rest. */
export function formatSize(bytes: number): string {
  let [value, unit] = [bytes, ""];
  for (const larger of ["K", "M", "G", "T"]) {
    if (value === 0 || value % 1024 !== 0) break;
    [value, unit] = [value / 1024, larger];
  }
  return `${value}${unit}`;
}
