import { parse as parseHcl } from "@cdktf/hcl2json";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { parseAllDocuments } from "yaml";
import { propertiesOf, readSchema } from "../golden/schema-properties.ts";
import { temporaryFolder } from "../golden/temporary-folder.ts";
import { hcl, heredoc } from "../../src/rendering/hcl.ts";
import type { Surroundings } from "../../src/kind.ts";
import { generate } from "../../src/kinds/talos-cluster/generate.ts";
import type { Model } from "../../src/kinds/talos-cluster/model.ts";
import { readmeView } from "../../src/kinds/talos-cluster/readme-view.ts";
import { resolve } from "../../src/kinds/talos-cluster/resolve.ts";
import { tfvarsView } from "../../src/kinds/talos-cluster/tfvars-view.ts";
import { mermaid, shell } from "../../src/rendering/prose.ts";
import { render } from "../../src/rendering/render.ts";
import { hostileLines, hostileTexts } from "./hostile.ts";
import { run } from "./run.ts";
import { put, workspaceIn } from "./workspace.ts";

const COUNT = 2000;
const texts = hostileTexts(COUNT);
const lines = hostileLines(COUNT);

/** Keys that hold any text at all, by the schema. */
const free = propertiesOf(readSchema())
  .filter(({ schema }) => [schema.type].flat().includes("string"))
  .filter(({ schema: { pattern, enum: names, const: only } }) =>
    [pattern, names, only].every((x) => x === undefined),
  )
  .map(({ pattern }) => pattern);

/** Those that are written as heredocs where they can be. */
const multiline = new Set(["api_server", "kubelet", "machine_features"]);

test("the list of free keys comes from the schema", () => {
  assert.equal(free.map((pattern) => pattern.join(".")).sort(), [
    "cilium_config.bootstrap_manifest_path",
    "cilium_config.values_file_path",
    "cluster.api_server",
    "cluster.kubelet",
    "cluster.machine_features",
    "cluster.name",
    "image.schematic_path",
    "image.update_schematic_path",
    "proxmox.username",
    "sealed_secrets_config.certificate_path",
    "sealed_secrets_config.key_path",
  ]);
});

test("`${`, `%{`, quotes, backslashes, newlines, control and bidi characters in any value", async () => {
  const tags = texts.map((text) => `replace(lower("talos-\${${hcl(text)}}"), "/[^a-z0-9_.-]/", "-")`);
  const configs = texts.map((text, index) => configOf(text, text, index));
  const values = await evaluated(
    configs.map((config, index) => `${tfvars(config, texts[index] ?? "")}\ntag = ${tags[index]}\n`),
  );
  texts.forEach((text, index) => {
    const value = values[index];
    for (const pattern of free) assert.is(at(value, pattern), nfc(text), pattern.join("."));
    for (const map of ["nodes", "volumes", "datastores"]) {
      assert.equal(Object.keys(at(value, [map]) as object), [nfc(text)], map);
    }
    // The README names the tag that guard.tf computes.
    const readme = render("talos-cluster/README.md", readmeView(modelOf(configs[index] as object, "x")));
    assert.match(readme, `if a VM without the tag \`${at(value, ["tag"])}\``);
  });
});

test("the same values by way of real variable files", async () => {
  const { folder, must } = workspaceIn(temporaryFolder());
  const names = ["cilium_config", "cluster", "datastores", "env", "image", "nodes", "proxmox"];
  names.push("sealed_secrets_config", "volumes");
  const blocks = names.map((name) => `variable "${name}" {\n  default = null\n}\n`);
  const outputs = names.map((name) => `output "${name}" {\n  value = var.${name}\n}\n`);
  put({ folder, must } as never, "main.tf", [...blocks, ...outputs].join(""));
  for (let start = 0; start < COUNT; start += 250) {
    // All of these as names of nodes, volumes and datastores; the free keys have one each.
    const batch = texts.slice(start, start + 250);
    const given = configOf("", "x", 0, batch);
    free.forEach((pattern, index) => setAt(given, pattern, batch[index * 7] ?? ""));
    put({ folder } as never, "terraform.tfvars", tfvars(given, batch[0] ?? ""));
    await must("apply", "-no-color", "-input=false", "-auto-approve");
    const outputsRead = JSON.parse(await must("output", "-json")) as Record<string, { value: unknown }>;
    const value = Object.fromEntries(
      Object.entries(outputsRead).map(([name, output]) => [name, output.value]),
    );
    free.forEach((pattern, index) => assert.is(at(value, pattern), nfc(batch[index * 7]), pattern.join(".")));
    for (const map of ["nodes", "volumes", "datastores"]) {
      assert.equal(Object.keys(value[map] as object).sort(), batch.map(nfc).sort(), map);
    }
  }
});

