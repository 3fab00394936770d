/** Texts that break encoders: whatever opens, closes or escapes something in HCL, Markdown, YAML, a shell or a terminal. */
const FRAGMENTS: readonly string[] = [
  ...'${|%{|$${|%%{|$$${|${~|~}|}|{|$|%|"|\'|`|```|~~~|\\|\\\\|\\n|\\u0041|\\"|#|//|/*|*/|<|>|&|<!--|-->'.split(
    "|",
  ),
  ..."|,[,],(,),!,*,_,=,:,- ,---,...,?,@,&a,*a,!!str,null,true,~,0,a,B,é,ß,EOT,<<EOT,<<-EOT".split(","),
  ..."../ / C:\\ .git/hooks/x CON __proto__ constructor".split(" "),
  '${file("/etc/passwd")}',
  "%{ if true }x%{ endif }",
  '"\n}\nlocals { evil = 1 }\nx = {"',
  '"]\n  end\n  evil["x',
  "\n",
  "\n\n",
  "\r",
  "\r\n",
  "\t",
  " ",
  "  ",
  "\nEOT\n",
  "\n  EOT",
  "\n```\n",
  "\n---\n",
  "\u0000",
  "\u0001",
  "\u0007",
  "\u001b[31m",
  "\u007f",
  "\u0080",
  "\u0085",
  "\u009b",
  "\u00a0",
  "\u00ad",
  "\u061c",
  "\u200b",
  "\u200d",
  "\u200e",
  "\u202e",
  "\u2028",
  "\u2029",
  "\u2066",
  "\u2069",
  "\ufeff",
  "\ufffd",
  "\uffff",
  "\u{10ffff}",
  "e\u0301",
  "\u0301",
  "\u0344",
  "\u212b",
  "\u212a",
  "\u0130",
  "\ufb01",
  "\u1100\u1161\u11a8",
  "👍🏽",
  "👨‍👩‍👧",
];

/** What may stand in a line of a heredoc as it is. */
const WORDS: readonly string[] = FRAGMENTS.filter(
  (text) => !/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/.test(text),
);

/** Numbers from 0 up to 1, always the same for a seed. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Different texts, none empty, none the same as another after Unicode NFC. The fragments themselves come first. */
export function hostileTexts(count: number, random = seeded(1)): string[] {
  const texts = new Map(FRAGMENTS.map((text) => [text.normalize("NFC"), text]));
  while (texts.size < count) {
    const length = texts.size % 100 === 0 ? 2000 : 1 + Math.floor(random() * 12);
    const text = Array.from({ length }, () => pick(FRAGMENTS, random)).join("");
    texts.set(text.normalize("NFC"), text);
  }
  return [...texts.values()].slice(0, count);
}

/** Texts of several lines, most of which can be written as a heredoc. */
export function hostileLines(count: number, random = seeded(2)): string[] {
  return Array.from({ length: count }, () => {
    const lines = Array.from({ length: 1 + Math.floor(random() * 6) }, () => {
      const indent = " ".repeat(Math.floor(random() * 4));
      const words = Array.from({ length: Math.floor(random() * 5) }, () => pick(WORDS, random));
      const start = random() < 0.8 ? "key: " : "";
      return indent + start + words.join(random() < 0.5 ? " " : "");
    });
    return `${lines.join("\n")}\n`;
  });
}

function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)] as Item;
}
