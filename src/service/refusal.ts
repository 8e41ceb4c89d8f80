/** Defines why a request is refused. */

/** Gets the reason of a failure that only the operator of the service can correct. */
export type Report = (fault: string) => void;

/** Returns the error, or for an error that nobody expected a Refusal which keeps it from the client, and reports it. */
export function refusalFor(error: unknown, report: Report): Refusal {
  if (error instanceof Refusal) return error;
  const [message, place] = ((error instanceof Error && error.stack) || String(error)).split(/\n {4}at /);
  report(['dtp itself has a fault:', message, ...(place === undefined ? [] : ['at', place])].join(' '));
  return new Refusal(500, 'internal error');
}

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

/** Thrown with status 401 if the service knows the credential, so that it does not count as a guess. */
export class KnownRefusal extends Refusal {}
