/** HttpResponse → Value, or a typed error. */
import { DtpError, type ErrorCode, type Facts } from '../errors.ts';
import { fieldsOf, type JsonObject } from '../json-object.ts';
import { answerLimit } from '../limits.ts';
import { operations } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import { type Bad, checkWeight, textIn, valueIn } from './decoded.ts';
import { type HttpRequest, type HttpResponse, isDeeper, readAll, readUnneeded } from './http.ts';
import { parseJson } from './json.ts';
import { isPageType, withoutPage } from './page.ts';
import { reasonIn } from './reason.ts';

/** The decoded result of an operation. */
export type Value =
  | { readonly kind: 'none'; readonly status: number }
  | { readonly kind: 'json'; readonly status: number; readonly value: unknown }
  | { readonly kind: 'text'; readonly status: number; readonly text: string }
  | {
      readonly kind: 'bytes';
      readonly status: number;
      readonly body: AsyncIterable<Uint8Array>;
      /** What a registry says that the digest of the bytes is. */
      readonly digest: string | undefined;
      /** The error for bytes that turn out not to be what they should. */
      readonly bad: Bad;
    };

/** No fields if the result is not a JSON object. */
export const fieldsIn = (value: Value): JsonObject =>
  fieldsOf(value.kind === 'json' ? value.value : undefined);

/** Bytes. */
const limits = {
  undeclared: 16 * 1024 * 1024,
  error: 1024 * 1024,
};

/**
 * Any 2XX is a result, anything else an error, whatever its body (records.md, Errors). Throws `pending` for a job that is
 * still running, `bad_response` for what cannot be decoded and for a web page, and the code of the status otherwise.
 */
export async function readResponse(
  operation: Operation,
  answer: HttpResponse,
  request: HttpRequest,
): Promise<Value> {
  const { status } = answer;
  if (status < 200 || status > 299) throw await statusError(answer, request);
  // The one operation whose 202 is no success; the status alone decides (States and transitions 2).
  if (status === 202 && operation.id === 'getCodeSamplePreviewAsync')
    throw new DtpError('pending', 'the job is still running', {
      ...facts(answer, request),
      details: decoded(await readHead(answer)),
    });
  const response = withoutPages(operation, answer, request);
  if (operation.result === 'bytes') {
    const digest = response.headers['docker-content-digest'];
    return {
      kind: 'bytes',
      status,
      body: response.body,
      digest,
      bad: (what, more) => bad(what, response, request, more),
    };
  }
  if (operation.result === 'none') return readUndeclared(response, request);
  if (operation.result === 'text') return { kind: 'text', status, text: await readText(response, request) };
  return { kind: 'json', status, value: await readJson(response, request) };
}

/** Levels of a body that every format can show. */
const shownDepth = 500;

/**
 * The answer, whose body throws `bad_response` where it is a web page: no operation declares one, so nothing says that the
 * service has seen the request. JSON is JSON, whatever the headers call it. A blob may hold a page: its digest is checked.
 */
function withoutPages({ id, result }: Operation, response: HttpResponse, request: HttpRequest): HttpResponse {
  if (id === 'getBlob' && /\/sha(256|512)(:|%3A)\w+$/i.test(pathIn(request))) return response;
  // As it is declared: rows that are shown as they arrive, and raw ones, are read as bytes.
  const declared = declaredResults.get(id) ?? result;
  const isJson = declared !== 'bytes' && declared !== 'text' && declared !== 'none';
  const isNamed = !isJson && isPageType(response.headers['content-type']);
  return { ...response, body: withoutPage(response.body, isNamed, () => pageError(response, request)) };
}

const declaredResults: ReadonlyMap<string, Operation['result']> = new Map(
  Object.values(operations).map(({ id, result }) => [id, result]),
);

const pageError = (response: HttpResponse, request: HttpRequest) =>
  bad('is a web page, and not from the service', response, request, {
    hint: 'A login page or a proxy may have answered. Check the network and the base URL: dtp doctor',
  });

/**
 * What the service sends although the document declares no body: JSON, or text. The work is done whatever it says, so
 * nothing in it is an error. A body that is longer than 16 MiB, or cannot be decoded, is left out.
 */
async function readUndeclared(response: HttpResponse, request: HttpRequest): Promise<Value> {
  const { status, headers, body } = response;
  const bytes = await readUnneeded(body, limits.undeclared);
  if (!bytes && isPageType(headers['content-type'])) throw pageError(response, request);
  const text = new TextDecoder().decode(bytes).trim();
  if (text === '') return { kind: 'none', status };
  const value = decoded(text);
  const isText = value === text || isDeeper(value, shownDepth);
  return isText ? { kind: 'text', status, text } : { kind: 'json', status, value };
}

