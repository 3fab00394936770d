/** One file of the tree, complete in memory. */
export interface TreeFile {
  readonly text: string;
  /** Written where it is missing and never touched again: the file is the user's from then on. */
  readonly once: boolean;
}

/** Everything that will be written: path below `--out`, with forward slashes, to its file. Sorted by path. */
export type Tree = ReadonlyMap<string, TreeFile>;
