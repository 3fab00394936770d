import { failure, Refusal } from "./refusal.ts";

/** The parameters of a request; a name may come more than once. */
export class Parameters {
  readonly #values = new Map<string, string[]>();

  add(name: string, value: string): this {
    const values = this.#values.get(name);
    if (values) values.push(value);
    else this.#values.set(name, [value]);
    return this;
  }

  get names(): readonly string[] {
    return [...this.#values.keys()];
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  get(name: string): string | undefined {
    return this.#values.get(name)?.[0];
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** For the log: a list where a name came more than once. */
  toObject(): Readonly<Record<string, string | readonly string[]>> {
    return Object.fromEntries(
      [...this.#values].map(([name, values]) => [name, values.length === 1 ? values[0]! : values]),
    );
  }
}

/** Queries of GET and DELETE; bodies of POST and PUT, of either content type that the server decodes. */
export function parseParameters(
  method: string,
  query: string,
  contentType: string | undefined,
  body: string,
): Parameters {
  if (method === "GET" || method === "DELETE") {
    if (body !== "") throw new Refusal(501, `Unexpected content for method '${method}'`);
    return parseForm(query);
  }
  const type = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (body === "") return parseForm(query);
  if (type === "application/json") return parseJson(body);
  if (type === "" || type === "application/x-www-form-urlencoded") {
    const parameters = parseForm(body);
    for (const [name, value] of new URLSearchParams(query)) parameters.add(name, value);
    return parameters;
  }
  throw new Refusal(501, `upload '${type}' not implemented`);
}

function parseForm(text: string): Parameters {
  const parameters = new Parameters();
  for (const [name, value] of new URLSearchParams(text)) parameters.add(name, value);
  return parameters;
}

function parseJson(text: string): Parameters {
  let decoded: unknown;
  try {
    decoded = JSON.parse(text);
  } catch {
    throw failure("malformed JSON string in request body");
  }
  if (typeof decoded !== "object" || decoded === null || Array.isArray(decoded))
    throw failure("request body is not a JSON object");
  const parameters = new Parameters();
  for (const [name, value] of Object.entries(decoded)) {
    for (const item of Array.isArray(value) ? value : [value]) parameters.add(name, scalar(item));
  }
  return parameters;
}

function scalar(value: unknown): string {
  if (typeof value === "boolean") return value ? "1" : "0";
  return typeof value === "string" ? value : JSON.stringify(value);
}
