import { test } from "uvu";
import * as assert from "uvu/assert";

import { readSchematic } from "../../src/domain/schematic/schematic.ts";

/** Ids that the Image Factory's own Go package gave, alike with yaml v4 rc.3, rc.4, rc.5, rc.6 and yaml v3. */
const schematics: readonly (readonly [what: string, id: string, text: string])[] = [
  ["the empty mapping", "376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba", "{}\n"],
  [
    "a key without a value",
    "376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba",
    "customization:\n",
  ],
  [
    "empty collections",
    "376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba",
    `customization:
  extraKernelArgs: []
  meta: []
  systemExtensions: {}
overlay: {}
`,
  ],
  [
    "one extension",
    "ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515",
    `customization:
  systemExtensions:
    officialExtensions:
      - siderolabs/qemu-guest-agent
`,
  ],
  [
    "extensions in the order of the file",
    "a505dfbbb82ab03e8cdca1971d32da9050e7430de16f7bd5e686b24adae1dbaf",
    `customization:
  systemExtensions:
    officialExtensions:
      - siderolabs/util-linux-tools
      - siderolabs/iscsi-tools
      - siderolabs/iscsi-tools
`,
  ],
  [
    "comments and a document start",
    "96f8c146a67c80daad900d3fc1a6976fe11062321eee9ab6ae2a6aea88b2d26e",
    `# for the lab
---
customization: # all of it
  systemExtensions:
    officialExtensions:
      - siderolabs/amd-ucode # microcode
`,
  ],
  [
    "Windows line ends",
    "a544fd1b09e1a911a391d66c7739a575022e54cbd48d64da4baa0db3bc9dbae8",
    "customization:\r\n  extraKernelArgs:\r\n    - console=ttyS0\r\n    - |\r\n      two\r\n      lines\r\n",
  ],
  [
    "JSON",
    "9cba8e32753f91a16c1837ab8abf356af021706ef284aef07380780177d9a06c",
    '{"customization": {"extraKernelArgs": ["noapic", "nolapic"], "systemExtensions": {}}}',
  ],
  [
    "keys in another order",
    "3ec858cc54a876a2b19714180688037bc2080a84ae21d6273ee66febc0145cbe",
    `customization:
  secureboot:
    includeWellKnownCertificates: true
  bootloader: sd-boot
  meta:
    - value: x
      key: 12
  extraKernelArgs:
    - a
overlay:
  options:
    b: 1
    a: 2
  name: board
  image: team/board
`,
  ],
  [
    "numbers and booleans as text",
    "59b14fc7282d732aaa684c47763b9b35481eb5ff5940322a488f80dc9f794cbd",
    `customization:
  extraKernelArgs:
    - 1e3
    - true
    - 0x1f
`,
  ],
  [
    "escapes",
    "319fffbd837f378dec5fe234f2cabb59fbbe73f73381fd8559c59ebe9e3a320f",
    `customization:
  extraKernelArgs:
    - "\\N\\_\\x7f\\u00e9\\U0001F600"
`,
  ],
  [
    "folded and quoted text",
    "9c3cca3f66764cc6fb87cbfcf9d5c0562d29952150f85b8f734ae746c56b2fce",
    `customization:
  extraKernelArgs:
    - 'it''s'
    - "tab\\there"
    - >-
      folded
      text
    - plain
      text
`,
  ],
  [
    "meta",
    "60f2c28a6eb0604cf3b39d4ecb600f6c93ae4c34c51ee009fa38f23ea2adfe67",
    `customization:
  meta:
    - key: 0xa
      value: |
        addresses:
          - address: 10.0.0.5/24
            linkName: eth0
    - key: 12
      value: ""
`,
  ],
  [
    "meta without key and value",
    "91e6a29add7dfa6f7cb57843fbdccccbba2105910982ddac0a48733a2552d9b7",
    `customization:
  meta:
    - {}
`,
  ],
  [
    "bootloader none",
    "376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba",
    `customization:
  bootloader: none
`,
  ],
  [
    "bootloader grub",
    "39d496b2cbdb6265d3b714514c5334bf010f1b4d31b23b9e38c80fb2f3ad7ecb",
    `customization:
  bootloader: grub
`,
  ],
  [
    "well-known certificates",
    "fa8e05f142a851d3ee568eb0a8e5841eaf6b0ebc8df9a63df16ac5ed2c04f3e6",
    `customization:
  secureboot:
    includeWellKnownCertificates: true
`,
  ],
  [
    "certificates off",
    "376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba",
    `customization:
  secureboot:
    includeWellKnownCertificates: false
`,
  ],
  [
    "forced key enrollment",
    "f5212e5887c51d0b6a4c4686781c0b2a41a56b51549e4b9c06095d9d733c8a28",
    `customization:
  secureboot:
    enrollKeys: force
`,
  ],
  [
    "sector size",
    "92833e9ddd9bb9e11b2464fa5525429f01866306d52ebd882ee08d7918f6d1ea",
    `customization:
  diskImage:
    sectorSize: 4096
`,
  ],
  [
    "embedded machine configuration",
    "03616d96008b4018eaa02c00a8e1436b3efb6ce786902f3ef84970b79beb6065",
    `customization:
  embeddedMachineConfiguration: |
    machine:
      files:
        - path: /var/x
          content: |
            \ttab
    ---
    kind: other
`,
  ],
  [
    "overlay",
    "ee21ef4a5ef808a9b7484cc0dda0f25075021691c8c09a276591eedb638ea1f9",
    `overlay:
  image: siderolabs/sbc-raspberrypi
  name: rpi_generic
`,
  ],
  [
    "overlay without image",
    "8d2f83ce7c6b3b938ee8ae1c6c0951155d7a2c8128b05259614b416205ea33a4",
    `overlay:
  name: rpi_generic
`,
  ],
  [
    "overlay options of every type",
    "a728fdce7f8adf48c68508876a188b39c9dc81da6cc63683a3762a509daa5b9e",
    `overlay:
  image: team/board
  name: board
  options:
    text: a b
    multi: |
      dtparam=i2c_arm=on
      gpu_mem=16
    flag: true
    count: 0x10
    big: 18446744073709551615
    ratio: 0.25
    tiny: 0.00001
    huge: 1234567.5
    whole: 2.0
    none: ~
    emptyMap: {}
    emptyList: []
`,
  ],
  [
    "nested overlay options",
    "33350aed1cf7b5575bbfb0521df49e5fed057070969df3e2169d66efd2d27069",
    `overlay:
  image: team/board
  name: board
  options:
    list:
      - - a
        - [b]
      - key: v
        deep:
          er:
            - |-
              two
              lines
`,
  ],
  [
    "natural order of option keys",
    "8fcc959e74430103f96ab16c6920d6b9b0cd80e2b5bef75eb6b89140e73c5459",
    `overlay:
  image: team/board
  name: board
  options: {b: 0, a10: 0, a2: 0, a02: 0, a: 0, a-b: 0, a_b: 0, a.b: 0, ab: 0, A: 0, x1y: 0, x10: 0, x1-: 0}
`,
  ],
];

