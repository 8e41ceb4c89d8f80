/** A refusal: thrown anywhere in a handler, answered with the Error record. */
export class Refusal extends Error {
  readonly status: number;
  /** Seconds after which it may go well. */
  readonly retryAfter: number | undefined;

  constructor(status: number, message: string, retryAfter?: number) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}
