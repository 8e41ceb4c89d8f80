/** A refusal: thrown anywhere in a handler, answered with the Error record. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
