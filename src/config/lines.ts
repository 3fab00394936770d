export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The lines of a text, and where an offset is in them. Lines and columns count from one. */
export class Lines {
  readonly #text: string;
  readonly #starts: readonly number[];

  constructor(text: string) {
    const starts = [0];
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
    this.#text = text;
    this.#starts = starts;
  }

  /** Text of a line without its end; empty where there is no such line. */
  line(line: number): string {
    const start = this.#starts[line - 1];
    if (start === undefined) return "";
    const next = this.#starts[line];
    return this.#text.slice(start, next === undefined ? undefined : next - 1);
  }

  place(offset: number): Place {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }

  offset(place: Place): number {
    return (this.#starts[place.line - 1] ?? this.#text.length) + place.column - 1;
  }
}
