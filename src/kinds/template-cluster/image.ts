import { readSchematic } from "../../domain/schematic/schematic.ts";

/** What the VMs' agent setting needs in the image. */
export const GUEST_AGENT = "siderolabs/qemu-guest-agent";

/** The id that the Image Factory gives the schematic of these extensions; image.tf registers the same. */
export function schematicIdOf(extensions: readonly string[]): string {
  const lines = extensions.map((extension) => `      - ${JSON.stringify(extension)}\n`).join("");
  const schematic = readSchematic(`customization:\n  systemExtensions:\n    officialExtensions:\n${lines}`);
  if ("fault" in schematic) throw new Error(schematic.fault);
  return schematic.id;
}
