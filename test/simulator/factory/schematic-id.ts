import { createHash } from "node:crypto";
import { parse, stringify } from "yaml";

/** The keys of a customization in the order in which the factory writes them. */
const order = [
  "embeddedMachineConfiguration",
  "extraKernelArgs",
  "meta",
  "systemExtensions",
  "bootloader",
  "secureboot",
  "diskImage",
];

/** The factory's own text of a schematic, for schematics of plain words. Throws on what it does not know. */
export function canonical(source: string): string {
  const { overlay, customization, ...rest } = (parse(source) ?? {}) as Record<string, unknown>;
  refuseUnknown(rest);
  const known = { ...(overlay ? { overlay } : {}), customization: inOrder(customization ?? {}) };
  return stringify(known, { indent: 4, lineWidth: 0 });
}

export function schematicId(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function inOrder(customization: object): object {
  const entries = new Map(Object.entries(customization));
  const found = order.flatMap((key) => (entries.has(key) ? [[key, entries.get(key)]] : []));
  order.forEach((key) => entries.delete(key));
  refuseUnknown(Object.fromEntries(entries));
  return Object.fromEntries(found) as object;
}

function refuseUnknown(rest: object): void {
  const [key] = Object.keys(rest);
  if (key !== undefined) throw new Error(`field ${key} not found in type schematic.Schematic`);
}
