/** Implements `dtp open`, which opens the last report or run, or a URL, in a browser. */

import { pathToFileURL } from 'node:url';
import { messageOf } from '../caught.ts';
import { DtpError } from '../errors.ts';
import type { Invocation } from '../invocation/invocation.ts';
import type { LocalInput, openFlags } from '../local/flags.ts';
import type { Result } from '../output/result.ts';
import { readAll } from '../request/http.ts';
import { redactUrl } from '../request/redact.ts';
import { commandLine } from '../settings/command-line.ts';
import { isOn } from '../settings/switches.ts';
import { stateFolder } from '../system/folders.ts';
import { folderInRepository } from '../system/repository.ts';
import { followRedirects, isSafe, originText } from './operation/download.ts';
import { savedReport } from './operation/last-link.ts';

/**
 * Opens a URL, or that of the last report or run. Returns the URL instead if --print is given, in CI, if stdout is not
 * a terminal, or if no browser can be opened. A browser cannot reach `local:`, so a page that runs until Ctrl-C shows a
 * report or run; without a terminal, it is saved as a file. An invitation is accepted and printed. Throws `not_found`
 * if no URL is stored, and `usage` if the URL must not be opened in a browser.
 */
export async function openLast(
  invocation: Invocation,
  { args: [typed], flags }: LocalInput<typeof openFlags>,
): Promise<Result> {
  const { context, log } = invocation;
  if (typed !== undefined && !URL.canParse(typed)) throw new DtpError('usage', `"${typed}" is not a URL`);
  const asked = typed ?? (await lastUrl(invocation));
  const isPrinted = flags.print || isOn(context.env.CI) || context.agent !== undefined || context.stdout.isTTY !== true;
  const found = asked.startsWith('local:') ? await fetchLocal(invocation, asked, isPrinted) : { url: asked };
  if ('text' in found) return { kind: 'text', text: found.text };
  if ('shown' in found) {
    const { openUrl } = await import('./operation/last-link.ts');
    return { kind: 'done', after: () => openUrl(invocation, found.shown) };
  }
  const url: Result = { kind: 'value', value: found.url };
  if (isPrinted) return url;
  checkLink(found.url, typed === undefined);
  try {
    await context.openBrowser(new URL(found.url).href);
  } catch (error) {
    log.note(`cannot open a browser: ${messageOf(error)}`);
    return url;
  }
  return { kind: 'done' };
}

/** Returns the stored URL, and reports which service it is from. Throws `not_found` if no URL is stored. */
async function lastUrl({ context, log }: Invocation): Promise<string> {
  const { recallLink } = await import('../store/last-link.ts');
  // In a repository, somebody may have committed the link.
  const isPrivate = !folderInRepository(context, 'state');
  const link = isPrivate ? recallLink(stateFolder(context), context.uid) : undefined;
  if (!link)
    throw new DtpError('not_found', 'no report or run to open', {
      hint: 'On a terminal, these commands remember their report or run:',
      next: starts,
    });
  log.note(`the last ${link.kind} is from ${redactUrl(link.base_url)} (profile ${link.profile})`);
  return link.url;
}

/** An invitation shows a key, which must not be written to a file. */
const INVITES = 'local:/invites/';
/** A short URL may lead to another host. */
const SHORT = 'local:/s/';

/** Requests a URL of the embedded service. Returns what an invitation says, or the URL of a file or of the page. */
async function fetchLocal(
  { context, log }: Invocation,
  url: string,
  isFile: boolean,
): Promise<{ readonly url: string } | { readonly text: string } | { readonly shown: string }> {
  const [{ openEmbeddedService: openEmbedded }, { writeFileWhole }] = await Promise.all([
    import('../invocation/embedded.ts'),
    import('../store/files.ts'),
  ]);
  const { send, close } = await openEmbedded(context, log);
  try {
    const { signal } = context;
    const isShort = url.startsWith(SHORT);
    const target = isShort ? await send({ method: 'GET', url, headers: {} }, { signal }) : undefined;
    const { location = url } = target?.headers ?? {};
    if (!location.startsWith('local:')) return { url: location };
    const { body } = await followRedirects({ send, url: location, inProcess: true, signal });
    if (url.startsWith(INVITES)) return { text: Buffer.from((await readAll(body, 65_536)) ?? []).toString() };
    if (!isFile) {
      for await (const _ of body) break;
      return { shown: location };
    }
    const file = await savedReport(context, (path) => writeFileWhole(path, body, { replace: true }));
    return { url: pathToFileURL(file).href };
  } finally {
    await close();
  }
}

const starts = [
  commandLine(['reports', 'upload', '--type', 'linting', '--file', 'FILE']),
  commandLine(['codehost', 'actions', 'get', '-R', 'OWNER/NAME']),
];

/** Throws `usage` if others on the network could read or change what the link leads to. */
function checkLink(url: string, isStored: boolean): void {
  if (isSafe(url)) return;
  throw new DtpError('usage', `the URL points to ${originText(url)}, which is neither https nor loopback`, {
    ...(isStored && { hint: 'See it with:', next: [commandLine(['open', '--print'])] }),
  });
}
