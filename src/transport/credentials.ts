/** Adds the credential to a request, but only for the origin that it belongs to. */
import { DtpError } from '../errors.ts';
import type { Scheme } from '../operations/schemes.ts';
import { headerValue, type Send } from '../request/http.ts';
import { originOf } from '../request/url.ts';

export interface Credential {
  readonly scheme: Scheme;
  readonly secret: string;
  /** The only origin that the secret is sent to. */
  readonly origin: string;
  /** The name of the header, in lower case. */
  readonly header: string;
}

/** Returns the header that carries a credential. Throws `usage` if the secret is not a valid header value. */
export function credentialHeader(credential: Credential): readonly [name: string, value: string] {
  const secret = headerValue('the credential', credential.secret);
  const bearer = credential.scheme === 'bearer' && !/^bearer /i.test(secret);
  return [credential.header, bearer ? `Bearer ${secret}` : secret];
}

/** Adds the credential to each request. If a request is for another origin, throws `auth` and sends nothing. */
export function withCredential(send: Send, credential: Credential): Send {
  const [name, value] = credentialHeader(credential);
  return async (request, options) => {
    if (originOf(request.url) !== credential.origin) {
      const text = `the credential belongs to ${credential.origin} and is not sent to ${originOf(request.url)}`;
      throw new DtpError('auth', text, { attempts: 0 });
    }
    return send({ ...request, headers: { ...request.headers, [name]: value } }, options);
  };
}