/** The same for schematics of one kernel argument. */
const kernelArgs: readonly (readonly [arg: string, id: string])[] = [
  ["console=ttyS0,115200n8", "4316c360977a7cf189f9033dcb0f6f209e76a6d7b0fd6cb4630d4eaaf1d80e4f"],
  ["-selinux", "16f13e1896a22eb19621db1b937b5391589ac3ad5c450d4654fe6b8a9fbd755d"],
  ["net.ifnames=0", "6905bc709e5947573a4ec2d11723b58882936d3d0e15c708f7d78f0c689684a5"],
  [
    "talos.config=https://example.org/?h=${hostname}",
    "35835f569fed639560204792c87b46576f5e2d7f38849349d5bd67cadc7d52b0",
  ],
  ["", "6956a5ddbe2574755eef34f290a277dff9a39ea32e49e1e314ce3492e6d3e460"],
  ["true", "99d0f5e3913e3c347987956ad8a27a36506829577a15991e4e4e13abd20d169a"],
  ["True", "7811cd99d233b85cc7a257a3979741001d58558dcf975c25e2b26899da6a87d4"],
  ["null", "ff2f73f1163e8e171be32fcfe461de1bb059414120bbb42bef734fd71fd2b486"],
  ["~", "bfcee363cb867261019281ee5e76532df9ddc6fef8bf62b6fa02b85b1eeb3ff1"],
  ["1e3", "2faa1373bc80140fe71899a631f9f0b661b82191edde2189af0b12f7cd5813a5"],
  ["0x1f", "721037aac71d597eae0bdb040c91c9ec41bb3d93c9a06ec94dca274d53eabe39"],
  ["0o17", "ed9e6c72128da1fcbeac20264d1254502e9d134ee712a9d5b754f3c93f212530"],
  ["017", "03824a7e22d02416588db6c621b25188b6d4474d9609d023ff6e0de378e391d6"],
  ["08", "f013b7c0717f1235c2d87396ef08938fdc86a4254f707c0a52a622b49a3b7782"],
  ["1_000", "3f9140533ba4bfb4d4d486fa8f31e6324a415a3584a4b870a971ed7e4316d731"],
  ["-0", "463eab9d6b5112f54871f76e4f527fa891892909f607b50e7215e4c3dc3d6e65"],
  [".5", "d8cb92adb613f2983c004eff357db908916a127a523bc4ef80c4e5c877d3f85b"],
  [".inf", "b9a3b61e9bda5c82fb42e4b0bcc93a30c44460d7bd0493b0dfc8bedc0889e271"],
  ["1e999", "04788abdf5ffc74c1d09d94836fd1d036a576e8514a125dba00914c3ce233f0d"],
  ["0xffffffffffffffffff", "8c36b5a777d337c32d2f80839e7035bd199477adca993ff63fbf98c4f9549a5f"],
  ["2024-02-29", "c9cd4381a09a6be232b22b7df35901abfc189c1127de03b14d01e9ffab0a6318"],
  ["2023-02-29", "bc0b3648151fbba50d9d49896a76d21f3a6c5f6f18912a53e7296231749b2368"],
  ["2024-01-01T10:00:00Z", "c5c4fd97687d73a81f48b2ad9e6c98d168be218c74799c8c9bef3d447e2175ad"],
  ["a: b", "2e4b2172be5277aad1aff8bebc98b8fa59774f53a1fd0407b5418472559dd6e3"],
  ["a:", "3ba7781dbe65d73d04b351183c095559b94f826000255e0880e0c90dce465368"],
  ["a:b", "709fa4e509bf23c45f81efb344debaaca874aeca49a390a62bd56ca0a83c27b5"],
  ["# x", "0e14d94e4ef05db4c9aafc475a367fb209db0627639091971405f571e26b4305"],
  ["a # b", "8d95736239914e72f88ee7fef105da37369afbfb6ab80f1ce60ae8baba4f0988"],
  ["a#b", "1c1673c12407de2def1ee24499195099a32cdb3e42662e8606772fa723968e8e"],
  ["- a", "b9bc7aed6d7bc9e4defb6123538f1f379e1e08b8b90be5790547e7697df2eaba"],
  ["---", "e8e1fae7a0309cfa568ec68927835e39bb55728ee99fed8b52e95e353ff93ee4"],
  ["?", "37a84de13d92dc7314dbe1f17822a8391704503781990aa3814f5742a53a4ea8"],
  ["*a", "ea97d8b8601c1548398147f22312ab860a346adaa506aa1e6e93f5b4940dca74"],
  ["'quoted'", "4b32905776c941426c0639ed12169f8c64d4f3c26fe90cc3997b024da9d15bf4"],
  ['"quoted"', "2c178deed8dcb195f65a19ea71f1db9cefb4de1dce76945d9a2540c09ff0cadb"],
  ["it's", "f1fedb5810759a04cc33510cd1cb887f91b8bbc80aad95fed9e8c4b2cc23e384"],
  ["%x", "0181917003f09d771c7a02ff9f585111cd20b2d578e5a7cf374a1d25ec9e02b2"],
  ["=", "daeb0be4e56e7ae55347f490bec41fc6d1eb874d3fcbf1fde58ae6c474cded0f"],
  ["[a]", "c65b8b02eddf407fc7e5923bd43939698625b48d7960f0bb7e081342ac068f10"],
  [" leading", "9416bde01ba0239fb7154a90f61d469efc88d2a1f337de29cf51ce0c2420e44a"],
  ["trailing ", "65b651ababcb380925a4f245a31635d3ed3451e644073aacf6986c0424384f03"],
  ["tab\there", "af1a9fbf69d6506b4f6fd9c4d42a5271b630df85934e74a560a1c50cf8c472a7"],
  ["back\\slash", "5fcdf1db7f32c8f589ad3250ccc540c051b67122ecd6948027623825bf1daef4"],
  ["é 日本", "d8a6e10b39b4f37c04161a8ff44e4457f024bdcb4bbb4b9fbb4b5189e1e6d6b2"],
  ["😀", "456d74f721e1416e63715ed484bd4f3f6093826e0933e4c5d887d9c3bdae0b51"],
  ["bell\x07", "6b8e7fe8dde4df4c7aa7f7b3fe97175bc3683b332745465a0ed5d39ef01f46ff"],
  ["cr\r\nlf", "dc96c50598844187553db1181d4214f4bb5780ac27f379e59d96893f32066b13"],
  ["one\ntwo", "3b22f9a16c37e39b04978e70f6717663b16ea48debebb16438d25072073705fb"],
  ["one\n", "0fdb116ffd3221cf0a6424f432689280232fefe78eddbc339b3ef9585e2f0902"],
  ["one\n\n", "c0a58904bb8316db1537fbab2f3c99bf43aaa4eb16c21319af3c014ad79022a7"],
  [" indented\nfirst", "8eb1c90f072a4820f8439e9a147e734f61cd0c91e2ee6385574172ad06887960"],
  ["space \nbefore break", "3e1b0b61c2d16309e77c0f4b1ae02430e7537422ceda69433b8574168a9743f7"],
  ["tab\n\tinside", "8c9f09193dccdeded665da43ceeb060b3f237f2bf2600089d061284d714dddf6"],
  ["x ".repeat(60) + "end", "d5cb70efb90cf7db8051add8e1574ef45ff0f7c00477780845a052df13391268"],
  ["k".repeat(300), "b9dfa85b80be6848dfbeed59b5756d1541c1456753aa75c33ae0ee458e04c723"],
];

