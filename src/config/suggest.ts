/** Fewer letters than this begin a word by chance. */
const SHORTEST_BEGINNING = 3;

/** The candidate that a misspelt or unfinished word most likely stands for, if any is near enough. */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  const wanted = plain(word);
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    const other = plain(candidate);
    if (Math.abs(other.length - wanted.length) > limit) continue;
    const distance = editDistance(wanted, other);
    if (distance <= limit && distance < (best?.distance ?? Infinity)) best = { candidate, distance };
  }
  return best?.candidate ?? complete(wanted, candidates);
}

/** The only candidate that a plain word begins; its first words, where it begins others in the middle of one. */
function complete(wanted: string, candidates: readonly string[]): string | undefined {
  const begun = candidates.filter((candidate) => plain(candidate).startsWith(wanted));
  const [only, second] =
    begun.length === 1 && wanted.length >= SHORTEST_BEGINNING
      ? begun
      : begun.filter((candidate) => beginnings(candidate).includes(wanted));
  return second === undefined ? only : undefined;
}

/** The plain first word, the first two and so on, without the whole. */
function beginnings(candidate: string): string[] {
  const ends = [...candidate.matchAll(/[-_. ]/g)].map(({ index }) => index);
  return ends.map((end) => plain(candidate.slice(0, end))).filter((beginning) => beginning !== "");
}

/** Damerau-Levenshtein (optimal string alignment): insertions, deletions, substitutions, neighbours swapped. */
export function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      let distance = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (row > 1 && column > 1 && isSwapped)
        distance = Math.min(distance, (beforeLast[column - 2] ?? 0) + 1);
      current.push(distance);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}

/** Case and separators are what people get wrong most: `machineType` is `machine_type`. */
function plain(word: string): string {
  if (word.length < 64 && /^[a-z0-9]*$/.test(word)) return word;
  return word
    .slice(0, 64)
    .toLowerCase()
    .replace(/[-_. ]/g, "");
}
