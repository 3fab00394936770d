import Ajv from "ajv";
import { readFileSync } from "node:fs";
import * as assert from "uvu/assert";
import type { OutputDocument } from "../../src/terminal/output.ts";

const ajv = new Ajv.Ajv({ allErrors: true, strict: true, allowUnionTypes: true });
const validate = ajv.compile(
  JSON.parse(readFileSync(new URL("../../schema/output.schema.json", import.meta.url), "utf8")),
);

/** The document is what schema/output.schema.json says, and its numbers agree with its lists. */
export function assertOutput(document: unknown): asserts document is OutputDocument {
  assert.ok(validate(document), ajv.errorsText(validate.errors));
  const { diagnostics, error_count, warning_count, valid } = document as OutputDocument;
  assert.is(diagnostics.filter(({ severity }) => severity === "error").length, error_count);
  assert.is(diagnostics.filter(({ severity }) => severity === "warning").length, warning_count);
  assert.is(valid, error_count === 0);
}
