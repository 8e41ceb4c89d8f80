/** Implements `dtp open`, which opens the last report or run in a browser. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../caught.ts';
import { DtpError } from '../errors.ts';
import type { Invocation } from '../invocation/invocation.ts';
import type { LocalGiven } from '../local/command.ts';
import type { openFlags } from '../local/flags.ts';
import type { Result } from '../output/result.ts';
import { redactUrl } from '../request/redact.ts';
import { commandLine } from '../settings/command-line.ts';
import type { LastLink } from '../store/last-link.ts';
import { stateFolder } from '../system/folders.ts';
import { isSafe, originText } from './operation/download.ts';
import { reportFolder } from './operation/last-link.ts';

/**
 * Opens the URL of the last report or run. Returns the URL instead if --print is given, in CI, if stdout is not a
 * terminal, or if no browser can be opened. Throws `not_found` if no URL is stored or its file was deleted, and `usage`
 * if the URL must not be opened in a browser.
 */
export async function openLast(
  { context, log }: Invocation,
  { flags }: LocalGiven<typeof openFlags>,
): Promise<Result> {
  const { recallLink } = await import('../store/last-link.ts');
  const link = recallLink(stateFolder(context), context.uid);
  if (!link)
    throw new DtpError('not_found', 'no report or run to open', {
      hint: 'On a terminal, these commands remember their report or run:',
      next: starts,
    });
  const url: Result = { kind: 'value', value: link.url };
  log.note(`the last ${link.kind} is from ${redactUrl(link.base_url)} (profile ${link.profile})`);
  if (flags.print || context.env.CI || context.stdout.isTTY !== true) return url;
  checkLink(link, reportFolder(context));
  try {
    await context.openBrowser(new URL(link.url).href);
  } catch (error) {
    log.note(`cannot open a browser: ${messageOf(error)}`);
    return url;
  }
  return { kind: 'done' };
}

const starts = [
  commandLine(['reports', 'upload', '--type', 'linting', '--file', 'FILE']),
  commandLine(['codehost', 'actions', 'get', '--org', 'ORG', '--repo', 'REPO']),
];

/**
 * Throws if a browser must not open the link, or if its file was deleted. The only files that may be opened are the
 * reports of the embedded service in `folder`, because a browser might run other files.
 */
function checkLink({ kind, url }: LastLink, folder: string): void {
  if (isSafe(url)) return;
  if (url.startsWith('local:'))
    throw new DtpError('usage', `a browser cannot reach the last ${kind}: it is in the embedded service`, {
      ...(kind === 'report' && { hint: 'Add --open to the command that uploads it or gets its URL.' }),
    });
  const file = URL.canParse(url) && url.startsWith('file:///') ? fileURLToPath(url) : undefined;
  if (file === undefined || dirname(file) !== folder)
    throw new DtpError('usage', `the URL points to ${originText(url)}, which is neither https nor loopback`, {
      hint: 'See it with:',
      next: [commandLine(['open', '--print'])],
    });
  if (!existsSync(file))
    throw new DtpError('not_found', 'the file of the last report has been deleted', {
      hint: 'Add --open to the command that uploads it or gets its URL.',
    });
}
