/**
 * How `yamldecode` of OpenTofu and Terraform differs from a reader of YAML 1.2. It is a reader of YAML 1.1: some texts that
 * are sound here it refuses, and some values that are text here it takes for something else.
 */
import { isMap, isScalar, isSeq } from "yaml";
import type { Node, Pair, Scalar } from "yaml";
import { quote } from "../problem.ts";
import type { Severity } from "../problem.ts";

/** One such difference. The offset counts from zero. */
export interface Difference {
  readonly severity: Severity;
  readonly start: number;
  readonly message: string;
  readonly hint: string;
}

/** What it refuses anywhere, and what it takes for the end of a line. */
const FOREIGN_CHARACTER =
  /[^\t\n\r -~\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]|[\u2028\u2029]/u;
const DIRECTIVE = /^(?:[ \t]*(?:#.*)?\r?\n)*%/;
/** A tab in the indentation, or behind the dash of an entry. */
const LEADING_TAB = /^ *(?:- +)*\t/gm;
const ANCHOR = /^[A-Za-z0-9_-]+$/;
const CORE_TAG = "tag:yaml.org,2002:";

const TRUE = /^(?:y|Y|yes|Yes|YES|on|On|ON)$/;
const FALSE = /^(?:n|N|no|No|NO|off|Off|OFF)$/;
const NOT_FINITE = /^[-+]?\.(?:inf|Inf|INF|nan|NaN|NAN)$/;
const BASED_NUMBER = /^(?:0x[0-9A-Fa-f]+|0o[0-7]+)$/;
/** Numbers whose text is not what remains of them: `1.10` and `012`. */
const REWRITTEN_NUMBER = /^[-+]?(?:0\d+(?:\.\d*)?|\d+\.(?:\d*0)?)$/;
const TIME = /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt ]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)?)?$/;
/** A time that stays as it is written. */
const FULL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[-+]\d\d:\d\d)$/;

/** Every difference in a text that is sound YAML 1.2, from its root. */
export function findDifferences(text: string, root: Node): readonly Difference[] {
  const found: Difference[] = [];
  /** Where tabs are welcome, in the order of the text. */
  const loose: { readonly start: number; readonly end: number }[] = [];
  const refuse = (start: number, message: string, hint: string) =>
    found.push({ severity: "error", start, message: `OpenTofu cannot read it: ${message}`, hint });
  const warn = (start: number, message: string, hint: string) =>
    found.push({ severity: "warning", start, message: `OpenTofu reads ${message}`, hint });

  const visit = (node: Node | null, isInFlow: boolean): void => {
    if (!isMap(node) && !isSeq(node) && !isScalar(node)) return;
    const [start, , end] = node.range ?? [0, 0, 0];
    if (isScalar(node) || node.flow === true) loose.push({ start, end });
    if (node.anchor !== undefined && !ANCHOR.test(node.anchor)) {
      refuse(start, `the anchor &${node.anchor} has a special character`, "use letters, digits, - and _");
    }
    if (node.tag !== undefined && !isKnownTag(node.tag, node)) {
      const tag = node.tag.replace(CORE_TAG, "!!");
      refuse(start, `the tag ${tag} does not fit its value`, "write the value without a tag");
    }
    if (isScalar(node)) {
      if (node.type === "QUOTE_DOUBLE") visitQuoted(node);
      else if (node.type !== "QUOTE_SINGLE" && node.tag === undefined) visitUnquoted(node, isInFlow);
    } else {
      for (const item of node.items as (Node | Pair<Node, Node | null>)[]) {
        const isFlow = isInFlow || node.flow === true;
        if ("key" in item) visit(item.key, isFlow);
        visit("key" in item ? item.value : item, isFlow);
      }
    }
  };

  const visitQuoted = ({ range }: Scalar): void => {
    const [start, end] = range ?? [0, 0];
    const escapes = [...text.slice(start, end).matchAll(/\\(?:u[0-9A-Fa-f]{4}|[^])/g)];
    const wrong = escapes.find(([escape]) => /^\\(?:\/|u[Dd][89A-Fa-f])/.test(escape));
    if (wrong === undefined) return;
    const hint = wrong[0] === "\\/" ? "write / alone" : "write the character itself";
    refuse(start + wrong.index, `in quotes there is no ${wrong[0]}`, hint);
  };

  const visitUnquoted = ({ type, value, source, range }: Scalar, isInFlow: boolean): void => {
    const [start] = range ?? [0];
    const written = typeof value === "string" ? value : (source ?? "");
    const shown = written.length > 40 ? `${written.slice(0, 40)}…` : written;
    const quoted = `write ${quote(written)}, in quotes`;
    if (type === "PLAIN" && isInFlow && /^:|\?/.test(written)) {
      refuse(start, `between brackets, ${written.startsWith(":") ? ":" : "?"} is no part of a value`, quoted);
    } else if (NOT_FINITE.test(written)) {
      refuse(
        start,
        `${written} is no number that it can pass on`,
        `write a number; if it is text, ${quoted}`,
      );
    } else if (BASED_NUMBER.test(written) && BigInt(written) >= 2n ** 64n) {
      refuse(
        start,
        `${shown} has more than 64 bits`,
        `write it as a decimal number; if it is text, ${quoted}`,
      );
    } else if (TRUE.test(written) || FALSE.test(written)) {
      const word = String(TRUE.test(written));
      warn(start, `${shown} as ${word}`, `write ${word}; if it is text, ${quoted}`);
    } else if (REWRITTEN_NUMBER.test(written)) {
      const number = String(Number(written));
      warn(start, `${shown} as the number ${number}`, `write ${number}; if it is text, ${quoted}`);
    } else if (TIME.test(written) && !FULL_TIME.test(written)) {
      warn(start, `${shown} as a time, and passes it on in another form`, quoted);
    }
  };

  const foreign = FOREIGN_CHARACTER.exec(text);
  if (foreign !== null) {
    const code = (foreign[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    refuse(
      foreign.index,
      `the character U+${code} may not stand there`,
      `in double quotes, write \\u${code}`,
    );
  }
  if (DIRECTIVE.test(text)) {
    const start = text.indexOf("%");
    refuse(start, "it knows no YAML but 1.1, and no such line", "remove the line that starts with %");
  }
  visit(root, false);
  let [next, looseUntil] = [0, 0];
  for (const { 0: indentation, index } of text.matchAll(LEADING_TAB)) {
    const at = index + indentation.length - 1;
    for (let range = loose[next]; range !== undefined && range.start <= at; range = loose[++next]) {
      looseUntil = Math.max(looseUntil, range.end);
    }
    if (at >= looseUntil) refuse(at, "a tab stands where only blanks may", "write blanks");
  }
  return found;
}

/** Text, and whatever is of the type that its tag says. */
function isKnownTag(tag: string, node: Node): boolean {
  if (!tag.startsWith(CORE_TAG)) return false;
  return !isScalar(node) || tag === `${CORE_TAG}str` || typeof node.value !== "string";
}
