/** `dtp serve`: runs the embedded service on a port until it is interrupted. */
import { join, relative } from 'node:path';
import { messageOf } from '../../caught.ts';
import type { Context } from '../../context.ts';
import { DtpError } from '../../errors.ts';
import { wordsOf } from '../../invocation/connect.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import { credentialLimit } from '../../limits.ts';
import type { LocalInput, serveFlags } from '../../local/flags.ts';
import { isOnScreen } from '../../output/choice.ts';
import type { Log } from '../../output/log.ts';
import type { Result } from '../../output/result.ts';
import { visible } from '../../render/sanitize.ts';
import { widthOf } from '../../render/width.ts';
import { checkTrusted } from '../../settings/trust.ts';
import { settingLine, shellLine } from '../../shell.ts';
import { stateFolder } from '../../system/folders.ts';
import { isWithin } from '../../system/paths.ts';
import { version } from '../../version.ts';
import { checksResult, failed, ok, skip } from '../doctor/check.ts';
import { type EndpointFlags, endpointOf } from './endpoint.ts';
import { dropQueued } from './queued.ts';
import { jsonWriter, logInJson } from './request-log.ts';
import { openServer, refuseSelection, type Server } from './server.ts';
import { type DatabaseOptions, databaseOf, tryShared } from './shared.ts';

export async function serve(
  { context, globals, settings, output, log: usual }: Invocation,
  { flags }: LocalInput<typeof serveFlags>,
): Promise<Result> {
  refuseSelection(globals, 'Leave it out.');
  for (const key of ['words.codehost', 'words.docsite'] as const) checkTrusted(settings, key);
  const isWatched = context.stderr.isTTY === true && isOnScreen(output);
  const writeJson = flags.logFormat === 'json' ? jsonWriter(context) : undefined;
  const log = writeJson ? logInJson(usual, writeJson) : usual;
  const ownerKey = await readOwnerKey(context, flags.ownerKeyFile);
  const database = databaseOf(context, flags, { allowHttp: globals.allowHttp, ownerKey, settings });
  if (flags.check) return checksResult(await serverChecks(context, log, flags, database));
  if (flags.open && database)
    throw new DtpError('usage', '--open needs the data in a file: there is no page with --database');
  writeJson?.('start', { version, pid: context.pid });
  const server = await openServer(context, log, flags, {
    ...{ words: [wordsOf(settings)], writeJson, database, ownerKey },
    globals: isWatched || flags.logFormat === 'text' ? globals : undefined,
    note: (text) => log.note(visible(text)),
  });
  writeJson?.('ready', { address: server.url });
  let closed: Promise<boolean> | undefined;
  const drop = () => flags.ephemeral && dropQueued({ context, log }, stateFolder(context), server.url);
  const close = () => (closed ??= server.close().finally(drop));
  const place = flags.ephemeral ? 'in memory' : shortened(server.folder, context.home);
  const text =
    output.asked === 'json'
      ? facts(server, context.pid)
      : isWatched
        ? heading(server, place, context.stdout.columns || 80)
        : welcome(server);
  const after = async () => {
    // Do not wait for the browser, so that Ctrl-C ends the service at once.
    if (flags.open) void openPage(context, log, server);
    await untilAborted(context);
    writeJson?.('drain');
    const isWhole = await close();
    writeJson?.('end', { is_whole: isWhole });
    // If requests had to be aborted, exit with the code of the interrupt.
    if (!isWhole) throw context.signal.reason;
  };
  const calls = { signal: context.signal, explain: (error: unknown) => error, end: async () => void (await close()) };
  return { kind: 'text', text, after, calls };
}

/** Checks what the service needs, without starting it. */
async function serverChecks(context: Context, log: Log, flags: EndpointFlags, options?: DatabaseOptions) {
  const checked = (check: string, work: Promise<string>) =>
    work.then(
      (text) => ok(check, text),
      (error) => failed(check, error, 'Correct this flag or variable, and check again.'),
    );
  const place = endpointOf(context, log, flags).then(({ address, tls }) => {
    const hint = 'Use a certificate that is valid today, or correct the clock of this machine.';
    if (tls?.problem) throw new DtpError('config', tls.problem, { hint });
    return `${address}, with ${tls ? `a certificate until ${tls.certificate.validTo}` : 'HTTP'}`;
  });
  return [
    await checked('endpoint', place),
    options
      ? await checked('database', tryShared(context, log, options))
      : skip('database', 'the data is in a file of this machine'),
  ];
}

