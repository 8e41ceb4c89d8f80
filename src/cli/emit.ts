/** A result → stdout or a file. The only place that writes to stdout. */
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import type { Operation } from '../operations/operation.ts';
import { render, rowsOf } from '../render/index.ts';
import { readAll } from '../request/http.ts';
import type { Value } from '../request/read.ts';
import type { Log } from './log.ts';
import { type Output, viewOf } from './output.ts';

/** Bytes of an answer that are held before they are shown, so that a broken one shows nothing. */
const heldLimit = 64 * 1024 * 1024;

/** Writes the result of an operation. */
export async function emitValue(
  context: Context,
  operation: Operation,
  value: Value,
  output: Output,
  log: Log,
): Promise<void> {
  if (value.kind === 'bytes') return emitBytes(context, value.body, output);
  if (value.kind === 'none' && output.format === 'table')
    return log.note(`ok: ${operation.command.join(' ')}`);
  const result =
    value.kind === 'none'
      ? { ok: true, operation: operation.id, status: value.status }
      : value.kind === 'text'
        ? value.text
        : value.value;
  await emitResult(context, result, output, operation, log);
}

/** Writes any result that is a value, such as a local command's. */
export async function emitResult(
  context: Context,
  result: unknown,
  output: Output,
  list: { readonly rows?: string | undefined; readonly columns?: readonly string[] | undefined },
  log: Log,
): Promise<void> {
  const view = viewOf(output, list);
  if (output.format === 'table' && rowsOf(result, view)?.length === 0) log.note('no results');
  await emitText(context, await render(result, output.format, view), output);
}

async function emitText(context: Context, text: string, output: Output): Promise<void> {
  if (output.file === undefined) return write(context, text);
  const { writeFileWhole } = await import('../store/files.ts');
  await writeFileWhole(output.file, text, { replace: output.replace });
}

/** Bytes go out as they came, unless a format was asked for: then as JSON, as text, or as base64, whichever they can be. */
async function emitBytes(context: Context, body: AsyncIterable<Uint8Array>, output: Output): Promise<void> {
  if (output.file !== undefined && output.asked === undefined) {
    const { writeFileWhole } = await import('../store/files.ts');
    return writeFileWhole(output.file, body, { replace: output.replace });
  }
  const bytes = await readAll(body, heldLimit);
  if (!bytes)
    throw new DtpError('usage', 'the result is longer than 64 MiB: write it to a file with -O FILE');
  const text = textOf(bytes);
  if (output.asked !== undefined) {
    const value = text === undefined ? { base64: Buffer.from(bytes).toString('base64') } : jsonOr(text);
    return emitText(context, await render(value, output.asked, viewOf(output, {})), output);
  }
  if (context.stdout.isTTY !== true) return write(context, bytes);
  if (text === undefined)
    throw new DtpError('usage', 'the result is binary: write it to a file with -O FILE');
  const { visible } = await import('../render/sanitize.ts');
  await write(context, visible(text.endsWith('\n') ? text : `${text}\n`, { lines: true }));
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Ends when the system has taken it, so that a slow reader is waited for and nothing is cut at the end. */
export async function write(context: Context, chunk: string | Uint8Array): Promise<void> {
  if (chunk.length === 0) return;
  await new Promise<void>((done, failed) => {
    context.stdout.write(chunk, (error) => (error ? failed(error) : done()));
  });
}
