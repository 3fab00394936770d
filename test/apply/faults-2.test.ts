import { test } from "uvu";
import { proveErrors } from "./errors.ts";

proveErrors("127.94", 1);

test.run();
