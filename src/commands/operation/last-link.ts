/** Remembers the URL of a report or a run for `dtp open`, opens it, and saves reports of the embedded service. */

import { lstat, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../caught.ts';
import type { Context } from '../../context.ts';
import { DtpError } from '../../errors.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import type { Result } from '../../output/result.ts';
import { isOn } from '../../settings/switches.ts';
import type { LastLink } from '../../store/last-link.ts';
import { stateFolder } from '../../system/folders.ts';
import { checkRootOwns } from '../../system/owner.ts';
import { isSafe, originText } from './download.ts';

/** Remembers a URL if somebody is at the terminal. If it cannot be stored, the command does not fail. */
export async function rememberUrl({ context, settings }: Invocation, kind: LastLink['kind'], url: unknown) {
  const hasPerson = context.stderr.isTTY === true || context.stdout.isTTY === true;
  if (typeof url !== 'string' || !hasPerson || isOn(context.env.CI)) return;
  const { rememberLink } = await import('../../store/last-link.ts');
  const base_url = settings.values.base_url?.value ?? '';
  const link = { kind, url, base_url, profile: settings.profile.value };
  await rememberLink(stateFolder(context), link).catch(() => undefined);
}

/** How long a saved report is kept, in milliseconds. By then, the browser has read it. */
const lifetime = 24 * 60 * 60 * 1000;

/** Saves a report where a browser can read it, as HTML, JSON or text. Deletes reports that are older than a day. */
export async function savedReport(context: Context, save: (file: string) => Promise<unknown>): Promise<string> {
  const [{ makeFolders }, { rename }] = await Promise.all([
    import('../../store/files.ts'),
    import('../../store/rename.ts'),
  ]);
  const folder = checkRootOwns(join(stateFolder(context), 'reports'), stateFolder(context));
  await makeFolders(folder, 0o700);
  await deleteOld(folder, context.date().getTime());
  const name = join(folder, `report-${context.uuid()}`);
  await rm(name, { force: true });
  await save(name);
  const file = `${name}.${await extensionOf(name)}`;
  await rename(name, file);
  return file;
}

async function deleteOld(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/^report-[\w.-]+$/.test(name)) continue;
    const found = await lstat(join(folder, name)).catch(() => undefined);
    if (found && now - found.mtimeMs > lifetime) await rm(join(folder, name), { force: true });
  }
}

/** Never an extension of a program, whatever the content is. */
async function extensionOf(file: string): Promise<'html' | 'json' | 'txt'> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(256), 0, 256, 0);
    const start = buffer
      .toString('utf8', 0, bytesRead)
      .replace(/^\ufeff/, '')
      .trimStart();
    if (start.startsWith('<')) return 'html';
    return /^[{[]/.test(start) ? 'json' : 'txt';
  } finally {
    await handle.close();
  }
}

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