const faults: readonly (readonly [what: string, text: string, place: string, fault: string])[] = [
  ["no text", "", "1:1", 'a schematic must be a mapping; the empty one is "{}"'],
  ["a list", "- a\n", "1:1", 'a schematic must be a mapping; the empty one is "{}"'],
  ["two documents", "{}\n---\n{}\n", "2:1", "a schematic must be one document, not several"],
  [
    "no YAML",
    "customization: [\n",
    "2:1",
    "not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]",
  ],
  [
    "an unknown key",
    "customization:\n  extraKernelArg: []\n",
    "2:3",
    'customization.extraKernelArg: unknown key, must be one of "embeddedMachineConfiguration", "extraKernelArgs", "meta", "systemExtensions", "bootloader", "secureboot", "diskImage"',
  ],
  ["an owner", "owner: me\n", "1:1", 'owner: unknown key, must be one of "overlay", "customization"'],
  ["a key twice", "customization: {}\ncustomization: {}\n", "2:1", "customization: the key is here twice"],
  ["text for a mapping", "customization: all\n", "1:16", "customization: must be a mapping"],
  [
    "text for a list",
    "customization:\n  extraKernelArgs: quiet\n",
    "2:20",
    "customization.extraKernelArgs: must be a list",
  ],
  [
    "a mapping for text",
    "customization:\n  extraKernelArgs:\n    - console: ttyS0\n",
    "3:7",
    "customization.extraKernelArgs[0]: must be a string",
  ],
  [
    "an empty item",
    "customization:\n  extraKernelArgs:\n    - quiet\n    -\n",
    "4:6",
    "customization.extraKernelArgs[1]: must not be empty",
  ],
  [
    "an unquoted date",
    "customization:\n  extraKernelArgs:\n    - 2024-01-01\n",
    "3:7",
    "customization.extraKernelArgs[0]: must be in quotes to be a string",
  ],
  [
    "a meta key too large",
    "customization: {meta: [{key: 256}]}\n",
    "1:30",
    "customization.meta[0].key: must be an integer from 0 to 255",
  ],
  [
    "a meta key in quotes",
    "customization: {meta: [{key: '10'}]}\n",
    "1:30",
    "customization.meta[0].key: must be an integer from 0 to 255",
  ],
  [
    "an unknown bootloader",
    "customization: {bootloader: lilo}\n",
    "1:29",
    'customization.bootloader: must be one of "none", "dual-boot", "sd-boot", "grub"',
  ],
  [
    "text for a boolean",
    "customization: {secureboot: {includeWellKnownCertificates: yes}}\n",
    "1:60",
    "customization.secureboot.includeWellKnownCertificates: must be true or false",
  ],
  [
    "an alias",
    "customization:\n  extraKernelArgs: &a [x]\n",
    "2:23",
    "customization.extraKernelArgs: an anchor, alias or tag is not supported here",
  ],
  [
    "a tag",
    "customization: {bootloader: !!str grub}\n",
    "1:35",
    "customization.bootloader: an anchor, alias or tag is not supported here",
  ],
  [
    "a date among the options",
    "overlay: {options: {when: 2024-01-01}}\n",
    "1:27",
    "overlay.options.when: must not be an unquoted date, infinity, NaN or -0",
  ],
  [
    "an option key with a space",
    "overlay: {options: {a b: 1}}\n",
    "1:21",
    "overlay.options: a key must be a string of letters, digits, _, . and -, a letter first",
  ],
  [
    "a tab for indentation",
    "customization:\n  extraKernelArgs:\n    - \tquiet\n",
    "3:7",
    "a tab must not indent a line",
  ],
  [
    "spaces below a block",
    "customization:\n  extraKernelArgs:\n    - |\n      a\n       \n",
    "4:8",
    "a block of text must not be followed by a line of nothing but spaces",
  ],
  [
    "a block cut off",
    "customization:\n  embeddedMachineConfiguration: |\n    a",
    "2:33",
    "a block of text must end in a line break",
  ],
  [
    "half a character",
    'customization: {extraKernelArgs: ["\\ud83d\\ude00"]}\n',
    "1:36",
    "an escaped slash or half of a surrogate pair is not supported, write the character itself",
  ],
  [
    "a control character",
    "customization: {extraKernelArgs: [\x07]}\n",
    "1:35",
    "a control character or line separator must be written as an escape, in double quotes",
  ],
];