async function readLimited(response: HttpResponse, request: HttpRequest): Promise<Uint8Array> {
  const bytes = await readAll(response.body, answerLimit.bytes);
  if (!bytes) throw bad(`is longer than ${answerLimit.text}`, response, request, { isTooLong: true });
  return bytes;
}

const readText = async (response: HttpResponse, request: HttpRequest): Promise<string> =>
  textIn(await readLimited(response, request), (what, more) => bad(what, response, request, more));

async function readJson(response: HttpResponse, request: HttpRequest): Promise<unknown> {
  const bytes = await readLimited(response, request);
  const badHere: Bad = (what, more) => bad(what, response, request, more);
  checkWeight(bytes, badHere);
  return valueIn(textIn(bytes, badHere), badHere);
}

const bad = (what: string, response: HttpResponse, request: HttpRequest, more: Facts = {}) =>
  new DtpError('bad_response', `${where(request, response.status)}: the answer ${what}`, {
    ...facts(response, request),
    ...more,
  });

async function statusError(response: HttpResponse, request: HttpRequest): Promise<DtpError> {
  const { status } = response;
  if (status >= 300 && status < 400) return redirectError(response, request);
  if (status > 599)
    return new DtpError(
      'bad_response',
      `${where(request, status)}: no status of HTTP`,
      facts(response, request),
    );
  const details = decoded(await readHead(response));
  const said = reasonIn(details) ?? words[status] ?? (status < 500 ? 'refused' : 'the service failed');
  return new DtpError(codeOf(status), `${where(request, status)}: ${said}`, {
    ...facts(response, request),
    retryable: isPassing(status),
    ...(details === '' ? {} : { details }),
  });
}

/** Whether the same may succeed later. What is sent again by itself is less: the operation's policy says it. */
export const isPassing = (status: number): boolean =>
  status === 408 || status === 429 || (status >= 500 && status < 600);

/**
 * The body of an answer that is not the result; '' for one that is longer than 1 MiB, breaks off or cannot be decoded: the
 * status says what happened. A deadline is still one.
 */
async function readHead({ body }: HttpResponse): Promise<string> {
  const bytes = await readAll(body, limits.error).catch((error: unknown) => {
    if (!(error instanceof DtpError && (error.code === 'network' || error.code === 'bad_response')))
      throw error;
  });
  return bytes ? new TextDecoder().decode(bytes) : '';
}

/** Redirects are never followed: they would carry the credential elsewhere. */
function redirectError(response: HttpResponse, request: HttpRequest): DtpError {
  const location = response.headers.location;
  if (location === undefined)
    return new DtpError(
      'bad_response',
      `${where(request, response.status)}: an unexpected status`,
      facts(response, request),
    );
  const to = parsedUrl(location, request.url)?.origin ?? 'an address that is none';
  return new DtpError('bad_response', `${where(request, response.status)}: an unexpected redirect to ${to}`, {
    ...facts(response, request),
    hint: 'Check the base address; redirects are not followed.',
  });
}

const parsedUrl = (text: string, base: string) =>
  URL.canParse(text, base) ? new URL(text, base) : undefined;

/** The documented exit code of a status that is no 2XX; those of HTTP end at 599 (RFC 9110 §15). */
export function codeOf(status: number): ErrorCode {
  if (status === 401) return 'auth';
  if (status === 403) return 'forbidden';
  if (status === 404 || status === 410) return 'not_found';
  if (status === 429) return 'rate_limited';
  if (status >= 400 && status < 500) return 'rejected';
  return status >= 500 && status < 600 ? 'server' : 'bad_response';
}

const words: Readonly<Record<number, string>> = {
  401: 'the credential is missing or not valid',
  403: 'not permitted',
  404: 'not found',
  408: 'the service took too long',
  429: 'too many requests',
  503: 'the service is not available',
};

/** The value of a JSON text; any other text as it is. */
function decoded(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

const pathIn = (request: HttpRequest) => new URL(request.url).pathname;
const where = (request: HttpRequest, status: number) => `${status} from ${request.method} ${pathIn(request)}`;

function facts(response: HttpResponse, request: HttpRequest) {
  const id = response.headers['x-request-id'];
  return {
    status: response.status,
    method: request.method,
    path: pathIn(request),
    attempts: response.attempts ?? 1,
    ...(response.waitMs === undefined ? {} : { waitMs: response.waitMs }),
    ...(id === undefined ? {} : { request_id: id }),
  };
}
