/** The signed address of a report: shortened, fetched into a file, or opened in a browser. */
import { resolve } from 'node:path';
import { messageOf } from '../../caught.ts';
import type { Context } from '../../context.ts';
import { DtpError } from '../../errors.ts';
import { call } from '../../invocation/call.ts';
import { operations } from '../../operations/index.ts';
import type { Output } from '../../output/choice.ts';
import type { Result } from '../../output/result.ts';
import { checkOutput } from '../../output/write-result.ts';
import type { Digest } from '../../request/digest.ts';
import { fieldsIn, type Value } from '../../request/read.ts';
import { isSecretName } from '../../request/redact.ts';
import type { FlowValues } from '../../tree/flow-flags.ts';
import { download, isSafe, placeOf } from './download.ts';
import { answer, type Sending } from './work.ts';

/** Throws `usage` for what could not be done with the address, before anything is asked. `base` is the service's address. */
export async function checkLink(
  context: Context,
  flow: FlowValues,
  base: string,
  output: Output,
): Promise<void> {
  if (flow.open && context.stdout.isTTY !== true)
    throw new DtpError('usage', '--open needs a terminal: there is nobody here to look at a browser');
  if (flow.open && base === 'local:')
    throw new DtpError('usage', '--open: a browser cannot reach the embedded service in process', {
      hint: 'Run it on loopback with dtp serve, or use --download FILE.',
    });
  if (flow.download === undefined) return;
  if (flow.download === '-')
    throw new DtpError('usage', '--download must name a file: standard output has the result');
  const file = resolve(context.cwd, flow.download);
  if (file === output.file) throw new DtpError('usage', '--download and -O name the same file');
  await checkOutput({ ...output, file });
}

/** The result with what was made of its address. */
export async function withLink(sending: Sending, value: Value): Promise<Result> {
  const { invocation, operation, given } = sending;
  const { context, log } = invocation;
  const { shorten, open, download: file } = given.flow;
  if (!shorten && !open && file === undefined) return answer(operation, value);
  const record = fieldsIn(value);
  const address = record.url;
  if (typeof address !== 'string') throw new DtpError('bad_response', 'the answer has no url');
  if (open && !isSafe(address))
    throw new DtpError(
      'usage',
      `--open: the address leads to ${placeOf(address)}, which is neither https nor loopback`,
      { hint: 'Run the command again without --open to see the address.' },
    );
  const more = {
    ...(shorten ? { short_url: await shortened(sending, address) } : {}),
    ...(file === undefined ? {} : await fetched(sending, address, file)),
  };
  const result: Result = { kind: 'value', value: { ...record, ...more }, shape: operation };
  if (!open) return result;
  const after = () =>
    context.openBrowser(new URL(address).href).catch((error: unknown) => {
      log.note(`no browser could be opened: ${messageOf(error)}`);
    });
  return { ...result, after };
}

async function shortened({ invocation, calls, deadline }: Sending, url: string): Promise<string> {
  try {
    const value = await call(calls.connection, operations.create, { url }, deadline.signal);
    const short = fieldsIn(value).short_url;
    if (typeof short === 'string') return short;
    throw new DtpError('bad_response', 'the answer has no short_url');
  } catch (error) {
    invocation.log.note('the report is uploaded; its address is not shortened');
    throw error;
  }
}

async function fetched(
  { invocation, operation, input, calls, deadline }: Sending,
  address: string,
  file: string,
): Promise<object> {
  const { connection } = calls;
  for (const secret of secretsIn(address)) connection.hide(secret);
  const bytes = await download({
    context: invocation.context,
    // As one that needs no credential, so that none is there to be sent; its bytes are not held.
    send: deadline.moving(await connection.sendFor({ ...operation, auth: 'none', result: 'bytes' })),
    address,
    inProcess: connection.target.base === 'local:',
    digests: checksumIn(String(input.documentChecksum)),
    file: resolve(invocation.context.cwd, file),
    replace: invocation.output.replace,
    signal: deadline.signal,
  });
  return { file, bytes };
}

/** What signs an address: a store of files may repeat it. */
const secretsIn = (address: string): readonly string[] =>
  URL.canParse(address)
    ? [...new URL(address).searchParams].flatMap(([name, value]) => (isSecretName(name) ? [value] : []))
    : [];

/** The MD5 of the report, if the text is one. */
const checksumIn = (text: string): readonly Digest[] =>
  /^[\da-f]{32}$/i.test(text) ? [{ algorithm: 'md5', hex: text.toLowerCase() }] : [];
