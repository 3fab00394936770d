import { CST, Lexer, Parser } from "yaml";

const MAX_DEPTH = 64;
/** Some 120,000 keys with their values; the rules must be done with them in about three seconds too. */
const MAX_LEXEMES = 1_000_000;

/** What opens a level, until a value follows. */
const MARKS: ReadonlySet<string | null> = new Set([
  "seq-item-ind",
  "explicit-key-ind",
  "map-value-ind",
  "anchor",
  "tag",
]);
/** What the lexer says beside the text itself. */
const EMPTY: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);

/** Why a text is not even parsed to its end. */
export interface Excess {
  readonly rule: "yaml-too-big" | "yaml-too-deep";
  readonly offset: number;
  readonly message: string;
}

/** The text as YAML tokens, given up as soon as it is too large or too deep for the steps that follow. */
export function parseTokens(text: string): { tokens: readonly CST.Token[] } | { excess: Excess } {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let offset = 0;
  let lexemes = 0;
  let brackets = 0;
  let marks = 0;
  for (const lexeme of new Lexer().lex(text)) {
    const type = CST.tokenType(lexeme);
    if (type === "flow-map-start" || type === "flow-seq-start") brackets++;
    if (type === "flow-map-end" || type === "flow-seq-end") brackets--;
    if (MARKS.has(type)) marks++;
    else if (type !== "space") marks = 0;
    if (brackets > MAX_DEPTH || marks > MAX_DEPTH) return { excess: tooDeep(offset) };
    if (++lexemes > MAX_LEXEMES) {
      return {
        excess: {
          rule: "yaml-too-big",
          offset,
          message: "the file holds more keys and values than any cluster",
        },
      };
    }
    if (!EMPTY.has(lexeme)) offset += lexeme.length;
    for (const token of parser.next(lexeme)) tokens.push(token);
  }
  tokens.push(...parser.end());
  const deep = firstTooDeep(tokens);
  return deep === undefined ? { tokens } : { excess: tooDeep(deep) };
}

function tooDeep(offset: number): Excess {
  return { rule: "yaml-too-deep", offset, message: `values are nested deeper than ${MAX_DEPTH} levels` };
}

/** What indentation nests shows only in the parsed tokens. */
function firstTooDeep(tokens: readonly CST.Token[]): number | undefined {
  const stack = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { token, depth } = next;
    if (depth > MAX_DEPTH) return token.offset;
    if (token.type === "document" && token.value) stack.push({ token: token.value, depth });
    if (!("items" in token)) continue;
    for (const { key, value } of token.items) {
      if (key) stack.push({ token: key, depth: depth + 1 });
      if (value) stack.push({ token: value, depth: depth + 1 });
    }
  }
  return undefined;
}
