/** Defines the refusals of the distribution endpoint, with the error codes and bodies that OCI clients expect. */
import { Refusal, type Reply, replyJson } from '../handler.ts';

/** A Refusal with an error code of the OCI Distribution Specification 1.1 (Error codes). */
export class RegistryRefusal extends Refusal {
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(status, message);
    this.code = code;
    this.headers = headers;
  }
}

/** Thrown if a valid token does not cover the request. Clients then request one with the scope in the challenge. */
export class ScopeRefusal extends RegistryRefusal {
  constructor(message: string) {
    super(401, 'UNAUTHORIZED', message);
  }
}

export const unauthorized = (): RegistryRefusal =>
  new RegistryRefusal(401, 'UNAUTHORIZED', 'a credential or a bearer token of this registry is required');

/** Builds an error body for OCI clients and API clients, with the fields of the specification and of Error records. */
export function failureReply(error: Refusal): Reply {
  const { status, message } = error;
  const unnamed = { code: status === 401 ? 'UNAUTHORIZED' : 'UNKNOWN', headers: {} };
  const { code, headers } = error instanceof RegistryRefusal ? error : unnamed;
  return replyJson(status, { errors: [{ code, message, detail: {} }], message, status_code: status }, headers);
}
