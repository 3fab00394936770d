import { parseIpv4, subnetOf, type Subnet } from "../../domain/network.ts";

/** `10.1.2.0/24` as numbers; undefined for anything else. */
export function parseSubnet(cidr: string): Subnet | undefined {
  const [text = "", bits = ""] = cidr.split("/");
  const address = parseIpv4(text);
  return address === undefined || !/^[0-9]+$/.test(bits) ? undefined : subnetOf(address, Number(bits));
}
