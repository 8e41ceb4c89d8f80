/** Starts the embedded service on a port, for `serve` and `dev`. */
import { dirname } from 'node:path';
import { messageOf, orThrow, systemCode } from '../../caught.ts';
import type { Context } from '../../context.ts';
import { durationOf } from '../../declarations/duration.ts';
import { DtpError, isCtrlC } from '../../errors.ts';
import type { Embedded } from '../../invocation/embedded.ts';
import type { LocalInput, serverFlags } from '../../local/flags.ts';
import { allOperations } from '../../operations/index.ts';
import type { Words } from '../../operations/words.ts';
import { faultReport, type Log } from '../../output/log.ts';
import { maskForRunner } from '../../output/write-text.ts';
import { nearest } from '../../render/nearest.ts';
import type { Send } from '../../request/http.ts';
import type { Globals } from '../../settings/global-flags.ts';
import { openFilesLimit } from '../../system/platform.ts';
import { unshortened } from '../../tree/nouns.ts';
import { type EndpointFlags, endpointOf } from './endpoint.ts';
import type { RequestLogOptions } from './request-log.ts';
import { type DatabaseOptions, openShared, type Shared } from './shared.ts';

export type ServerFlags = LocalInput<typeof serverFlags>['flags'] & EndpointFlags;

export type Server = Awaited<ReturnType<typeof openServer>>;

/** Throws `usage` if a flag selects another service or workspace, because the embedded service has its own. */
export function refuseSelection({ baseUrl, workspace, organizationSlug, workspaceSlug }: Globals, hint: string): void {
  const given = Object.entries({
    '--base-url': baseUrl === 'local:' ? undefined : baseUrl,
    '-w': workspace,
    '--organization-slug': organizationSlug,
    '--workspace-slug': workspaceSlug,
  }).find(([, value]) => value !== undefined);
  if (!given) return;
  const own = given[0] === '--base-url' ? 'URL' : 'workspace';
  throw new DtpError('usage', `${given[0]} has no effect here, because the embedded service has its own ${own}`, {
    hint,
  });
}

interface ServerOptions extends Partial<Pick<RequestLogOptions, 'globals' | 'writeJson' | 'note'>> {
  /** The path words that clients may use. */
  readonly words: readonly Words[];
  readonly database?: DatabaseOptions | undefined;
  readonly ownerKey?: string | undefined;
}

/** How long requests may take to end after a signal to a server of a team, except Ctrl-C, in milliseconds. */
const DRAIN_MS = 9000;

/**
 * Returns the URL, and a key of the first user; on a database or beyond loopback, only if this process has created it.
 * `link` returns a URL that opens the page in a browser, once and within a minute, at what `url` names. `close` returns
 * false if requests were aborted. Throws `usage` for an invalid flag, `error` if the port is not available, and `config`
 * if the store cannot be opened.
 */
export async function openServer(
  context: Context,
  log: Log,
  flags: ServerFlags,
  { words, globals, writeJson, note, database, ownerKey }: ServerOptions,
) {
  const { port, endpoint, isForKeys, around } = await readFlags(context, log, flags);
  const { openEmbeddedService, storeFile } = await import('../../invocation/embedded.ts');
  const { operationIdOf } = await import('../../service/http/faults.ts');
  const { listen, PATIENCE_MS } = await import('../../service/http/listen.ts');
  const { withHealth } = await import('../../service/http/health.ts');
  const { withWords } = await import('../../service/words.ts');
  const file = flags.ephemeral ? ':memory:' : storeFile(context, flags.data);
  const embedded = database
    ? await openShared(context, log, database)
    : await openEmbeddedService(context, log, { file, ownerKey });
  const { store } = embedded;
  let key = store ? embedded.key : (ownerKey ?? '');
  let close = (): Promise<boolean> => embedded.close().then(() => true);
  try {
    const { withLogs } = await import('./request-log.ts');
    const noteToken = isForKeys ? undefined : note;
    const logs = { context, globals, writeJson, note: noteToken, key: () => key, idOf: operationIdOf };
    const logged = (send: Send) => withLogs(send, logs);
    const shown = logged(around(embedded.send));
    const { page, isOfPage } = await pageOf(context, log, embedded);
    const handle = withWords(shown, words);
    const check = store ? async () => store.get('SELECT 1 FROM meta') : embedded.check;
    const drain = new AbortController();
    const whole = withHealth(page?.over(handle, isForKeys) ?? handle, check, drain.signal);
    const own = { port, logged, isForPages: isOfPage, endpoint, descriptors: openFilesLimit() };
    const { address, close: stop } = await listen(whole, { ...own, now: () => context.date().getTime() });
    close = async () => {
      const patienceMs = (database || endpoint.isPublic) && !isCtrlC(context.signal) ? DRAIN_MS : PATIENCE_MS;
      // Besides the wait for requests, closing the store takes time.
      context.setGrace(patienceMs + 500);
      drain.abort();
      page?.close();
      const isWhole = await stop(patienceMs);
      await embedded.close();
      return isWhole;
    };
    const first = store ? embedded : await embedded.open(address);
    key = first.key ?? key;
    maskForRunner(context, () => (key === '' ? [] : [key]));
    return {
      url: address,
      key: store && endpoint.isPublic && (!embedded.isNew || ownerKey) ? undefined : first.key,
      workspace: first.known.workspace,
      workspaceSlug: first.known.workspace_slug,
      organizationSlug: first.known.organization_slug,
      folder: database?.url ?? dirname(file),
      link: (url?: string) => page?.link(key, address, url) ?? address,
      close,
    };
  } catch (error) {
    await close();
    throw portError(error, port, endpoint.address);
  }
}

