/** The parts of a volume that say how large it is. */
export interface Sized {
  readonly size?: string | number;
  readonly type?: string;
}

const MIB_PER_UNIT: Readonly<Record<string, number>> = { M: 1, G: 1024, T: 1024 * 1024 };

/** Size of a volume in MiB; undefined where size and type do not fit together. */
export function sizeMib(volume: Sized): number | undefined {
  const { amount, unit } = parseSize(volume.size);
  if (Number.isNaN(amount)) return undefined;
  if (volume.type === undefined || volume.type === "proxmox-csi") {
    return /^[MG](|B|i|iB)$/.test(unit) ? amount * (MIB_PER_UNIT[unit.charAt(0)] ?? NaN) : undefined;
  }
  return /^(|G|GB|Gi|GiB)$/.test(unit) ? amount * 1024 : undefined;
}

/** What a size that does not fit its type should be: the same amount in a unit that fits. */
export function fittingSize(volume: Sized): string | undefined {
  const { amount, unit } = parseSize(volume.size);
  if (Number.isNaN(amount)) return undefined;
  const letter = unit.charAt(0).toUpperCase();
  const isCsi = volume.type === undefined || volume.type === "proxmox-csi";
  if (letter === "") return isCsi ? `${amount}G` : undefined;
  const mib = letter === "K" ? amount / 1024 : amount * (MIB_PER_UNIT[letter] ?? NaN);
  return formatMib(isCsi ? Math.ceil(mib) : Math.ceil(mib / 1024) * 1024);
}

/** A number of MiB as people write it. */
export function formatMib(mib: number): string {
  return mib % 1024 === 0 ? `${mib / 1024}G` : `${mib}M`;
}

function parseSize(size: string | number | undefined): { amount: number; unit: string } {
  const [, amount = "", unit = ""] = /^([0-9]+)([A-Za-z]*)$/.exec(String(size ?? "")) ?? [];
  return { amount: amount === "" ? NaN : Number(amount), unit };
}
