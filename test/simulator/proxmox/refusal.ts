/** An answer other than success, in the server's words. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly errors?: Readonly<Record<string, string>>,
  ) {
    super(message);
  }
}

/** What `die` becomes in an API call. What only the log of a task says is the cause. */
export function failure(message: string, cause?: string): Refusal {
  const refusal = new Refusal(500, message);
  if (cause !== undefined) refusal.cause = cause;
  return refusal;
}

export const invalid = (errors: Readonly<Record<string, string>>): Refusal =>
  new Refusal(400, "Parameter verification failed.", errors);

/** Names the path and the privilege, where the server does. */
export const denied = (what?: string): Refusal =>
  new Refusal(403, what === undefined ? "Permission check failed" : `Permission check failed (${what})`);
