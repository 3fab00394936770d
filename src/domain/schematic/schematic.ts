import { createHash } from "node:crypto";
import { isMap, isScalar, isSeq, LineCounter, parseDocument, visit, type Document, type Scalar } from "yaml";

import { choice, Fault, flag, free, integer, listOf, struct, text } from "./go-struct.ts";
import { marshal } from "./go-yaml.ts";

/** The Image Factory's Schematic. Without `owner`: the public factory refuses it, an Enterprise one overwrites it. */
const schematic = struct(
  {
    overlay: struct({ image: text, name: text, options: free }, ["image", "name"]),
    customization: struct({
      embeddedMachineConfiguration: text,
      extraKernelArgs: listOf(text),
      meta: listOf(struct({ key: integer(255n), value: text }, ["key", "value"])),
      systemExtensions: struct({ officialExtensions: listOf(text) }),
      bootloader: choice(["none", "dual-boot", "sd-boot", "grub"]),
      secureboot: struct({ enrollKeys: text, includeWellKnownCertificates: flag }),
      diskImage: struct({ sectorSize: integer(2n ** 32n - 1n) }),
    }),
  },
  ["customization"],
);

/** Parses a schematic and computes the id that the Image Factory gives it. */
export function readSchematic(
  source: string,
): { id: string; extensions: readonly string[] } | { fault: string; line: number; column: number } {
  const lineCounter = new LineCounter();
  try {
    const document = parseDocument(source, {
      schema: "failsafe",
      uniqueKeys: false,
      prettyErrors: false,
      lineCounter,
    });
    checkSyntax(source, document);
    if (!isMap(document.contents)) throw new Fault(0, 'a schematic must be a mapping; the empty one is "{}"');

    const canonical = marshal(schematic(document.contents, "").value);
    const extensions = document.getIn(["customization", "systemExtensions", "officialExtensions"]);
    return {
      id: createHash("sha256").update(canonical).digest("hex"),
      extensions: isSeq(extensions) ? extensions.toJSON().map(String) : [],
    };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { line, col } = lineCounter.linePos(error.offset);
    return { fault: error.message, line, column: col };
  }
}

/** Refuses what is no YAML, and what the factory's parser refuses or reads in another way than this one. */
function checkSyntax(source: string, document: Document): void {
  const [error] = [...document.errors, ...document.warnings];
  const isSecondDocument = error?.code === "MULTIPLE_DOCS";
  if (isSecondDocument) throw new Fault(error.pos[0], "a schematic must be one document, not several");
  if (error) throw new Fault(error.pos[0], `not valid YAML: ${error.message}`);

  let outsideBlocks = source;
  visit(document, {
    Pair(_, { key }) {
      if (!isScalar(key) || !key.range) return;
      const [start, end] = key.range;
      const colon = key.type === "PLAIN" ? /^[ \t]*:(?=\s|$)/ : /^[ \t]*:(?![,\]}])/;
      const isOneLine = !source.slice(start, end).includes("\n") && colon.test(source.slice(end));
      if (!isOneLine) throw new Fault(start, "a key must be followed by a colon and a space, on one line");
    },
    Scalar(_, { type, range }) {
      if (!type || !range) return;
      const [start, end] = range;
      const [scalar, rest] = [source.slice(start, end), source.slice(end)];
      const isBlock = type.startsWith("BLOCK");
      if (isBlock) outsideBlocks = outsideBlocks.slice(0, start) + scalar.replace(/./g, "x") + rest;
      const upToNext = isBlock ? /^(?:[ \t]*\r?\n)*/ : /^[ \t]*[^ \t]?/;
      checkPatterns(scalar + upToNext.exec(rest)![0], foreignIn[type], start);
    },
  });
  checkPatterns(source, foreignAnywhere);
  checkPatterns(outsideBlocks, foreignOutsideBlocks);
}

/** Each pattern that must not be found, with what to say if it is. */
type Patterns = readonly (readonly [RegExp, string])[];

function checkPatterns(text: string, patterns: Patterns, offset = 0): void {
  for (const [pattern, fault] of patterns) {
    const found = text.search(pattern);
    if (found >= 0) throw new Fault(offset + found, fault);
  }
}

const foreignAnywhere: Patterns = [
  [
    /(?!^\ufeff)[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]|\r(?!\n)/u,
    "a control character or line separator must be written as an escape, in double quotes",
  ],
];

const foreignOutsideBlocks: Patterns = [
  [/(?<=^[ -]*)\t/m, "a tab must not indent a line"],
  [/^%/m, "a directive is not supported"],
];

const foreignInBlock: Patterns = [
  [/^[^\n]*\n\s*\t/, "a block of text must not start with a tab"],
  [/\n[ \t]+\s*$/, "a block of text must not be followed by a line of nothing but spaces"],
  [/^(?![|>][0-9]?-)[^]*[^\n]$/, "a block of text must end in a line break"],
];

/** By the style of a scalar: what must not be in it, or right behind it. */
const foreignIn: Readonly<Record<Scalar.Type, Patterns>> = {
  PLAIN: [
    [/^[:?]|\?(?=\s|$)/, "a text that starts with : or ?, or has a ? before a space, must be in quotes"],
  ],
  QUOTE_SINGLE: [[/^(?!'(?:[^']|'')*'[ \t]*[\r\n,\]}:#]?$)/, "a closing quote must be the end of the value"]],
  QUOTE_DOUBLE: [
    [/^(?!"(?:[^"\\]|\\[^])*"[ \t]*[\r\n,\]}:#]?$)/, "a closing quote must be the end of the value"],
    [
      /(?<!\\)(?:\\\\)*\\(?:\/|u[dD][89a-fA-F])/,
      "an escaped slash or half of a surrogate pair is not supported, write the character itself",
    ],
    [/\\[ \t]+\r?\n|\\\r?\n[ \t]*\r?\n/, "an escape must not be followed by a blank rest of the line"],
  ],
  BLOCK_LITERAL: foreignInBlock,
  BLOCK_FOLDED: foreignInBlock,
};
