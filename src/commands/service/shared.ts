/** Opens the embedded service on a libSQL server, for `dtp serve --database`. */
import { attempt, messageOf, orAborted, systemCode } from '../../caught.ts';
import type { Context } from '../../context.ts';
import { DtpError } from '../../errors.ts';
import { certificates } from '../../invocation/ca-cert.ts';
import type { Embedded } from '../../invocation/embedded.ts';
import type { LocalInput, serveFlags } from '../../local/flags.ts';
import { faultReport, type Log } from '../../output/log.ts';
import { visible } from '../../render/sanitize.ts';
import { headerValue } from '../../request/http.ts';
import { isLoopback } from '../../request/url.ts';
import type { Settings } from '../../settings/resolve.ts';
import { opensslReason } from '../../transport/failures.ts';
import { trustOptions } from '../../transport/roots.ts';

/** A service whose data other services may use at the same time. */
export interface Shared extends Pick<Embedded, 'send' | 'close'> {
  readonly store?: undefined;
  /** Waits for the database. Returns the owner's key if this process created it. Throws if refused or interrupted. */
  readonly open: (address: string) => Promise<Pick<Embedded, 'known'> & { readonly key: string | undefined }>;
  /** Throws if the database cannot be used. */
  readonly check: () => Promise<unknown>;
}

export interface DatabaseOptions {
  readonly url: string;
  /** Whether `http:` is allowed beyond loopback. */
  readonly allowHttp: boolean | undefined;
  /** The first token of a new database. */
  readonly ownerKey: string | undefined;
  /** The settings, one of which names certificates to trust. */
  readonly settings: Settings;
}

/** Returns the database of the flag or the variable. Throws `usage` if flags name two places for the data. */
export function databaseOf(
  { env }: Context,
  { database, data, ephemeral }: Pick<LocalInput<typeof serveFlags>['flags'], 'database' | 'data' | 'ephemeral'>,
  options: Omit<DatabaseOptions, 'url'>,
): DatabaseOptions | undefined {
  const isFile = data !== undefined || ephemeral;
  if (database !== undefined && isFile)
    throw new DtpError('usage', `--database and ${ephemeral ? '--ephemeral' : '--data'} cannot be combined`);
  const url = database ?? (isFile ? undefined : env.DTP_DATABASE_URL || undefined);
  return url === undefined ? undefined : { ...options, url };
}

type Upstream = Parameters<typeof import('../../service/database/database.ts').openDatabaseService>[0];

/** The time without a database after which a service reports its URL, in milliseconds. */
const NOTE_MS = 1000;

/** Prepares the service. Throws `usage` for an invalid URL. `open` throws `auth`, `config` or `network`. */
export const openShared = (context: Context, log: Log, options: DatabaseOptions): Promise<Shared> =>
  withDatabase(context, log, options, async (upstream) => {
    const { openDatabaseService } = await import('../../service/database/database.ts');
    const { ownerKey } = options;
    const data = { start: context.date().getTime(), ownerKey };
    const service = await openDatabaseService(upstream, data, faultReport(log));
    const open = async (address: string) => {
      const until = `answers with 503 until it can use the database at ${upstream.url.host}`;
      const late = setTimeout(() => log.note(`the service listens on ${address}, and ${until}`), NOTE_MS);
      const opened = explained(upstream.url, service.open());
      const first = await orAborted(opened, context.signal).finally(() => clearTimeout(late));
      const { key, isNew, workspaceId, workspaceSlug, organizationSlug } = first;
      const known = { workspace: workspaceId, workspace_slug: workspaceSlug, organization_slug: organizationSlug };
      return { known, key: isNew && ownerKey === undefined ? key : undefined };
    };
    return { ...service, open };
  });

/** Opens the database only to export or import its data. Throws like `open`. */
export const openSharedData = (context: Context, log: Log, options: DatabaseOptions) =>
  withDatabase(context, log, options, async (upstream) => {
    const { openDatabaseTransfer } = await import('../../service/database/database.ts');
    return openDatabaseTransfer(upstream);
  });

/** Tries the database, changes nothing, and returns what was found. Throws like `open`. */
export const tryShared = (context: Context, log: Log, options: DatabaseOptions): Promise<string> =>
  withDatabase(context, log, options, async (upstream) => {
    const { tryDatabase } = await import('../../service/database/database.ts');
    const needs = await tryDatabase(upstream);
    const plan = needs === 'nothing' ? 'has its tables' : `needs ${needs}, which dtp serve creates`;
    return `${upstream.url.host} answers, can be written to and ${plan}`;
  });

async function withDatabase<T>(
  context: Context,
  log: Log,
  { url: text, allowHttp, settings }: DatabaseOptions,
  use: (upstream: Upstream) => Promise<T>,
): Promise<T> {
  const url = databaseUrl(text, allowHttp);
  let known: string | undefined;
  const onChange = (message?: string) => {
    const problem = message && visible(opensslReason(message));
    if (problem === known) return;
    known = problem;
    if (problem === undefined) log.note('the database can be reached again');
    else log.warn(`the database cannot be reached: ${problem}`);
  };
  const { ca } = trustOptions(await certificates(context, settings));
  return explained(url, use({ url, token: tokenOf(context, log), ca, onChange }));
}

/** Awaits work with a database, and throws its failure as a DtpError. */
const explained = <T>(url: URL, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    if (error instanceof DtpError) throw error;
    const { status = 0, fix } = Object(error) as { readonly status?: number; readonly fix?: string };
    const code = [401, 403].includes(status) ? 'auth' : systemCode(error) === 'STORE_REFUSED' ? 'config' : 'network';
    throw new DtpError(code, `cannot use the database at ${url.host}: ${opensslReason(messageOf(error))}`, {
      hint: `${fix ?? 'Check its URL, and the token in DTP_DATABASE_TOKEN'}.`,
      cause: error,
    });
  });

/** Returns the token of the variable, or of the command, which runs again if the database refuses its token. */
function tokenOf({ env, exec }: Context, log: Log): Upstream['token'] {
  const token = env.DTP_DATABASE_TOKEN?.trim() ?? '';
  const command = env.DTP_DATABASE_TOKEN_COMMAND ?? '';
  const hidden = (name: string, secret: string) => {
    log.hide(secret);
    return headerValue(name, secret);
  };
  const fixed = token === '' ? undefined : hidden('DTP_DATABASE_TOKEN', token);
  if (fixed !== undefined || command === '') return async () => fixed;
  let [known, printed]: [string?, Promise<string>?] = [];
  return (refused) => {
    // Many statements may be refused at once, but the command runs only once for a token.
    if (refused !== undefined && refused === known) known = printed = undefined;
    printed ??= exec(command)
      .then((text) => (known = hidden('the output of DTP_DATABASE_TOKEN_COMMAND', text.trim())))
      .catch((error) => {
        printed = undefined;
        throw error;
      });
    return printed;
  };
}

/** Returns the URL of a libSQL server, as `http:` or `https:`. Throws `usage` for another URL. */
function databaseUrl(text: string, allowHttp = false): URL {
  const url = attempt(() => new URL(text.trim().replace(/^libsql:/i, 'https:')), undefined);
  const isAllowed =
    url && (url.protocol === 'https:' || (url.protocol === 'http:' && (allowHttp || isLoopback(url.hostname))));
  if (isAllowed && url.username + url.password + url.search + url.hash === '') return url;
  throw new DtpError('usage', '--database must be a libsql: or https: URL without a password or a query', {
    hint: 'http: is possible on loopback and, with --allow-http, in a network that you trust.',
  });
}
