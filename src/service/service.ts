/** Answers the requests to the embedded service: routes them, checks credential and input, and calls the handlers. */
import { mapErrors, messageOf, systemCode } from '../caught.ts';
import type { OperationId } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import { bodyOfBytes, type HttpRequest, passedOn, type Send } from '../request/http.ts';
import { endRuns } from './codehost/run-work.ts';
import { serveRun, workspaceOfRun } from './codehost/runs.ts';
import { databaseProblem, TOO_BIG, UNUSABLE } from './data/remote-fault.ts';
import type { Store } from './data/store.ts';
import { type DocumentWorker, openDocumentWorker } from './document-worker.ts';
import {
  type Admit,
  type Caller,
  type DistributionOperation,
  type Handlers,
  headOf,
  isReply,
  type OpenScope,
  orNotFound,
  Refusal,
  type Reply,
  replyJson,
  replyWith,
  responseOf,
  type Scope,
  type StoreScope,
} from './handler.ts';
import { artifacts } from './handlers/artifacts.ts';
import { auth } from './handlers/auth.ts';
import { codeSamples } from './handlers/code-samples.ts';
import { codehost } from './handlers/codehost.ts';
import { events } from './handlers/events.ts';
import { organizations } from './handlers/organizations.ts';
import { publishingTokens } from './handlers/publishing-tokens.ts';
import { reports, serveReport } from './handlers/reports.ts';
import { followShortUrl, schemaStore } from './handlers/schema-store.ts';
import { subscriptions } from './handlers/subscriptions.ts';
import { suggest } from './handlers/suggest.ts';
import { acceptInvite } from './handlers/team.ts';
import { workspaces } from './handlers/workspaces.ts';
import { RUN_FAILURE_HEADER } from './http/faults.ts';
import { readRequestInput } from './http/read.ts';
import { MethodRefusal, route, splitUrl, type UrlParts } from './http/router.ts';
import { KnownRefusal, type Report, refusalFor } from './refusal.ts';
import { distribution } from './registry/distribution.ts';
import { openShares, type Share } from './shares.ts';
import { callerOf, credentialsOf, invalid } from './tenancy/credentials.ts';
import { checkPermission, checkWorkspace } from './tenancy/permissions.ts';
import { isStillAllowed } from './tenancy/publishers.ts';
import { bringRepositoryUpToDate, bringUpToDate } from './up-to-date.ts';

/**
 * Returns a `send` that throws if the signal aborts or the request body cannot be read. Every other failure becomes a
 * response.
 */
export function createService(
  store: Store,
  { now, report = () => undefined }: { readonly now: () => number; readonly report?: Report },
  worker = openDocumentWorker(),
): Send {
  const shareOf = openShares(now);
  return async (request, { signal, known }) => {
    signal.throwIfAborted();
    const target = splitUrl(request.url);
    const injected = request.headers[RUN_FAILURE_HEADER];
    let share: Share | undefined;
    const end = () => {
      share?.end();
      signal.removeEventListener('abort', end);
    };
    const open = { store, now: () => new Date(now()), base: target.base };
    let check = () => signal.throwIfAborted();
    const admit: Admit = (caller) => {
      const tenant = caller?.workspaceId ?? NOBODY;
      if (caller) {
        known?.();
        check = checkOf(caller, open, signal);
      }
      share = shareOf(tenant, check);
      const run: DocumentWorker['run'] = async (task, document) => {
        const result = await worker.run(task, document, tenant);
        check();
        return result;
      };
      return { ...open, injected, share, worker: { ...worker, run } };
    };
    signal.addEventListener('abort', end);
    try {
      const body = bytesOf(request, { before: async () => share?.turn(), see: () => check() });
      const reply = await answer(request, body, { ...open, target, admit });
      const { body: sent, headers } = reply;
      const length = Number(headers['content-length'] ?? PIECE);
      share?.hold(sent instanceof Uint8Array ? sent.byteLength : Math.min(length, PIECE));
      const response = responseOf(reply);
      const before = sent instanceof Uint8Array ? undefined : share?.turn;
      return { ...response, body: passedOn(response.body, { before, end }) };
    } catch (error) {
      end();
      signal.throwIfAborted();
      if (error instanceof BrokenBody) throw error.cause;
      return responseOf(refusalReply(refusalFor(diskFault(error, store.file, report), report)));
    }
  };
}

