/** The README of a tree, as one who follows it to the letter reads it. */
export class Readme {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The shell blocks below a heading, each a list of lines, without the indentation of a list. */
  blocks(heading: string): readonly (readonly string[])[] {
    const section = this.#section(heading);
    return [...section.matchAll(/^( *)```sh\n(.*?)^ *```$/gms)].map(([, indent = "", lines = ""]) =>
      lines
        .trimEnd()
        .split("\n")
        .map((line) => line.slice(indent.length)),
    );
  }

  /** The one block below a heading that has a line beginning so. */
  block(heading: string, beginning: string): readonly string[] {
    const found = this.blocks(heading).filter((lines) => lines.some((line) => line.startsWith(beginning)));
    if (found.length !== 1)
      throw new Error(`${found.length} blocks below "${heading}" have a line with ${beginning}`);
    return found[0]!;
  }

  /** The rows of the table below a heading, by the words above each column. Code loses its marks. */
  table(heading: string): readonly Readonly<Record<string, string>>[] {
    const rows = this.#section(heading)
      .split("\n")
      .filter((line) => line.startsWith("| "))
      .map((line) => line.slice(2, -2).split(" | "));
    const [head = [], , ...body] = rows;
    return body.map((cells) =>
      Object.fromEntries(head.map((name, index) => [name, cells[index]?.replace(/^`(.*)`$/, "$1") ?? ""])),
    );
  }

  has(heading: string): boolean {
    return this.#heading(heading) !== null;
  }

  /** What the token may do, and what it is called. */
  token(): { readonly token: string; readonly privileges: readonly string[] } {
    const lines = this.block("Before the first apply", "pveum role add");
    const find = (pattern: RegExp) => {
      const match = lines.map((line) => pattern.exec(line)).find((found) => found !== null);
      if (match === undefined) throw new Error(`no line like ${pattern.source}`);
      return match;
    };
    const [, role, privileges = ""] = find(/^pveum role add (\S+) --privs "([^"]+)"$/);
    const [, user] = find(/^pveum user add (\S+)$/);
    find(new RegExp(`^pveum acl modify / --users ${user} --roles ${role}$`));
    const [, name] = find(new RegExp(`^pveum user token add ${user} (\\S+) --privsep 0$`));
    return { token: `${user}!${name}`, privileges: privileges.split(" ") };
  }

  #heading(heading: string): RegExpExecArray | null {
    return new RegExp(`^(#+) ${heading}$`, "m").exec(this.#text);
  }

  #section(heading: string): string {
    const start = this.#heading(heading);
    if (start === null) throw new Error(`the README has no heading "${heading}"`);
    const rest = this.#text.slice(start.index + start[0].length);
    const end = new RegExp(`^#{1,${start[1]!.length}} `, "m").exec(rest);
    return end === null ? rest : rest.slice(0, end.index);
  }
}
