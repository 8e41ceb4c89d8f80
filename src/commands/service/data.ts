/** `dtp data export` and `dtp data import`: move all data of the embedded service through a file. */
import { existsSync } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { mapErrors, messageOf, systemCode } from '../../caught.ts';
import { DtpError } from '../../errors.ts';
import { writeNamedFile } from '../../files/output.ts';
import { openFiles } from '../../input/files.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import type { dataFlags, LocalInput } from '../../local/flags.ts';
import type { Result } from '../../output/result.ts';
import { write } from '../../output/write.ts';
import { amount } from '../../render/amounts.ts';
import { type HttpRequest, type HttpResponse, readAll } from '../../request/http.ts';
import { databaseOf, openSharedData } from './shared.ts';

type DataInput = LocalInput<typeof dataFlags>;

/** Copies each chunk, because a source may use its buffer again, and ends when the command is interrupted. */
async function* chunksOf(source: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    signal.throwIfAborted();
    yield Buffer.from(chunk);
  }
}

/** More bytes than the last line of an export can have, which is the sums of its tables. */
const mostSums = 65_536;

const isPacked = (file: string): boolean => file.endsWith('.gz');

export async function exportData(invocation: Invocation, input: DataInput): Promise<Result | undefined> {
  const { context } = invocation;
  const [file = ''] = input.args;
  return withData(invocation, input, true, async (send) => {
    const { body } = await send({ method: 'GET', url: 'data:', headers: {} });
    const end: Buffer[] = [];
    const chunks = async function* () {
      let size = 0;
      for await (const chunk of chunksOf(body, context.signal)) {
        yield chunk;
        end.push(chunk);
        size += chunk.length;
        while (size - (end[0]?.length ?? 0) >= mostSums) size -= end.shift()?.length ?? 0;
      }
    };
    if (file === '-') {
      for await (const chunk of chunks()) await write(context, chunk);
      return undefined;
    }
    const bytes = isPacked(file) ? pipeline(Readable.from(chunks()), createGzip(), () => undefined) : chunks();
    await writeNamedFile(context, file, bytes, { replace: false }).catch((error: unknown) => {
      if (!(error instanceof DtpError) || systemCode(error.cause) !== 'EEXIST') throw error;
      const hint = 'Choose another file. An export never replaces one.';
      throw new DtpError('usage', `${file} already exists and was not changed`, { hint });
    });
    const [sums = ''] = Buffer.concat(end).toString().trimEnd().split('\n').slice(-1);
    return summary(`Exported {} to ${file}`, file, sums);
  });
}

export async function importData(invocation: Invocation, input: DataInput): Promise<Result | undefined> {
  const { signal } = invocation.context;
  const [file = ''] = input.args;
  const { bytes } = await openFiles(invocation.context).stream(file === '-' ? file : `@${file}`, 'FILE', signal);
  const chunks = Readable.from(chunksOf(bytes, signal));
  let failure: unknown;
  const open = () =>
    mapErrors(isPacked(file) ? pipeline(chunks, createGunzip(), () => undefined) : chunks, (error) => {
      failure = /^Z_/.test(systemCode(error) ?? '')
        ? refused(`${file} cannot be unpacked: ${messageOf(error)}`)
        : error;
      return failure;
    });
  return withData(invocation, input, false, async (send) => {
    const { status, body } = await send({ method: 'PUT', url: 'data:', headers: {}, body: { size: 0, open } });
    const text = Buffer.from((await readAll(body, 2 ** 20)) ?? '{}').toString();
    signal.throwIfAborted();
    if (failure !== undefined) throw failure;
    if (status === 200) return summary('Imported {}', file, text);
    const { message } = JSON.parse(text);
    if (status < 500) throw refused(message);
    const hint = 'Run the command again. It says if the data is already there.';
    throw new DtpError(status === 503 ? 'network' : 'error', message, { hint });
  });
}

const refused = (why: string): DtpError =>
  new DtpError('usage', why, {
    hint: 'Nothing was imported. It needs a whole export, and an empty folder or database.',
  });

function summary(text: string, file: string, sums: string): Result {
  const rows = Object.values<{ readonly rows: number }>(JSON.parse(sums)).reduce((total, sum) => total + sum.rows, 0);
  const done = { text: text.replace('{}', amount(rows, 'row')), isWhole: true } as const;
  return { kind: 'value', value: { file, rows }, done };
}

/** Opens the file or the server for `work`, and closes it. */
async function withData<T>(
  { context, log, settings, globals: { allowHttp } }: Invocation,
  { flags }: DataInput,
  mustExist: boolean,
  work: (send: (request: HttpRequest) => Promise<HttpResponse>) => Promise<T>,
): Promise<T> {
  const openFile = async () => {
    const { openStoreFile, storeFile } = await import('../../invocation/embedded.ts');
    const { transferOf } = await import('../../service/transfer.ts');
    const file = storeFile(context, flags.data);
    if (mustExist && !existsSync(file)) throw new DtpError('usage', `there is no data in ${file}`);
    const store = await openStoreFile(context, log, file);
    return { send: transferOf(store), close: async () => store.close() };
  };
  const database = databaseOf(context, flags, { allowHttp, settings, ownerKey: undefined });
  const { send, close } = await (database ? openSharedData(context, log, database) : openFile());
  return work((request) => send(request, { signal: context.signal })).finally(close);
}
