/** Adds the one credential of a request, and only for the origin that it belongs to. */
import { DtpError } from '../errors.ts';
import type { Scheme } from '../operations/schemes.ts';
import { headerValue, type Send } from '../request/http.ts';
import { originOf } from '../request/url.ts';

export interface Credential {
  readonly scheme: Scheme;
  readonly secret: string;
  /** The only origin that it is sent to. */
  readonly origin: string;
  /** The header's name, in lower case. */
  readonly header: string;
}

/** The header that carries a credential. Throws `usage` where the secret is no header value. */
export function credentialHeader(credential: Credential): readonly [name: string, value: string] {
  const secret = headerValue('the credential', credential.secret);
  const bearer = credential.scheme === 'bearer' && !/^bearer /i.test(secret);
  return [credential.header, bearer ? `Bearer ${secret}` : secret];
}

/** `send` with the credential in every request. Throws `auth`, with nothing sent, for another origin than its own. */
export function withCredential(send: Send, credential: Credential): Send {
  const [name, value] = credentialHeader(credential);
  return async (request, options) => {
    if (originOf(request.url) !== credential.origin)
      throw new DtpError(
        'auth',
        `the credential belongs to ${credential.origin} and is not sent to ${originOf(request.url)}`,
        { attempts: 0 },
      );
    return send({ ...request, headers: { ...request.headers, [name]: value } }, options);
  };
}
