/** The signed address of a report: shortened, fetched into a file, or opened in a browser. */
import { resolve } from 'node:path';
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import { operations } from '../operations/index.ts';
import type { Input, Operation } from '../operations/operation.ts';
import type { Digest } from '../request/digest.ts';
import type { Send } from '../request/http.ts';
import type { Value } from '../request/read.ts';
import { isSecretName } from '../request/redact.ts';
import { call } from './call.ts';
import type { Connection } from './connection.ts';
import { download, isSafe, placeOf } from './download.ts';
import { checkOutput, emitResult, emitValue } from './emit.ts';
import type { Log } from './log.ts';
import type { Output } from './output.ts';

type Flow = Readonly<Record<string, unknown>>;

/** Throws `usage` for what could not be done with the address, before anything is asked. `base` is the service's address. */
export async function checkLink(context: Context, flow: Flow, base: string, output: Output): Promise<void> {
  if (flow.open && context.stdout.isTTY !== true)
    throw new DtpError('usage', '--open needs a terminal: there is nobody here to look at a browser');
  if (flow.open && base === 'local:')
    throw new DtpError('usage', '--open: a browser cannot reach the embedded service in process', {
      hint: 'Run it on loopback with dtp serve, or use --download FILE.',
    });
  if (flow.download === undefined) return;
  if (flow.download === '-')
    throw new DtpError('usage', '--download must name a file: standard output has the result');
  const file = resolve(context.cwd, String(flow.download));
  if (file === output.file) throw new DtpError('usage', '--download and -O name the same file');
  await checkOutput({ ...output, file });
}

export interface Link {
  readonly context: Context;
  readonly operation: Operation;
  readonly input: Input;
  readonly flow: Flow;
  readonly connection: Connection;
  readonly value: Value;
  readonly output: Output;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** A Send whose bytes are time gained. */
  readonly moving: (send: Send) => Send;
}

/** Writes the result with what was made of its address. */
export async function emitLink(link: Link): Promise<void> {
  const { context, operation, flow, value, output, log } = link;
  if (!flow.shorten && !flow.open && flow.download === undefined)
    return emitValue(context, operation, value, output, log);
  const record = (value.kind === 'json' ? value.value : undefined) as { readonly url?: unknown } | null;
  const address = record?.url;
  if (typeof address !== 'string') throw new DtpError('bad_response', 'the answer has no url');
  if (flow.open && !isSafe(address))
    throw new DtpError(
      'usage',
      `--open: the address leads to ${placeOf(address)}, which is neither https nor loopback`,
      { hint: 'Run the command again without --open to see the address.' },
    );
  const more = {
    ...(flow.shorten ? { short_url: await shortened(link, address) } : {}),
    ...(flow.download === undefined ? {} : await fetched(link, address)),
  };
  await emitResult(context, { ...record, ...more }, output, operation, log);
  if (flow.open)
    await context.openBrowser(new URL(address).href).catch((error: unknown) => {
      log.note(`no browser could be opened: ${(error as Error).message}`);
    });
}

async function shortened({ connection, signal, log }: Link, url: string): Promise<string> {
  try {
    const value = await call(connection, operations.create, { url }, signal);
    const short = (value.kind === 'json' ? value.value : undefined) as {
      readonly short_url?: unknown;
    } | null;
    if (typeof short?.short_url === 'string') return short.short_url;
    throw new DtpError('bad_response', 'the answer has no short_url');
  } catch (error) {
    log.note('the report is uploaded; its address is not shortened');
    throw error;
  }
}

async function fetched(link: Link, address: string): Promise<object> {
  const { context, operation, input, flow, connection, output, signal, moving } = link;
  for (const secret of secretsIn(address)) connection.hide(secret);
  const file = String(flow.download);
  const bytes = await download({
    context,
    // As one that needs no credential, so that none is there to be sent; its bytes are not held.
    send: moving(await connection.sendFor({ ...operation, auth: 'none', result: 'bytes' })),
    address,
    inProcess: connection.target.base === 'local:',
    digests: checksumIn(String(input.documentChecksum)),
    file: resolve(context.cwd, file),
    replace: output.replace,
    signal,
  });
  return { file, bytes };
}

/** What signs an address: a store of files may repeat it. */
const secretsIn = (address: string): readonly string[] =>
  URL.canParse(address)
    ? [...new URL(address).searchParams].flatMap(([name, value]) => (isSecretName(name) ? [value] : []))
    : [];

/** The MD5 of the report, where what was asked for is one. */
const checksumIn = (text: string): readonly Digest[] =>
  /^[\da-f]{32}$/i.test(text) ? [{ algorithm: 'md5', hex: text.toLowerCase() }] : [];