/** How much a stream counts at most: the size of a piece, because it has two in memory, and nothing made from them. */
const PIECE = 2 ** 20;

/** The tenant that everybody without a credential is. */
const NOBODY = '';

/** How often a request looks up whether its caller still has access, in milliseconds. */
const CHECK_MS = 1000;

/** Returns a function that throws the reason of an aborted signal, or Refusal if the caller has lost access since. */
function checkOf(caller: Caller, scope: StoreScope, signal: AbortSignal): () => void {
  let last = scope.now().getTime();
  return () => {
    signal.throwIfAborted();
    const time = scope.now().getTime();
    if (time < last + CHECK_MS) return;
    last = time;
    if (!isStillAllowed(caller, scope)) throw new KnownRefusal(401, 'the credential was revoked during the request');
  };
}

function bytesOf({ body = new Uint8Array() }: HttpRequest, watch: Parameters<typeof passedOn>[1]) {
  const source = 'byteLength' in body ? bodyOfBytes(body) : body.open();
  const bytes = mapErrors(source, (error) => new BrokenBody(error));
  return passedOn(bytes, watch);
}

/** Thrown if the request body cannot be read to its end. The sender reports the cause, so there is no response. */
class BrokenBody extends Error {
  constructor(cause: unknown) {
    super('the request body ended early', { cause });
  }
}

const DISTRIBUTION = /^(\/v1\/oci)?\/v2(\/|$)/;

const READ = ['GET', 'HEAD'];
type Serve = (target: UrlParts, scope: OpenScope) => Reply | Promise<Reply>;

