/** Opens the embedded service on a libSQL server, for `dtp serve --database`. */
import { messageOf } from '../../caught.ts';
import type { Context } from '../../context.ts';
import { DtpError } from '../../errors.ts';
import type { Embedded } from '../../invocation/embedded.ts';

/** A service whose data other services may use at the same time. */
export type Shared = Omit<Embedded, 'store'> & { readonly store?: undefined };

/** Opens the service. Throws `usage` for an invalid URL, and `network` if the database cannot be used. */
export async function openShared(context: Context, text: string): Promise<Shared> {
  const opened = await openDatabase(context, text, context.date().getTime());
  const { key, workspaceId, workspaceSlug, organizationSlug } = opened.first;
  const known = { workspace: workspaceId, workspace_slug: workspaceSlug, organization_slug: organizationSlug };
  return { send: opened.send, key, known, close: opened.close };
}

/** Opens the database only to export or import its data. Throws like `openShared`. */
export const openSharedData = (context: Context, text: string) => openDatabase(context, text);

async function openDatabase(context: Context, text: string, now?: number) {
  const url = databaseUrl(text);
  const { openDatabaseService } = await import('../../service/database/database.ts');
  const token = async () => context.env.DTP_DATABASE_TOKEN;
  return openDatabaseService({ url, token }, now).catch((error: unknown) => {
    throw new DtpError('network', `cannot use the database at ${url.host}: ${messageOf(error)}`, {
      hint: 'Check --database, and the token in DTP_DATABASE_TOKEN.',
      cause: error,
    });
  });
}

/** Returns the URL of a libSQL server, as `http:` or `https:`. Throws `usage` for another URL. */
function databaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text.replace(/^libsql:/, 'https:')) : undefined;
  if (url && !url.username && !url.password && (url.protocol === 'https:' || isLoopbackHttp(url))) return url;
  throw new DtpError('usage', '--database must be a libsql: or https: URL without a password, or http: on loopback');
}

const isLoopbackHttp = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && /^(localhost|\[::1\]|127(\.\d{1,3}){3})$/.test(hostname);
