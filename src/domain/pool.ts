/** Takes the first candidate that is free; one that was used before only when nothing else is left. */
export function take(
  candidates: Iterable<number>,
  used: ReadonlySet<number>,
  retired: ReadonlySet<number>,
): number | undefined {
  let spare: number | undefined;
  for (const candidate of candidates) {
    if (used.has(candidate)) continue;
    if (!retired.has(candidate)) return candidate;
    spare ??= candidate;
  }
  return spare;
}

export function* range(first: number, last: number): Generator<number> {
  for (let number = first; number <= last; number++) yield number;
}