/** The paths that need no credential, because knowing the URL is enough. */
const publicPaths: readonly (readonly [at: RegExp, methods: readonly string[], serve: Serve])[] = [
  [/^\/reports\//, READ, ({ path, query }, scope) => serveReport(path, new URLSearchParams(query), scope)],
  [/^\/s\//, READ, ({ path }, scope) => followShortUrl(path, scope)],
  // Serving this path accepts the invitation, so the HEAD request of a link checker must be refused.
  [/^\/invites\//, ['GET'], ({ path }, scope) => acceptInvite(path, scope)],
  [/^\/runs\//, READ, ({ path }, scope) => runPage(path, scope)],
];

async function runPage(path: string, scope: OpenScope): Promise<Reply> {
  const workspaceId = workspaceOfRun(path, scope);
  if (workspaceId !== undefined) await endRuns(scope, workspaceId);
  return serveRun(path, scope);
}

interface Incoming extends StoreScope {
  readonly target: UrlParts;
  readonly admit: Admit;
}

async function answer(request: HttpRequest, body: AsyncIterable<Uint8Array>, incoming: Incoming): Promise<Reply> {
  const { target, admit, store } = incoming;
  const { path, query } = target;
  const { method, headers } = request;
  const [, methods, serve] = publicPaths.find(([at]) => at.test(path)) ?? [];
  if (methods && !methods.includes(method)) throw new MethodRefusal(path, methods);
  if (serve) {
    const reply = await serve(target, admit(undefined));
    return method === 'HEAD' ? headOf(reply) : reply;
  }

  if (DISTRIBUTION.test(path)) {
    const caller = callerOf(credentialsOf(headers), incoming);
    const asked = { method, path, query: new URLSearchParams(query), headers, body };
    return distribution(asked, { ...incoming, base: target.base, caller, refresh: bringRepositoryUpToDate });
  }
  const matched = orNotFound(route(method, path), `${path} not found`);
  const { operation } = matched;
  const isOpen = operation.auth === 'none';
  // If an operation needs no credential, a wrong one is still refused, because the response depends on the caller.
  const caller = isOpen && credentialsOf(headers).length === 0 ? undefined : callerFor(headers, incoming);
  if (caller && !isOpen) {
    const workspaceId = matched.path.workspace_id ?? caller.workspaceId;
    checkWorkspace(store, workspaceId, caller);
    checkPermission(operation.id, workspaceId, caller, store);
  }

  const scope = admit(caller);
  const { share } = scope;
  const { input, done } = await readRequestInput(operation, { path: matched.path, query, headers, body, share });
  try {
    await share.turn();
    await bringUpToDate(operation.id, input, scope, caller);
    // The type `Handlers` checks each handler, so the cast is safe.
    const handler = handlers[operation.id as keyof typeof handlers] as Handler;
    return withSimplified(operation, replyOf(await handler(input, caller ? { ...scope, caller } : scope)));
  } finally {
    await done();
  }
}

function callerFor(headers: HttpRequest['headers'], scope: StoreScope): Caller {
  const credentials = credentialsOf(headers);
  const caller = callerOf(credentials, scope);
  if (caller) return caller;
  if (credentials.length === 0)
    throw new Refusal(401, 'a credential is required: send x-api-key, Authorization or x-workspace-identifier');
  const verbs = credentials.length > 1 ? ['credentials are', 'have'] : ['credential is', 'has'];
  const names = credentials.map(({ header }) => header).join(' and ');
  throw invalid(`the ${verbs[0]} invalid or ${verbs[1]} expired (${names})`, credentials, scope);
}

function replyOf(answered: unknown): Reply {
  if (isReply(answered)) return answered;
  return answered === undefined ? replyWith(204, {}) : replyJson(200, answered);
}

/** Adds the `dtp-simplified` header, unless the handler has set a more specific one. */
const withSimplified = ({ simplified }: Operation, reply: Reply): Reply =>
  simplified === undefined ? reply : { ...reply, headers: { 'dtp-simplified': simplified, ...reply.headers } };

/** Turns the error of a failing disk or database into a Refusal. Reports why a database server has refused. */
function diskFault(error: unknown, file: string, report: Report): unknown {
  if (/^E[MN]FILE$/.test(systemCode(error) ?? ''))
    return new Refusal(503, 'too many files and connections are open', 1);
  const problem = databaseProblem(error);
  if (systemCode(error) === UNUSABLE) report(`${file} ${problem}`);
  if (problem) return new Refusal(503, `${file} ${problem}`, 1);
  if (systemCode(error) === TOO_BIG) return new Refusal(413, `the request has more than ${file} stores at once`);
  const [, kind] = /^SQLITE_(FULL|IOERR|READONLY|CORRUPT|NOTADB|CANTOPEN|BUSY)/.exec(systemCode(error) ?? '') ?? [];
  if (kind === undefined) return error;
  const message = `${file} cannot be used: ${messageOf(error)} (fix the disk and send the request again)`;
  return new Refusal(kind === 'FULL' ? 507 : 500, message);
}

function refusalReply(error: Refusal): Reply {
  const { status, message, retryAfter } = error;
  const challenge = error instanceof KnownRefusal ? 'Bearer error="invalid_token"' : 'Bearer';
  const headers = {
    ...(status === 401 && { 'www-authenticate': challenge }),
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    ...(error instanceof MethodRefusal && { allow: error.allow.join(', ') }),
  };
  return replyJson(status, { message, status_code: status }, headers);
}

type Handler = (input: unknown, scope: OpenScope & Partial<Scope>) => unknown;

const handlers: Handlers<Exclude<OperationId, DistributionOperation>> = {
  ...auth,
  ...codeSamples,
  ...codehost,
  ...organizations,
  ...publishingTokens,
  ...workspaces,
  ...events,
  ...reports,
  ...suggest,
  ...schemaStore,
  ...artifacts,
  ...subscriptions,
};
