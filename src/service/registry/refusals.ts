/** Refusals of the distribution endpoint, with the error codes and bodies that OCI clients expect. */
import { Refusal, type Reply, replyJson } from '../handler.ts';

/** A Refusal with an error code of the OCI Distribution Specification 1.1 (Error codes). */
export class RegistryRefusal extends Refusal {
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(status, message);
    this.code = code;
  }
}

/** The credential is valid, but another one is needed. Clients then request a token with the scope of the challenge. */
export class ScopeRefusal extends RegistryRefusal {
  constructor(message: string) {
    super(401, 'UNAUTHORIZED', message);
  }
}

/** A request that needs a credential. */
export const unauthorized = (): RegistryRefusal =>
  new RegistryRefusal(401, 'UNAUTHORIZED', 'a credential or a bearer token of this registry is required');

/** Combines the specification's error body with the fields of the Error record, for both kinds of clients. */
export function failureReply(error: Refusal): Reply {
  const { status, message } = error;
  const code = error instanceof RegistryRefusal ? error.code : 'UNKNOWN';
  return replyJson(status, { errors: [{ code, message, detail: {} }], message, status_code: status });
}
