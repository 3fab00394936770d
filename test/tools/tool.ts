/** Replaces text in one file of a module's source. A string must be there just once, a pattern at least once. */
export interface Edit {
  readonly file: string;
  readonly find: string | RegExp;
  readonly put: string;
}

/** One executable and how it is had from the Go module proxy. */
export interface Tool {
  /** The executable's name. */
  readonly name: string;
  /** The version it counts as, which for a stand-in is not that of its module. */
  readonly version: string;
  /** The tools of the group "kubernetes" are built only on request. */
  readonly group: "base" | "kubernetes";
  /** A provider's address, without the registry. */
  readonly provider?: string;
  /** `path@version` of the Go module. */
  readonly module: string;
  /** The h1 sum of the module's files, as `go mod download -json` prints it. */
  readonly sum: string;
  readonly package?: string;
  readonly ldflags?: string;
  readonly edits?: readonly Edit[];
  /** Lines of go.sum for modules that the public checksum database does not know: only for these it is not asked. */
  readonly unlisted?: readonly string[];
}
