/** Opens the URL of a report or a run in a browser. For the embedded service, serves the page until Ctrl-C. */
import { messageOf } from '../../caught.ts';
import { DtpError } from '../../errors.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import type { Result } from '../../output/result.ts';
import { isSafe, originText } from './download.ts';

/** Whether only the page can show a URL, because it belongs to the embedded service in this process. */
const needsPage = (url: string): boolean => /^local:\/(runs|reports)\//.test(url);

/** Throws `usage` if a browser must not open the URL that a service has returned. */
export function checkOpens(url: string): void {
  if (needsPage(url) || isSafe(url)) return;
  throw new DtpError('usage', `--open: the URL points to ${originText(url)}, which is neither https nor loopback`, {
    hint: 'Run the command again without --open to see the URL.',
  });
}

/** Opens a URL in a browser. If that fails, prints the reason and the URL as a note. */
export async function openUrl(invocation: Invocation, url: string): Promise<void> {
  if (needsPage(url)) return (await import('../service/serve.ts')).showLocally(invocation, url);
  const { context, log } = invocation;
  await context.openBrowser(new URL(url).href).catch((error: unknown) => {
    log.note(`cannot open a browser: ${messageOf(error)}. Open this URL: ${url}`);
  });
}

/** The result, and then the browser. Without a URL, only a note. */
export function withOpening(invocation: Invocation, result: Result, url: unknown): Result {
  if (typeof url !== 'string' || url === '') {
    invocation.log.note('there is nothing to open, because the response has no URL');
    return result;
  }
  checkOpens(url);
  return { ...result, after: () => openUrl(invocation, url) };
}
