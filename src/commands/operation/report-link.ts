/** Shortens, downloads or opens the signed URL of a report. */
import { resolve } from 'node:path';
import type { Context } from '../../context.ts';
import { DtpError } from '../../errors.ts';
import { call } from '../../invocation/connection.ts';
import { fieldsOf } from '../../json-object.ts';
import { operationsFor } from '../../operations/areas.ts';
import type { Output } from '../../output/choice.ts';
import type { Result } from '../../output/result.ts';
import { checkOutput } from '../../output/write-result.ts';
import { sizeText } from '../../render/amounts.ts';
import { reportKind } from '../../render/words.ts';
import type { ParsedDigest } from '../../request/digest.ts';
import { fieldsIn, type Value } from '../../request/read.ts';
import { isSecretName } from '../../request/redact.ts';
import { isSamePath } from '../../system/paths.ts';
import type { FlowValues } from '../../tree/flow-flags.ts';
import { download } from './download.ts';
import { fileField } from './upload.ts';
import { answer, type Sending } from './work.ts';

/** Throws `usage` before any request if --open or --download cannot work. */
export async function checkLink(context: Context, flow: FlowValues, output: Output): Promise<void> {
  if (flow.open && context.stdout.isTTY !== true) throw new DtpError('usage', '--open needs a terminal');
  if (flow.download === undefined) return;
  if (flow.download === '-')
    throw new DtpError('usage', '--download needs a file name, because standard output has the result');
  const file = resolve(context.cwd, flow.download);
  if (output.file !== undefined && isSamePath(file, output.file))
    throw new DtpError('usage', '--download and -O name the same file');
  await checkOutput(context, { ...output, file });
}

/** The result, with the short URL and the downloaded file if they were requested. */
export async function withLink(sending: Sending, value: Value): Promise<Result> {
  const { invocation, operation, given } = sending;
  const { shorten, open, download: file } = given.flow;
  const { rememberUrl } = await import('./last-link.ts');
  const record = fieldsIn(value);
  const { url } = record;
  recordUpload(sending, url);
  if (!shorten && !open && file === undefined) {
    await rememberUrl(invocation, 'report', url);
    return answer(operation, value);
  }
  if (typeof url !== 'string') {
    const sent = operation.flow === 'upload' ? 'the report was uploaded, but ' : '';
    throw new DtpError('bad_response', `${sent}the response has no url`);
  }
  const opening = open ? await import('./last-link.ts') : undefined;
  opening?.checkOpens(url);
  const short = shorten ? { short_url: await shortened(sending, url) } : {};
  recordUpload(sending, short.short_url ?? url);
  const more = { ...short, ...(file === undefined ? {} : await fetched(sending, url, file)) };
  const result: Result = { kind: 'value', value: { ...record, ...more }, shape: operation };
  await rememberUrl(invocation, 'report', url);
  return opening ? { ...result, after: () => opening.openUrl(invocation, url) } : result;
}

/** Records the report for the summary of a CI job. */
function recordUpload({ invocation, operation, input }: Sending, url: unknown): void {
  const { file } = fileField(operation, input) ?? {};
  if (!file) return;
  const what = [reportKind(fieldsOf(input.data).type), 'report', file.name].filter(Boolean).join(' ');
  invocation.context.journal?.did({ what, amount: sizeText(file.size), url });
}

async function shortened({ invocation, calls, deadline }: Sending, url: string): Promise<string> {
  try {
    const value = await call(calls.connection, operationsFor('short-urls').create, { url }, deadline.signal);
    const short = fieldsIn(value).short_url;
    if (typeof short === 'string') return short;
    throw new DtpError('bad_response', 'the response has no short_url');
  } catch (error) {
    invocation.log.note('the report was uploaded, but its URL was not shortened');
    throw error;
  }
}

async function fetched({ invocation, operation, input, calls, deadline }: Sending, url: string, file: string) {
  const { connection } = calls;
  for (const secret of secretsIn(url)) connection.hide(secret);
  const bytes = await download({
    context: invocation.context,
    // Sent without a credential, and streamed instead of held in memory.
    send: deadline.moving(await connection.sendFor({ ...operation, auth: 'none', result: 'bytes' })),
    url,
    inProcess: connection.target.base === 'local:',
    digests: checksumIn(String(input.documentChecksum)),
    file: resolve(invocation.context.cwd, file),
    replace: invocation.output.replace,
    signal: deadline.signal,
  });
  return { file, bytes };
}

/** The signature in a URL, which a file store may repeat in its responses. */
const secretsIn = (url: string): readonly string[] =>
  URL.canParse(url)
    ? [...new URL(url).searchParams].flatMap(([name, value]) => (isSecretName(name) ? [value] : []))
    : [];

/** The digest to check, if the given checksum is an MD5. */
const checksumIn = (text: string): readonly ParsedDigest[] =>
  /^[\da-f]{32}$/i.test(text) ? [{ algorithm: 'md5', hex: text.toLowerCase() }] : [];
