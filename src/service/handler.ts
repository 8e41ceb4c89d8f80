/** What a handler of the embedded service gets and gives; the types force one handler for each operation. */
import type { OperationId, OperationInput, Operations } from '../operations/index.ts';
import type { Aside } from './aside.ts';
import type { Store } from './data/store.ts';

/** Whose credential came with the request: always one workspace's. */
export interface Caller {
  readonly workspaceId: string;
  readonly organizationId: string;
  readonly userId: string;
}

/** What every handler may use. */
export interface OpenScope {
  readonly store: Store;
  readonly aside: Aside;
  readonly now: () => Date;
  /** The address that the request came to, without a slash at its end: for addresses in answers. */
  readonly base: string;
}

export interface Scope extends OpenScope {
  readonly caller: Caller;
}

type ScopeOf<Id extends OperationId> = Operations[Id] extends { readonly auth: 'none' } ? OpenScope : Scope;

/** A missing, misnamed or extra handler does not compile. */
export type Handlers<Ids extends OperationId> = {
  readonly [Id in Ids]: (input: OperationInput<Id>, scope: ScopeOf<Id>) => unknown;
};

/** The operation ids that an area's module exports. */
export type IdsOf<Area> = Extract<keyof Area, OperationId>;

const reply = Symbol('reply');

/** An answer with a status, headers and bytes of its own. Any other value is answered as 200 with JSON, undefined as 204. */
export interface Reply {
  readonly [reply]: true;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
}

/** A text body is sent as UTF-8. */
export const replyWith = (
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array | AsyncIterable<Uint8Array> = '',
): Reply => ({ [reply]: true, status, headers, body: typeof body === 'string' ? Buffer.from(body) : body });

/** JSON with a status of its own. */
export const replyJson = (
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply => replyWith(status, { ...headers, 'content-type': 'application/json' }, JSON.stringify(value));

export const isReply = (answer: unknown): answer is Reply =>
  typeof answer === 'object' && answer !== null && reply in answer;

export { Refusal } from './refusal.ts';
