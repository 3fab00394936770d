import { compile } from "json-schema-to-typescript";

/** TypeScript types of a config, from its JSON Schema. */
export async function renderTypes(schema: object, schemaName: string): Promise<string> {
  return compile(structuredClone(schema) as never, "Config", {
    bannerComment: `// Generated from ${schemaName} by npm run generate. DO NOT EDIT.`,
    additionalProperties: false,
    style: { printWidth: 110 },
  });
}
