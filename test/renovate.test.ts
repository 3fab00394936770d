/** The configuration of Renovate in the README finds every version of a config, however it is written. */
import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";

interface Renovate {
  readonly customManagers: readonly [
    { readonly managerFilePatterns: readonly [string]; readonly matchStrings: readonly [string] },
  ];
}

const readme = readFileSync("README.md", "utf8");
const blocks = [...readme.matchAll(/^```json\n(.*?)^```$/gms)].map(([, block = ""]) => block);
const renovate = JSON.parse(blocks.find((block) => block.includes("customManagers")) ?? "{}") as Renovate;
const [manager] = renovate.customManagers;
const pattern = new RegExp(manager.matchStrings[0], "g");

/** Every annotated version of a text, as Renovate sees it. */
function found(text: string): object[] {
  return [...text.matchAll(pattern)].map(({ groups }) => ({ ...groups }));
}

const lines: readonly [line: string, currentValue: string][] = [
  ["  version: v1.13.0", "v1.13.0"],
  ['  version: "v1.13.0"', "v1.13.0"],
  ["  version: 'v1.13.0' # for now", "v1.13.0"],
  ["image: { version: v1.13.0 }", "v1.13.0"],
  ["image: {version: v1.13.0, arch: amd64}", "v1.13.0"],
  ["cluster: { name: lab, kubernetes_version: v1.36.0-rc.1, vip: 10.1.2.40 }", "v1.36.0-rc.1"],
  ["  proxmox: 0.111.1", "0.111.1"],
  ['providers: { proxmox: "0.111.1" }', "0.111.1"],
];

const annotations = [...readme.matchAll(/`(# renovate: datasource=(\S+) depName=(\S+))`/g)];

test("the README shows an annotation for a release and one for a provider", () => {
  assert.equal(
    annotations.map(([, , datasource]) => datasource),
    ["github-releases", "terraform-provider"],
  );
});

for (const [, annotation, datasource, depName] of annotations) {
  for (const [line, currentValue] of lines) {
    test(`${depName} in ${line.trim()}`, () => {
      for (const end of ["\n", "\r\n"]) {
        const text = ["# a config", `  ${annotation}`, line, "  other: v9.9.9", ""].join(end);
        assert.equal(found(text), [{ datasource, depName, currentValue }]);
      }
    });
  }
}

test("the README's own config, with an annotation", () => {
  const [, config = ""] = /^```yaml\n(# cluster\.yaml\n.*?)^```$/ms.exec(readme) ?? [];
  const annotated = config.replace(/^image:/m, `${annotations[0]?.[1]}\nimage:`);
  assert.is(found(annotated).length, 1);
  assert.match(
    config,
    new RegExp(`version: ${(found(annotated)[0] as { currentValue: string }).currentValue}`),
  );
});

test("a line that has no version stops the search", () => {
  assert.equal(found(`${annotations[0]?.[1]}\nimage:\n  version: v1.13.0\n`), []);
  assert.equal(found("image: { version: v1.13.0 }\n"), []);
});

test("it looks at the config", () => {
  const [, path = ""] = /^\/(.*)\/$/.exec(manager.managerFilePatterns[0]) ?? [];
  assert.match("prod/cluster.yaml", new RegExp(path));
});

test.run();