test("heredoc terminators in multi-line values", async () => {
  const rendered = lines.map((text) => heredoc(text, 2));
  const heredocs = rendered.filter((text) => text.startsWith("<<-"));
  assert.ok(heredocs.length > COUNT / 4, `only ${heredocs.length} heredocs`);
  const values = await evaluated(lines.map((text, index) => tfvars(configOf("x", text, index), "x")));
  values.forEach((value, index) => {
    for (const pattern of free) {
      const isMultiline = multiline.has(pattern.at(-1) ?? "");
      assert.is(at(value, pattern), isMultiline ? nfc(lines[index]) : "x", pattern.join("."));
    }
  });
});

test("the same in keys, labels, comments, Markdown, YAML and diagram output", async () => {
  const plain = treeOf(configOf("x", "x\n", 0, ["x"]), "cluster.yaml");
  const shapes = new Map<string, unknown>();
  for (const [path, text] of plain) shapes.set(path, await shapeOf(path, text, new Set(["x"])));
  for (const text of texts.filter((_, index) => index < 100 || index % 20 === 0)) {
    const hostile = treeOf(configOf(text, text, 0, [text]), text);
    assert.equal([...hostile.keys()], [...plain.keys()]);
    for (const [path, file] of hostile) {
      const shape = await shapeOf(path, file, new Set([text, nfc(text)]));
      assert.equal(shape, shapes.get(path), `${path} for ${JSON.stringify(text)}`);
      assert.not.match(
        file,
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029]/,
        path,
      );
    }
    assert.equal(claimsIn(hostile.get("README.md") ?? ""), [text, text], JSON.stringify(text));
  }
});

test("words of shell commands arrive unchanged", async () => {
  const words = texts.filter((text) => !text.includes("\0"));
  const { folder } = workspaceIn(temporaryFolder());
  put({ folder } as never, "words.sh", words.map((word) => `printf '%s\\0' ${shell(word)}\n`).join(""));
  const env = { PATH: process.env["PATH"], LC_ALL: "C.UTF-8" };
  const { exitCode, stdout, stderr } = await run("bash", ["words.sh"], { cwd: folder, env });
  assert.is(exitCode, 0, stderr);
  assert.equal(stdout.split("\0").slice(0, -1), words);
});

