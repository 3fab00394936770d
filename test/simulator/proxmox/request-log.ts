/** What was asked and answered. */
export interface LoggedRequest {
  readonly number: number;
  readonly method: string;
  /** As it was sent, without `/api2/json`, with the query. */
  readonly path: string;
  readonly user: string;
  readonly body: Readonly<Record<string, string | readonly string[]>>;
  readonly status: number;
  /** The words of a refusal, of a failed task, of a hazard or of an injected fault. */
  readonly problems: readonly string[];
  readonly isInjected: boolean;
}

export type RefusalMatcher = RegExp | ((request: LoggedRequest) => boolean);

const historyLength = 8;

export class RequestLog {
  readonly #requests: LoggedRequest[] = [];
  readonly #expected: RefusalMatcher[] = [];

  get requests(): readonly LoggedRequest[] {
    return this.#requests;
  }

  add(request: Omit<LoggedRequest, "number">): void {
    this.#requests.push({ number: this.#requests.length + 1, ...request });
  }

  /** A moment to ask from later. */
  mark(): number {
    return this.#requests.length;
  }

  since(mark: number): readonly LoggedRequest[] {
    return this.#requests.slice(mark);
  }

  /** What changes something, in the order of arrival. */
  writes(mark = 0): readonly LoggedRequest[] {
    return this.since(mark).filter(({ method }) => method !== "GET");
  }

  /** Refusals whose line in the log matches are no failure. */
  expect(matcher: RefusalMatcher): void {
    this.#expected.push(matcher);
  }

  /** Those that no test said it expects. */
  refusals(mark = 0): readonly LoggedRequest[] {
    return this.since(mark).filter(
      (request) => request.problems.length > 0 && !request.isInjected && !this.#isExpected(request),
    );
  }

  assertNoRefusals(mark = 0): void {
    const refusals = this.refusals(mark);
    if (refusals.length === 0) return;
    const texts = refusals.map((refusal) => {
      const history = this.#requests.slice(Math.max(0, refusal.number - historyLength), refusal.number);
      return history.map((request) => `  ${line(request)}`).join("\n");
    });
    throw new Error(
      `the Proxmox simulator refused ${refusals.length} request(s), each last of:\n${texts.join("\n\n")}`,
    );
  }

  #isExpected(request: LoggedRequest): boolean {
    return this.#expected.some((matcher) =>
      matcher instanceof RegExp ? matcher.test(line(request)) : matcher(request),
    );
  }
}

/** One request in one line. */
export function line({ number, method, path, body, status, problems }: LoggedRequest): string {
  const sent =
    Object.keys(body).length === 0 || method === "GET" || method === "DELETE"
      ? ""
      : ` ${JSON.stringify(body)}`;
  const problem = problems.length === 0 ? "" : ` (${problems.join("; ")})`;
  return `${number}. ${method} ${path}${sent} -> ${status}${problem}`;
}
