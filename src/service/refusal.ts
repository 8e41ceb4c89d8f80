/** Returns a value that was looked up. Throws Refusal with status 404 if it does not exist. */
export function orNotFound<T>(value: T | undefined, message: string): T {
  if (value === undefined) throw new Refusal(404, message);
  return value;
}

/** Thrown anywhere in a handler to refuse the request. The response body is an Error record. */
export class Refusal extends Error {
  readonly status: number;
  /** Seconds after which a retry may succeed. */
  readonly retryAfter: number | undefined;

  constructor(status: number, message: string, retryAfter?: number) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}
