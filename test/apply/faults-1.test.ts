import { test } from "uvu";
import { proveErrors } from "./errors.ts";

proveErrors("127.93", 0);

test.run();