test("labels of diagrams hold nothing that Mermaid reads", () => {
  for (const text of texts) assert.match(mermaid(text), /^[A-Za-z0-9 .:/_#;-]*$/);
});

test("names as paths (`../x`, `/etc/x`, `C:\\x`, `CON`, `.git/hooks/x`)", () => {
  const plain = [...treeOf(configOf("x", "x\n", 0, ["x"]), "cluster.yaml").keys()];
  for (const name of ["../x", "/etc/x", "C:\\x", "CON", ".git/hooks/x", "main.tf", "x\0y", "..", "~"]) {
    assert.equal([...treeOf(configOf(name, `${name}\n`, 0, [name]), name).keys()], plain, name);
  }
});

type Data = Readonly<Record<string, unknown>>;

/** A config with a text in every free key, another in those of several lines, and names; what rules forbid included. */
function configOf(text: string, multilineText: string, id: number, names: readonly string[] = [text]): Data {
  const named = (value: (index: number) => unknown) =>
    Object.assign(Object.create(null), Object.fromEntries(names.map((name, index) => [name, value(index)])));
  const node = {
    machine_type: "controlplane",
    host_node: "pve1",
    ip: "10.1.2.3",
    cpu: 2,
    ram_dedicated: 2048,
  };
  const config = {
    cilium_config: {},
    cluster: {
      gateway: "10.1.2.254",
      gateway_api_version: "v1.3.0",
      kubernetes_version: "v1.35.0",
      proxmox_cluster: "homelab",
      extra_manifests: [text],
    },
    datastores: named(() => ({})),
    image: { version: "v1.13.0" },
    nodes: named((index) => ({ ...node, vm_id: 100 + id + index })),
    proxmox: { cluster_name: "homelab", endpoint: "https://pve.example.com:8006", insecure: false },
    sealed_secrets_config: {},
    volumes: named(() => ({ type: "proxmox-csi", node: "pve1", size: "1G" })),
  };
  for (const pattern of free)
    setAt(config, pattern, multiline.has(pattern.at(-1) ?? "") ? multilineText : text);
  return config;
}

/** The tree of a config that no rule has seen. */
function treeOf(config: object, source: string): Map<string, string> {
  const { tree } = generate(config as never, surroundings(source));
  return new Map([...tree].map(([path, { text }]) => [path, text]));
}

/** The variable file alone, which is quicker. */
function tfvars(config: object, source: string): string {
  return render("talos-cluster/terraform.tfvars", tfvarsView(modelOf(config, source)));
}

function modelOf(config: object, source: string): Model {
  return resolve(config as never, surroundings(source));
}

function surroundings(source: string): Surroundings {
  const none = new Set<string>();
  return { source, read: () => "customization: {}\n", memory: undefined, allowDestroy: none, accept: none };
}

/** What OpenTofu makes of each of these variable files. All in one run: the body of a file is that of an object, too. */
async function evaluated(files: readonly string[]): Promise<unknown[]> {
  const workspace = workspaceIn(temporaryFolder());
  const locals = files.map((text, index) => `locals {\n  case_${index} = {\n${text}\n  }\n}\n`);
  put(workspace, "main.tf", locals.join(""));
  const list = files.map((_, index) => `    local.case_${index},\n`).join("");
  put(workspace, "outputs.tf", `output "all" {\n  value = [\n${list}  ]\n}\n`);
  await workspace.must("apply", "-no-color", "-input=false", "-auto-approve");
  return JSON.parse(await workspace.must("output", "-json", "all")) as unknown[];
}

/**
 * What a file is made of, without the values: the blocks and attributes of HCL, the marks at the start of each line of
 * Markdown, the text of everything else.
 */
async function shapeOf(path: string, text: string, names: ReadonlySet<string>): Promise<unknown> {
  if (path.endsWith(".tf")) return parseHcl(path, text);
  if (/\.(tfvars|hcl)$/.test(path)) return skeleton(await parseHcl(path, text), names);
  if (path.endsWith(".md")) return text.split("\n").map(marks);
  return path.endsWith(".json") ? skeleton(JSON.parse(text), names) : text.replace(/^#.*\n/gm, "");
}

function skeleton(value: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => skeleton(item, names));
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.entries(value)
    .map(([key, item]) => [/^[a-z_]+$/.test(key) && !names.has(key) ? key : "<name>", skeleton(item, names)])
    .sort();
}

/** Start of the line, and the number of cells where it is a row of a table. */
function marks(line: string): string {
  const [start = ""] = /^\s*(#+ |```\w*$|~~~|<!--|[|>*+-] ?|\d+\. |---$)?/.exec(line) ?? [];
  const cells = start.startsWith("|") ? line.replace(/\\./g, "").split("|").length : 0;
  return `${start}${cells}${/-->$/.test(line) ? "-->" : ""}`;
}

/** Names in the claims that the README shows. */
function claimsIn(readme: string): unknown[] {
  const blocks = [...readme.matchAll(/^```yaml\n(---\n[^]*?)^```$/gm)].map(([, yaml]) => yaml ?? "");
  const documents = blocks.flatMap((block) => parseAllDocuments(block));
  return documents.flatMap((document) => {
    assert.equal(document.errors, []);
    const { metadata, spec } = document.toJS() as {
      metadata: { name: string };
      spec: { volumeName: string };
    };
    return [metadata.name, spec.volumeName];
  });
}

function nfc(text = ""): string {
  return text.normalize("NFC");
}

function at(value: unknown, pattern: readonly string[]): unknown {
  return pattern.reduce((inner, key) => (inner as Data | undefined)?.[key], value);
}

function setAt(value: Data, pattern: readonly string[], text: string): void {
  const holder = at(value, pattern.slice(0, -1)) as Record<string, unknown>;
  holder[pattern.at(-1) ?? ""] = text;
}

test.run();
