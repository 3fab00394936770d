/** What `gen-talos-module` starts: the program beside it, without compiling it each time. */
import { join } from "node:path";
import { compile, start } from "./code-cache.ts";

const file = join(__dirname, "program.cjs");
start(compile(file), require, file);
