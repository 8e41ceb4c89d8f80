/** Defines what handlers of the embedded service receive and return. Each operation must have exactly one handler. */
import type { OperationId, OperationInput, Operations } from '../operations/index.ts';
import { bodyOfBytes, type HttpResponse } from '../request/http.ts';
import type { Store } from './data/store.ts';
import type { DocumentWorker } from './document-worker.ts';
import type { Share } from './shares.ts';

/** The owner of the request's credential. A credential always belongs to one workspace. */
export interface Caller {
  readonly workspaceId: string;
  readonly organizationId: string;
  readonly userId: string;
  /** The id of the workspace token, or of the one that a token was made with. Undefined for other credentials. */
  readonly tokenId?: string;
  /** Whether the workspace is inactive. Undefined if it was not read together with the credential. */
  readonly isInactive?: boolean;
  /** The ids of the only workspaces and organizations that the credential opens. Undefined if it is not limited. */
  readonly reach?: readonly string[] | undefined;
  /**
   * Whether the credential is an access token or the id of the workspace, which is not secret and gives such a token.
   * The caller acts as a user who is not an owner, sees no keys, and changes neither credentials nor the team.
   */
  readonly isAnonymous?: boolean;
  /** When an access token ends, in milliseconds since 1970. A token that is made with it ends then at the latest. */
  readonly expires?: number;
  /** The id of the publishing token. Its maker may have left the workspace since. */
  readonly publishingTokenId?: string;
}

export interface OpenScope {
  readonly store: Store;
  readonly worker: DocumentWorker;
  readonly share: Share;
  readonly now: () => Date;
  /** The base of the request URL, without a trailing slash. URLs in responses start with it. */
  readonly base: string;
  /** The error with which a run that this request starts must fail. People use it to test their scripts. */
  readonly injected?: string | undefined;
}

/** What finding a caller needs. */
export type StoreScope = Pick<OpenScope, 'store' | 'now'>;

/** Lets a request in as one of the caller's tenant. Throws Refusal if too many of them are in progress. */
export type Admit = (caller: Caller | undefined) => OpenScope;

export interface Scope extends OpenScope {
  readonly caller: Caller;
}

type ScopeOf<Id extends OperationId> = Operations[Id] extends { auth: 'none' } ? OpenScope & Partial<Scope> : Scope;

/** The operations that the distribution endpoint handles, because OCI clients send the same requests. */
export type DistributionOperation = 'getManifest' | 'getBlob';

/** The handlers of these operations. Code with a missing, misnamed or extra handler does not compile. */
export type Handlers<Ids extends OperationId> = {
  readonly [Id in Ids]: (input: OperationInput<Id>, scope: ScopeOf<Id>) => unknown;
};

export type IdsOf<Area> = Extract<keyof Area, OperationId>;

const reply = Symbol('reply');

/** A complete response. Any other value of a handler is sent as JSON with status 200, and undefined as status 204. */
export interface Reply {
  readonly [reply]: true;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
}

/** Builds a complete response. A string body is sent as UTF-8. */
export const replyWith = (
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array | AsyncIterable<Uint8Array> = '',
): Reply => ({ [reply]: true, status, headers, body: typeof body === 'string' ? Buffer.from(body) : body });

export const replyJson = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply =>
  replyWith(status, { ...headers, 'content-type': 'application/json' }, JSON.stringify(value));

export const replyJsonText = (json: string | Uint8Array): Reply =>
  replyWith(200, { 'content-type': 'application/json' }, json);

/**
 * Returns a JSON list. Its pieces are records in JSON: after the first two, they are made while the client reads.
 * `around` is what comes before and after the records.
 */
export function replyList(pieces: Iterator<readonly string[]>, { hold }: Share, around = ['[', ']']): Reply {
  const next = (): readonly string[] | undefined => pieces.next().value;
  const known = [next(), next()];
  const [start, end] = around;
  hold(known.flat().reduce((sum, record) => sum + (record?.length ?? 0), 0));
  if (!known[1]) return replyJsonText(`${start}${known[0]?.join(',') ?? ''}${end}`);
  const body = async function* () {
    let before = start;
    for (let piece = known.shift(); piece; piece = known.shift() ?? next()) {
      // Also without records, because the next turn begins after each piece.
      yield Buffer.from(piece.length > 0 ? `${before}${piece.join(',')}` : '');
      if (piece.length > 0) before = ',';
    }
    yield Buffer.from(before === ',' ? `${end}` : `${start}${end}`);
  };
  return replyWith(200, { 'content-type': 'application/json' }, body());
}

export function responseOf({ status, headers, body }: Reply): HttpResponse {
  if (!(body instanceof Uint8Array)) return { status, headers, body };
  const length = status === 204 ? {} : { 'content-length': String(body.byteLength) };
  return { status, headers: { ...length, ...headers }, body: bodyOfBytes(body) };
}

export const errorResponse = (status: number, message: string, headers?: Reply['headers']): HttpResponse =>
  responseOf(replyJson(status, { message, status_code: status }, headers));

/** Builds the response for a request that can be sent again in a second. */
export const unavailable = (message: string): HttpResponse => errorResponse(503, message, { 'retry-after': '1' });

/** Turns the response to a GET into the response to a HEAD: no body, but the same headers and content length. */
export function headOf({ status, headers, body }: Reply): Reply {
  const length = 'byteLength' in body ? { 'content-length': String(body.byteLength) } : {};
  return replyWith(status, { ...length, ...headers });
}

export const isReply = (answer: unknown): answer is Reply =>
  typeof answer === 'object' && answer !== null && reply in answer;

export { KnownRefusal, orNotFound, Refusal } from './refusal.ts';