const doubtful = ["yes", "off", "N", "12:34", "00:11:22:33:44:55", "<<", "\nfirst", " \n", "\u2028"];

for (const [what, id, text] of schematics) {
  test(`${what} has the factory's id`, () => {
    const schematic = readSchematic(text);
    assert.is("id" in schematic ? schematic.id : schematic.fault, id);
  });
}

for (const [arg, id] of kernelArgs) {
  test(`${JSON.stringify(arg).slice(0, 40)} has the factory's id`, () => {
    const schematic = readSchematic(withKernelArg(arg));
    assert.is("id" in schematic ? schematic.id : schematic.fault, id);
  });
}

for (const [what, text, place, fault] of faults) {
  test(`${what} is a fault`, () => {
    const [line, column] = place.split(":").map(Number);
    assert.equal(readSchematic(text), { fault, line, column });
  });
}

for (const arg of doubtful) {
  test(`${JSON.stringify(arg)} has no certain id`, () => {
    const schematic = readSchematic(withKernelArg(arg));
    assert.match(
      "fault" in schematic ? schematic.fault : schematic.id,
      /^customization\.extraKernelArgs\[0\]: .*the id is not certain$/,
    );
  });
}

test("the extensions are those of the file, in its order", () => {
  const text = "customization: {systemExtensions: {officialExtensions: [b/b, a/a, '1']}}\n";
  const schematic = readSchematic(text);
  assert.equal("id" in schematic && schematic.extensions, ["b/b", "a/a", "1"]);
});

test("a schematic without extensions has none", () => {
  for (const text of ["{}", "customization: {systemExtensions: {officialExtensions: }}"]) {
    const schematic = readSchematic(text);
    assert.equal("id" in schematic && schematic.extensions, []);
  }
});

/** The argument in double quotes and with every unusual character escaped. */
function withKernelArg(arg: string): string {
  const quoted = JSON.stringify(arg).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `customization:\n  extraKernelArgs:\n    - ${quoted}\n`;
}

test.run();