/** Returns where the server listens, and `around`, which adds faults to a `send`. Throws `usage` for invalid flags. */
async function readFlags(
  context: Context,
  log: Log,
  { port: given = '', data, ephemeral, fail = [], drop = [], latency, ...place }: ServerFlags,
) {
  const port = Number(given);
  if (!/^\d+$/.test(given) || port > 65535)
    throw new DtpError('usage', `--port must be a number from 0 to 65535, not "${given}"`);
  if (ephemeral && data !== undefined) throw new DtpError('usage', '--data and --ephemeral cannot be combined');
  const { withFaults } = await import('../../service/http/faults.ts');
  const { withKeysOnly } = await import('../../service/http/keys-only.ts');
  const faults = await faultsIn(fail, drop);
  const latencyMs = latency === undefined ? 0 : durationOf(latency, '--latency');
  const endpoint = await endpointOf(context, log, place);
  if (endpoint.tls?.problem) log.warn(endpoint.tls.problem);
  const isForKeys = endpoint.isPublic && !place.openAccessTokens;
  const { random, clock } = context;
  const around = (send: Send): Send =>
    withFaults(isForKeys ? withKeysOnly(send) : send, { faults, latencyMs, sleep: clock.sleep, random });
  return { port, endpoint, isForKeys, around };
}

/** Parses --fail and --drop. Throws `usage` if one is invalid. */
async function faultsIn(fail: readonly string[], drop: readonly string[]) {
  const { parseFault } = await import('../../service/http/faults.ts');
  const read = (flag: 'fail' | 'drop', text: string) => {
    const named = withOperationId(flag, text);
    const wrong = (error: unknown) => new DtpError('usage', `--${flag}: ${messageOf(error)}`);
    return orThrow(() => parseFault(named, flag), wrong);
  };
  return [...fail.map((text) => read('fail', text)), ...drop.map((text) => read('drop', text))];
}

/** The page of a service, and the test for the paths that belong to it. */
async function pageOf(context: Context, log: Log, embedded: Shared | Embedded) {
  if (!embedded.store) return { page: undefined, isOfPage: () => false };
  const { store, send, key } = embedded;
  const [{ createPage, isOfPage }, { showingOf }] = await Promise.all([
    import('../../service/page/page.ts'),
    import('./page-showing.ts'),
  ]);
  const options = { store, send, showing: showingOf(key), now: () => context.date(), report: faultReport(log) };
  return { page: createPage(options), isOfPage };
}

function portError(error: unknown, port: number, address: string): unknown {
  const code = systemCode(error);
  if (code === 'EADDRNOTAVAIL') return new DtpError('error', `${address} is not an IP address of this machine`);
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return error;
  const why = code === 'EACCES' ? 'needs privileges that you do not have' : 'is in use';
  return new DtpError('error', `port ${port} ${why}`, {
    hint: 'Pass another --port, or leave it out to use any free port.',
  });
}

/** Replaces the words of a command: `events post=503` is `postWorkspaceEvents=503`. Throws `usage` for unknown ones. */
export function withOperationId(flag: string, text: string): string {
  const [, name = '', rest = ''] = /^([^=]+)(=.*)$/s.exec(text) ?? [];
  if (name === '' || name === '*') return text;
  const words = unshortened(name.trim().replace(/^dtp /, '').split(/\s+/)).join(' ');
  const found = allOperations.find(({ id, command }) => id === name || command.join(' ') === words);
  if (found) return found.id + rest;
  const names = allOperations.flatMap(({ id, command }) => [command.join(' '), id]);
  const similar = nearest(words, names);
  const message = `--${flag}: unknown operation "${name}"${similar === undefined ? '' : ` (did you mean "${similar}"?)`}`;
  throw new DtpError('usage', message, {
    hint: 'Use the words of a command, such as "events post", or the id of an operation, or * for all. List them with:',
    next: ["dtp schema --query 'commands[?operation].[command, operation]'"],
  });
}
