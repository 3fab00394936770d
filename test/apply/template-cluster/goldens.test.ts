import { test } from "uvu";
import { casesOf } from "../../golden/cases.ts";
import { prove } from "./golden.ts";

/** All but the one with DHCP, which needs addresses that loopback has not; it is in dhcp.test.ts. */
for (const one of casesOf("template-cluster")) {
  // An API server takes its time, and is the same for all.
  const hasApi = one.name === "template-cluster-three-hosts";
  if (one.name !== "template-cluster-dhcp") prove(one, { prefix: "127.61", hasApi });
}

test.run();
