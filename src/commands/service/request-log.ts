/** Reports the requests of a server: each one on a terminal, and the access tokens that it gives everywhere. */
import { attempt } from '../../caught.ts';
import type { Context } from '../../context.ts';
import { colorOf } from '../../output/color.ts';
import type { Log } from '../../output/log.ts';
import { requestLines, type Served } from '../../render/request-line.ts';
import { type HttpRequest, passedOn, type Send } from '../../request/http.ts';
import { parseJson } from '../../request/json.ts';
import { reasonIn } from '../../request/reason.ts';
import { maskOf } from '../../request/redact.ts';
import type { Globals } from '../../settings/global-flags.ts';

/** The bytes of an error that are read to find its reason. */
const longest = 8192;

export type WriteJson = (event: string, facts?: Readonly<Record<string, unknown>>) => void;

export const jsonWriter =
  ({ date, stderr }: Context): WriteJson =>
  (event, facts) => {
    stderr.write(`${JSON.stringify({ time: date().toISOString(), event, ...facts })}\n`);
  };

export const logInJson = (log: Log, writeJson: WriteJson): Log => ({
  ...log,
  warn: (message) => writeJson('warning', { message }),
  note: (message) => writeJson('note', { message }),
});

export interface RequestLogOptions {
  readonly context: Context;
  /** Present if somebody watches the requests. */
  readonly globals?: Globals | undefined;
  /** Writes the requests as JSON instead. */
  readonly writeJson?: WriteJson | undefined;
  /** Reports each access token. */
  readonly note?: ((text: string) => void) | undefined;
  /** Masked wherever a line would contain it. Empty until it is known. */
  readonly key: () => string;
  /** The id of the operation that a request belongs to. */
  readonly idOf: (method: string, url: string) => string | undefined;
}

export function withLogs(send: Send, options: RequestLogOptions): Send {
  const { globals, writeJson, note, idOf } = options;
  const noted = note ? withTokenNotes(send, note, idOf) : send;
  return globals || writeJson ? withRequestLog(noted, options) : noted;
}

/** `send`, with a line on stderr when a response has been read to its end. */
export function withRequestLog(send: Send, { context, globals = {}, writeJson, key, idOf }: RequestLogOptions): Send {
  const { clock, stderr } = context;
  const isColored = colorOf(context, globals, true);
  const hide = (text: string) => maskOf([key()])(text);
  const show = (served: Served) => {
    const { reason, path } = served;
    const safe = { ...served, path: hide(path), reason: reason && hide(reason) };
    stderr.write(`${requestLines(safe, stderr.columns || 80, isColored).join('\n')}\n`);
  };
  return async (request, options) => {
    const start = clock.now();
    const done = ({ status, reason }: Pick<Served, 'status' | 'reason'>) => {
      const { pathname } = targetOf(request);
      const path = withoutCode(pathname);
      const served = {
        at: context.date().getTime(),
        method: request.method,
        path,
        ms: clock.now() - start,
        operation: idOf(request.method, request.url),
        status,
        reason: reason?.replaceAll(pathname, () => path),
      };
      if (writeJson) writeJson('request', factsOf(request, served, hide));
      else show(served);
    };
    try {
      const response = await send(request, options);
      return { ...response, body: watched(response, done) };
    } catch (error) {
      done({});
      throw error;
    }
  };
}

/** Returns the URL with another host, because the client may have sent one that no URL can contain. */
const targetOf = ({ url }: Pick<HttpRequest, 'url'>): URL => new URL(url.replace(/^\w+:\/\/[^/?#]*/, 'http://host'));

/** Masks the part of a URL or a path that nobody can guess, because whoever knows this URL needs no credential. */
export const withoutCode = (url: string): string =>
  url.replace(/^(\w+:\/\/[^/?#]*)?(\/(?:reports|s|invites|runs|-\/open)\/)[^?#]+/, '$1$2***');

/** Returns what a line of JSON says. Anything may be in a path. */
function factsOf({ url, client }: HttpRequest, served: Served, hide: (text: string) => string) {
  const { method, status, ms, operation } = served;
  const safe = (text: string) => hide(text).replace(/\bdtp_\w+/g, 'dtp_***');
  const path = safe(served.path);
  const workspace = /^\/v1\/workspace\/([^/]+)/.exec(path)?.[1] ?? targetOf({ url }).searchParams.get('workspace_id');
  const named = workspace === null ? undefined : safe(workspace);
  return { method, path, status, duration_ms: Math.round(ms), operation, workspace: named, client };
}

/** `send`, with a note for each access token, because everyone who knows the id of a workspace can get one. */
const withTokenNotes =
  (send: Send, note: (text: string) => void, idOf: RequestLogOptions['idOf']): Send =>
  async (request, options) => {
    const response = await send(request, options);
    if (response.status === 200 && idOf(request.method, request.url) === 'getAccessToken') {
      const workspace = new URL(request.url).searchParams.get('workspace_id');
      const how = request.headers['x-api-key'] || request.headers.authorization ? 'with' : 'without';
      note(`somebody got an access token for workspace ${workspace} ${how} a credential`);
    }
    return response;
  };

/** Passes the body on unchanged. Calls `done` when reading ends, without a status if the body is incomplete. */
function watched(
  { status, body }: Awaited<ReturnType<Send>>,
  done: (more: Pick<Served, 'status' | 'reason'>) => void,
): AsyncIterable<Uint8Array> {
  const head: Uint8Array[] = [];
  let size = 0;
  return passedOn(body, {
    see: (piece) => {
      if (status >= 400 && size < longest) head.push(piece);
      size += piece.byteLength;
    },
    end: (isWhole) => {
      const reason = status >= 400 ? reasonOf(Buffer.concat(head).toString()) : undefined;
      done(isWhole ? { status, reason } : {});
    },
  });
}

const reasonOf = (text: string): string | undefined => reasonIn(attempt(() => parseJson(text), text));