async function untilAborted({ signal }: Context): Promise<void> {
  if (!signal.aborted) await new Promise((done) => signal.addEventListener('abort', done, { once: true }));
}

/** Opens the page, or prints its link, for example on a machine without a browser. */
async function openPage(context: Context, log: Log, { link }: Server, url?: string): Promise<void> {
  try {
    await context.openBrowser(link(url));
  } catch (error) {
    log.note(`cannot open a browser: ${messageOf(error)}. Open this link within a minute: ${link(url)}`);
  }
}

/** Opens the page with what a `local:` URL names, and serves it until Ctrl-C. */
export async function showLocally({ context, log }: Pick<Invocation, 'context' | 'log'>, url: string): Promise<void> {
  const server = await openServer(context, log, { port: '0' }, { words: [] });
  try {
    await openPage(context, log, server, url);
    log.note(`the page is at ${server.url} until you press Ctrl-C`);
    await untilAborted(context);
  } finally {
    await server.close();
  }
}

/** One line, for scripts. */
const facts = ({ url, key, workspace }: Server, pid: number) =>
  `${JSON.stringify({ address: url, key, workspace_id: workspace, pid })}\n`;

/** `~/.local/share/dtp` */
const shortened = (folder: string, home: string): string =>
  isWithin(home, folder) ? join('~', relative(home, folder)) : folder;

/** Formats the heading of the list of requests. Each value that people copy is alone on its line. */
function heading(server: Server, place: string, width: number): string {
  const parts = [`dtp serve  ${server.url}`, `data: ${visible(place)}`, 'Ctrl-C to stop'];
  const line = parts.join('  ');
  return [...(widthOf(line) <= width ? [line] : parts), ...settingLines(server), '', ''].join('\n');
}

const welcome = (server: Server) => `\
The embedded service listens on ${server.url}

In another terminal:
${settingLines(server).join('\n')}
  dtp ws current
`;

function settingLines({ url, key, workspace = '' }: Server): readonly string[] {
  const values = { DTP_BASE_URL: url, ...(key !== undefined && { DTP_API_KEY: key }), DTP_WORKSPACE_ID: workspace };
  return Object.entries(values).map(([name, value]) => `  ${settingLine(name, value)}`);
}

/** Returns the content of a file. Throws `config` if it cannot be read, or if other users may read or change it. */
async function readSecretFile(context: Context, flag: string, path: string): Promise<string> {
  const { openNamed, readAllOf } = await import('../../files/open.ts');
  const name = `${flag}: ${path}`;
  try {
    const file = await openNamed(context, path, { name, mayBeOwn: true });
    const content = await readAllOf(file, context.signal, credentialLimit.bytes);
    // Root may own a file that a group needs, as in a container.
    const forbidden = file.stats.uid === 0n ? 0o027n : 0o077n;
    if (context.runtime.platform === 'win32' || (file.stats.mode & forbidden) === 0n)
      return Buffer.from(content ?? [])
        .toString()
        .trim();
  } catch (error) {
    if (error instanceof DtpError) throw new DtpError('config', error.message, error.facts);
    throw new DtpError('config', `${name}: ${messageOf(error)}`);
  }
  throw new DtpError('config', `${name} can be read or changed by other users`, {
    next: [shellLine(['chmod', '600', path.replace(/^-/, './-')])],
  });
}

async function readOwnerKey(context: Context, path: string | undefined): Promise<string | undefined> {
  const key = path && (await readSecretFile(context, '--owner-key-file', path));
  if (key === undefined || /^[\x21-\x7e]{32,1024}$/.test(key)) return key;
  throw new DtpError('config', `--owner-key-file: ${path} must have one key, of 32 to 1024 characters`, {
    hint: 'Create one with: openssl rand -hex 32',
  });
}
