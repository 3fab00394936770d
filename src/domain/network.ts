/** IPv4 as whole numbers. */
export interface Subnet {
  readonly network: number;
  readonly broadcast: number;
  readonly bits: number;
}

/** The number of a dotted address; undefined for anything else, leading zeros included: some tools read them as octal. */
export function parseIpv4(text: string): number | undefined {
  const parts = text.split(".");
  if (parts.length !== 4) return undefined;
  let address = 0;
  for (const part of parts) {
    if (!/^(0|[1-9][0-9]{0,2})$/.test(part) || Number(part) > 255) return undefined;
    address = address * 256 + Number(part);
  }
  return address;
}

export function formatIpv4(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join(".");
}

/** The subnet that an address is in. */
export function subnetOf(address: number, bits: number): Subnet {
  const size = 2 ** (32 - bits);
  const network = Math.floor(address / size) * size;
  return { network, broadcast: network + size - 1, bits };
}

export function contains({ network, broadcast }: Subnet, address: number): boolean {
  return address >= network && address <= broadcast;
}

/** `10.1.2.0/24`. */
export function formatSubnet({ network, bits }: Subnet): string {
  return `${formatIpv4(network)}/${bits}`;
}
