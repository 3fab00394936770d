import Ajv from "ajv";
import standaloneCode from "ajv/dist/standalone/index.js";

/** Source of a module whose `validate` checks data against the schema without loading ajv. */
export function renderValidator(schema: object): string {
  const ajv = new Ajv.Ajv({
    allErrors: true,
    verbose: true,
    strictTypes: false,
    code: { source: true, esm: true, lines: true },
  });
  ajv.addKeyword("patternErrorMessage");
  const code = standaloneCode
    .default(ajv, ajv.compile(schema))
    // Length of a string in characters, the one piece of ajv that the code needs at run time.
    .replace(/require\("(ajv\/dist\/runtime\/ucs2length)"\)/g, "ucs2length")
    .replace(/^"use strict";/, "");
  return `// @ts-nocheck\nimport ucs2length from "ajv/dist/runtime/ucs2length.js";\n${code}`;
}
