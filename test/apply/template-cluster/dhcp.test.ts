import { execFileSync } from "node:child_process";
import { test } from "uvu";
import { caseOf } from "../../golden/cases.ts";
import { Readme } from "../readme.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { prove } from "./golden.ts";

/**
 * Machines that take their addresses from a DHCP server. The provider takes none of loopback's from the guest agent, so
 * this file runs in a network namespace of its own, where any address is on loopback; see test/namespace.ts.
 */
if (process.env["OWN_NETWORK"] === undefined)
  throw new Error("needs a network namespace of its own: npm test -- template-cluster/dhcp");

const one = caseOf("template-cluster-dhcp");
const readme = new Readme(readFileSync(join(one.tree, "README.md"), "utf8"));
/** What the server gives out, by the MAC addresses that the README says to reserve them for. */
const machines = readme.table("Machines").map((row, index) => ({
  name: row["machine"],
  mac: row["MAC address"] ?? "",
  ip: `10.1.2.${50 + index}`,
}));
for (const ip of ["10.1.2.9", ...machines.map((machine) => machine.ip)])
  execFileSync("ip", ["address", "add", `${ip}/32`, "dev", "lo"]);

const leases = new Map(machines.map(({ mac, ip }) => [mac, ip]));
prove(one, { leases, hasApi: true }, ({ name }) => machines.find((machine) => machine.name === name)!.ip);

test.run();
