export interface ColorSources {
  /** What the command line says, if anything. */
  readonly wish: boolean | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: boolean;
}

/** The first of these that says anything: the command line, NO_COLOR, FORCE_COLOR, a dumb terminal, a terminal. */
export function usesColor({ wish, env, isTerminal }: ColorSources): boolean {
  if (wish !== undefined) return wish;
  if (env["NO_COLOR"]) return false;
  if (env["FORCE_COLOR"]) return env["FORCE_COLOR"] !== "0" && env["FORCE_COLOR"] !== "false";
  return isTerminal && env["TERM"] !== "dumb";
}

const styles = [
  { start: /^(---|\+\+\+|diff |index |new file|deleted file)/, code: 1 },
  { start: /^@@/, code: 36 },
  { start: /^\+/, code: 32 },
  { start: /^-/, code: 31 },
];

/** A unified diff with colours on its lines. */
export function paintDiff(diff: string): string {
  return diff
    .split("\n")
    .map((line) => {
      const style = styles.find(({ start }) => start.test(line));
      return style === undefined ? line : `\u001b[${style.code}m${line}\u001b[0m`;
    })
    .join("\n");
}
