/** Converts an HTTP response to the result of an operation, or throws a typed error. */
import { attempt } from '../caught.ts';
import { DtpError, type ErrorCode, type Facts } from '../errors.ts';
import { fieldsOf, type JsonObject } from '../json-object.ts';
import { answerLimit } from '../limits.ts';
import { operationsBelow } from '../operations/areas.ts';
import { effectOf, type Operation } from '../operations/operation.ts';
import { isRetryable } from '../operations/retry-rules.ts';
import { checkWeight, isBlank, isPageType, type MakeResponseError, textIn, valueIn, withoutPage } from './decoded.ts';
import { type HttpRequest, type HttpResponse, isDeeper, readAll, readUnneeded } from './http.ts';
import { parseJson } from './json.ts';
import { reasonIn } from './reason.ts';

/** The decoded result of an operation. */
export type Value =
  | { readonly kind: 'none'; readonly status: number }
  | { readonly kind: 'json'; readonly status: number; readonly value: unknown }
  | { readonly kind: 'text'; readonly status: number; readonly text: string }
  | BytesValue;

export interface BytesValue {
  readonly kind: 'bytes';
  readonly status: number;
  readonly body: AsyncIterable<Uint8Array>;
  /** The digest of the bytes, as the registry reports it. */
  readonly digest: string | undefined;
  /** Creates the error for bytes that turn out to be invalid. */
  readonly bad: MakeResponseError;
}

/** Returns the fields of a result, or no fields if it is not a JSON object. */
export const fieldsIn = (value: Value): JsonObject => fieldsOf(value.kind === 'json' ? value.value : undefined);

/** Returns the elements of a result, or none if it is not a JSON array. */
export const elementsOf = (value: Value): readonly unknown[] =>
  value.kind === 'json' && Array.isArray(value.value) ? value.value : [];

/** The maximum sizes of bodies that no operation declares, and of error responses, in bytes. */
const limits = { undeclared: 16 * 1024 * 1024, error: 1024 * 1024 };

/**
 * Reads the result of a response. Any 2XX response is a result, and any other response is an error, whatever its body.
 * An empty body is a result too if the operation changes something, because the change has happened. Throws `pending`
 * for a job that is still running, `bad_response` for a web page, a body that cannot be decoded, or an empty body of a
 * read, and the code of the status otherwise. The details of `pending` are the decoded body.
 */
export async function readResponse(operation: Operation, answer: HttpResponse, request: HttpRequest): Promise<Value> {
  const { status } = answer;
  if (status < 200 || status > 299) throw await statusError(answer, request);
  // Only the status counts, and not the content (States and transitions 2).
  if (status === operation.pending)
    throw new DtpError('pending', 'the job is still running', {
      ...facts(answer, request),
      details: decoded(await readHead(answer)),
    });
  const response = withoutPages(operation, answer, request);
  const badHere: MakeResponseError = (what, more) => bad(what, response, request, more);
  if (operation.result === 'bytes') {
    const digest = response.headers['docker-content-digest'];
    const body = mayBeEmpty(operation) ? response.body : notEmpty(response.body, badHere);
    return { kind: 'bytes', status, body, digest, bad: badHere };
  }
  if (operation.result === 'none') return readUndeclared(response, request);
  const bytes = await bytesWithin(response.body, badHere);
  if (bytes.every(isBlank)) {
    if (effectOf(operation) === 'read') throw badHere('is empty');
    return { kind: 'none', status };
  }
  if (operation.result === 'text') return { kind: 'text', status, text: textIn(bytes, badHere) };
  return decodedValue(bytes, status, badHere);
}

function decodedValue(bytes: Uint8Array, status: number, badHere: MakeResponseError): Value {
  checkWeight(bytes, badHere);
  return { kind: 'json', status, value: valueIn(textIn(bytes, badHere), badHere) };
}

/** Reads the rest of a response as JSON. Throws `bad_response` like `readResponse`. */
export async function readWhole({ body, status, bad: badHere }: BytesValue): Promise<Value> {
  return decodedValue(await bytesWithin(body, badHere), status, badHere);
}

async function bytesWithin(body: AsyncIterable<Uint8Array>, badHere: MakeResponseError): Promise<Uint8Array> {
  const bytes = await readAll(body, answerLimit.bytes);
  if (!bytes) throw badHere(`is longer than ${answerLimit.text}`, { isTooLong: true });
  return bytes;
}

/** Whether an empty body is valid: if the operation changes something, may return any content, or declares none. */
const mayBeEmpty = (operation: Operation): boolean =>
  effectOf(operation) !== 'read' || operation.isAnyContent || (declaredResult(operation) ?? 'none') === 'none';

