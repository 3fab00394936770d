/** Where the actual value lacks something of the expected one: objects may hold more, lists may not. */
export function lacks(actual: unknown, expected: unknown, path = ""): string[] {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return [differs(actual, expected, path)];
    return expected.flatMap((item, index) => lacks(actual[index], item, `${path}[${index}]`));
  }
  if (typeof expected === "object" && expected !== null) {
    if (typeof actual !== "object" || actual === null) return [differs(actual, expected, path)];
    return Object.entries(expected).flatMap(([key, item]) =>
      lacks((actual as Record<string, unknown>)[key], item, `${path}.${key}`),
    );
  }
  return Object.is(actual, expected) ? [] : [differs(actual, expected, path)];
}

function differs(actual: unknown, expected: unknown, path: string): string {
  return `${path}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`;
}
