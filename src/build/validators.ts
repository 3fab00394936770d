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
    // ajv copies all errors for each entry that has some, which takes minutes where 100,000 have.
    .replace(/vErrors\.concat\((\w+\.errors)\)/g, "append(vErrors, $1)")
    .replace(/^"use strict";\s*export const validate = (\w+);\s*export default \1;(.*)$/s, "$2\nreturn $1;");
  return template.replace("/* code */", () => code);
}

/** The schemas in the code are large, so they are made at the first call: a run needs those of one kind only. */
const template = `// @ts-nocheck
import ucs2length from "ajv/dist/runtime/ucs2length.js";

let made;

export function validate(data) {
  made ??= make();
  const isValid = made(data);
  validate.errors = made.errors;
  return isValid;
}

/** One by one: a call cannot have as many arguments as there may be errors. */
function append(errors, more) {
  for (const error of more) errors.push(error);
  return errors;
}

function make() {
/* code */
}
`;