/** Yields the bytes unchanged. Throws `bad_response` at the end if they are empty or only white space. */
async function* notEmpty(body: AsyncIterable<Uint8Array>, bad: MakeResponseError): AsyncGenerator<Uint8Array> {
  let isEmpty = true;
  for await (const piece of body) {
    isEmpty &&= piece.every(isBlank);
    yield piece;
  }
  if (isEmpty) throw bad('is empty');
}

/** The maximum nesting depth that every output format can show. */
const shownDepth = 500;

/**
 * Returns the response with a body that throws `bad_response` if it is a web page. No operation returns a web page, so
 * the service may not have received the request. JSON is accepted with any content type. A blob may be a web page. Its
 * digest is checked instead.
 */
function withoutPages(operation: Operation, response: HttpResponse, request: HttpRequest) {
  const { id, result, isAnyContent } = operation;
  if (isAnyContent && /\/sha(256|512)(:|%3A)\w+$/i.test(pathIn(request))) return response;
  // Use the declared result, because `result` is bytes for raw responses and for rows that are shown as they arrive.
  const declared = declaredResult(operation) ?? result;
  const isJson = declared !== 'bytes' && declared !== 'text' && declared !== 'none';
  // An overlay may have any content type (records.md, suggest), so only its content counts.
  const isOverlay = id.startsWith('suggest');
  const isNamed = !isJson && !isOverlay && isPageType(response.headers['content-type']);
  return { ...response, body: withoutPage(response.body, isNamed, () => pageError(response, request)) };
}

/** Returns the kind of result that the API document declares. Undefined for a request that is not in the document. */
const declaredResult = ({ id, command }: Operation) => operationsBelow(command[0])[id]?.result;

const pageError = (response: HttpResponse, request: HttpRequest) =>
  bad('is a web page, not data from the service', response, request, {
    hint: 'A login page or a proxy may have answered. Check the network and the base URL: dtp doctor',
  });

/**
 * Reads a body that the service sends although the operation declares none: JSON, or plain text. The work is done, so
 * the content of the body is never an error. A body that is longer than 16 MiB or cannot be decoded is ignored.
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

const bad = (what: string, response: HttpResponse, request: HttpRequest, more: Facts = {}) =>
  new DtpError('bad_response', `${where(request, response.status)}: the response ${what}`, {
    ...facts(response, request),
    ...more,
  });

async function statusError(response: HttpResponse, request: HttpRequest): Promise<DtpError> {
  const { status } = response;
  if (status >= 300 && status < 400) return redirectError(response, request);
  if (status > 599)
    return new DtpError('bad_response', `${where(request, status)}: invalid HTTP status`, facts(response, request));
  const details = decoded(await readHead(response));
  const said = reasonIn(details) ?? words[status] ?? (status < 500 ? 'refused' : 'the service failed');
  return new DtpError(codeOf(status), `${where(request, status)}: ${said}`, {
    ...facts(response, request),
    retryable: isRetryable(status),
    ...(details === '' ? {} : { details }),
  });
}

/** Reads the body of an error response. Returns '' if it is over 1 MiB, cut off or undecodable. */
async function readHead({ body }: HttpResponse): Promise<string> {
  const bytes = await readAll(body, limits.error).catch((error: unknown) => {
    if (!(error instanceof DtpError && (error.code === 'network' || error.code === 'bad_response'))) throw error;
  });
  return bytes ? new TextDecoder().decode(bytes) : '';
}

/** Creates the error for a redirect, which is never followed because it could send the credential elsewhere. */
function redirectError(response: HttpResponse, request: HttpRequest): DtpError {
  const location = response.headers.location;
  if (location === undefined) {
    const text = `${where(request, response.status)}: unexpected status`;
    return new DtpError('bad_response', text, facts(response, request));
  }
  const to = URL.canParse(location, request.url) ? new URL(location, request.url).origin : 'an invalid URL';
  return new DtpError('bad_response', `${where(request, response.status)}: unexpected redirect to ${to}`, {
    ...facts(response, request),
    hint: 'Check the base URL. Redirects are not followed.',
  });
}

/** Returns the documented error code of a status that is not 2XX. HTTP statuses end at 599 (RFC 9110 §15). */
export function codeOf(status: number): ErrorCode {
  if (status === 401) return 'auth';
  if (status === 403) return 'forbidden';
  if (status === 404 || status === 410) return 'not_found';
  if (status === 429) return 'rate_limited';
  if (status >= 400 && status < 500) return 'rejected';
  return status >= 500 && status < 600 ? 'server' : 'bad_response';
}

const words: Readonly<Record<number, string>> = {
  401: 'the credential is missing or invalid',
  403: 'not permitted',
  404: 'not found',
  408: 'the service timed out',
  429: 'too many requests',
  503: 'the service is unavailable',
};

/** Parses JSON, or returns any other string unchanged. */
const decoded = (text: string): unknown => attempt(() => parseJson(text), text);

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
