import { posix } from "node:path";
import { quote } from "../../../problem.ts";
import type { Path } from "../../../problem.ts";
import { readSchematic } from "../../../domain/schematic/schematic.ts";
import { rule } from "./rule.ts";
import type { Context } from "./rule.ts";

const AGENT = "siderolabs/qemu-guest-agent";

export const pathRules = [
  rule("relative-path", ({ given }, say) => {
    for (const { path, file } of [...filesThatMustExist(given), ...sealedSecrets(given)]) {
      const fault = pathFault(file);
      if (fault !== undefined)
        say.error(path, `${quote(file)} ${fault}`, { hint: "paths are relative to the generated tree" });
    }
  }),

  rule("missing-file", ({ given, surroundings }, say) => {
    for (const { path, file } of filesThatMustExist(given)) {
      if (pathFault(file) !== undefined || surroundings.read(file) !== undefined) continue;
      say.error(path, `there is no file ${quote(file)}; it was looked for from the generated tree's folder`);
    }
  }),

  rule("schematic", (context, say) => {
    for (const { path, at, file, schematic } of schematics(context)) {
      if (!("fault" in schematic)) continue;
      const message = `${file}:${schematic.line}:${schematic.column} is no schematic: ${schematic.fault}`;
      say.error(path, message, { at });
    }
  }),

  rule("guest-agent", (context, say) => {
    for (const { path, at, file, schematic } of schematics(context)) {
      if ("fault" in schematic || schematic.extensions.includes(AGENT)) continue;
      const message = `${file} does not have ${AGENT}: a shutdown from Proxmox would wait for an agent that never answers`;
      say.warning(path, message, { at, hint: "add it to customization.systemExtensions.officialExtensions" });
    }
  }),

  rule("sealed-secrets-pair", ({ config, given, surroundings }, say) => {
    const { certificate_path: certificate, key_path: key } = config.sealed_secrets_config ?? {};
    if (certificate === undefined || key === undefined) return;
    if (posix.normalize(certificate) === posix.normalize(key)) {
      const isKeyGiven = given.sealed_secrets_config?.key_path !== undefined;
      const [named, other] = isKeyGiven ? ["key_path", "certificate"] : ["certificate_path", "key"];
      const message = `is the path of the ${other} too, and a file holds one of the two`;
      say.error(["sealed_secrets_config", named], message, { hint: "name two files" });
      return;
    }
    const missing = [certificate, key].filter((file) => surroundings.read(file) === undefined);
    if (missing.length === 0 || missing.some((file) => pathFault(file) !== undefined)) return;
    const path = given.sealed_secrets_config === undefined ? [] : ["sealed_secrets_config"];
    say.warning(
      path,
      `Sealed Secrets has no key pair yet: ${missing.join(" and ")} must be there before tofu runs`,
      {
        at: "key",
        hint: `in the generated tree:\n${opensslLine(certificate, key)}`,
      },
    );
  }),
];

/** The documented command, with the user's own paths. */
function opensslLine(certificate: string, key: string): string {
  const folders = [...new Set([key, certificate].map((file) => file.split("/").slice(0, -1).join("/")))];
  const needed = folders.filter((folder) => folder !== "").map(shell);
  const make = needed.length === 0 ? "" : `mkdir -p ${needed.join(" ")} && `;
  const request = "openssl req -x509 -days 365 -nodes -newkey rsa:4096";
  return `${make}${request} -keyout ${shell(key)} -out ${shell(certificate)} -subj "/CN=sealed-secret/O=sealed-secret"`;
}

function shell(word: string): string {
  return /^[\w./@+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

interface Named {
  readonly path: Path;
  readonly file: string;
}

function filesThatMustExist({ image, cilium_config }: Context["given"]): Named[] {
  return named([
    [["cilium_config", "bootstrap_manifest_path"], cilium_config?.bootstrap_manifest_path],
    [["cilium_config", "values_file_path"], cilium_config?.values_file_path],
    [["image", "schematic_path"], image?.schematic_path],
    [["image", "update_schematic_path"], image?.update_schematic_path],
  ]);
}

function sealedSecrets({ sealed_secrets_config }: Context["given"]): Named[] {
  return named([
    [["sealed_secrets_config", "certificate_path"], sealed_secrets_config?.certificate_path],
    [["sealed_secrets_config", "key_path"], sealed_secrets_config?.key_path],
  ]);
}

function named(places: readonly [Path, string | null | undefined][]): Named[] {
  return places.flatMap(([path, file]) => (typeof file === "string" ? [{ path, file }] : []));
}

/** Why a path leads somewhere else on every machine. */
function pathFault(file: string): string | undefined {
  if (/^[/~]|^[A-Za-z]:/.test(file)) return "is a path of this machine only";
  return file.includes("\\") ? "has backslashes; write / between folders" : undefined;
}

/** The schematics that are there, the default one included. */
function schematics({ given, config, surroundings }: Context) {
  const { schematic_path, update_schematic_path } = config.image ?? {};
  const isDefault = given.image?.schematic_path === undefined;
  const places = [
    {
      path: isDefault ? ["image"] : ["image", "schematic_path"],
      at: isDefault ? "key" : "value",
      file: schematic_path,
    },
    { path: ["image", "update_schematic_path"], at: "value", file: update_schematic_path },
  ] as const;
  return places.flatMap(({ path, at, file }) => {
    const text =
      typeof file === "string" && pathFault(file) === undefined ? surroundings.read(file) : undefined;
    return text === undefined || typeof file !== "string"
      ? []
      : [{ path, at, file, schematic: readSchematic(text) }];
  });
}
