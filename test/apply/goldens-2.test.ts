import { test } from "uvu";
import { casesOf } from "../golden/cases.ts";
import { prove } from "./golden.ts";
import { thoroughness } from "./thoroughness.ts";

/** Every other golden; the rest is in the other file, so that the two run side by side. */
casesOf("talos-cluster").forEach((one, index) => {
  if (index % 2 === 1) prove(one, "127.82", thoroughness[one.name]);
});

test.run();
