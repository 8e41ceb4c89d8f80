/** `dtp data export` and `dtp data import`: move all data of the embedded service through a file. */
import { existsSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
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
import { type HttpRequest, type HttpResponse, readAll, type Send } from '../../request/http.ts';
import { databaseOf, openSharedData } from './shared.ts';

type DataInput = LocalInput<typeof dataFlags>;

/** Copies each chunk, because a source may use its buffer again, and ends when the command is interrupted. */
async function* chunksOf(source: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    signal.throwIfAborted();
    yield Buffer.from(chunk);
  }
}

const isPacked = (file: string): boolean => file.endsWith('.gz');

export async function exportData(invocation: Invocation, input: DataInput): Promise<Result | undefined> {
  const { context } = invocation;
  const [file = ''] = input.args;
  return withData(invocation, input, openExport, async (send) => {
    const { checkedExport } = await import('../../service/data/import.ts');
    const { status, body } = await send({ method: 'GET', url: 'data:', headers: {} });
    if (status !== 200) throw notExported(status, await messageIn(body));
    let sums = {};
    const chunks = async function* () {
      sums = yield* checkedExport(chunksOf(body, context.signal));
    };
    const explained = mapErrors(chunks(), (error) =>
      error instanceof DtpError || context.signal.aborted ? error : notExported(500, messageOf(error)),
    );
    if (file === '-') {
      for await (const chunk of explained) await write(context, chunk).catch(refuseClosed);
      return undefined;
    }
    const bytes = isPacked(file) ? pipeline(Readable.from(explained), createGzip(), () => undefined) : explained;
    await writeNamedFile(context, file, bytes, { replace: false }).catch((error: unknown) => {
      if (!(error instanceof DtpError) || systemCode(error.cause) !== 'EEXIST') throw error;
      const hint = 'Choose another file. An export never replaces one.';
      throw new DtpError('usage', `${file} already exists and was not changed`, { hint });
    });
    return summary(`Exported {} to ${file}`, file, sums);
  });
}

/** Ends with an error, unlike other commands, because a part of an export is of no use. */
function refuseClosed(error: unknown): never {
  if (systemCode(error) !== 'EPIPE') throw error;
  throw new DtpError('error', 'standard output was closed before the end of the export', { cause: error });
}

/** The error for a response with this status. 404 is an empty store, and 503 a database that cannot be used. */
function notExported(status: number, why: string): DtpError {
  if (status === 404) return new DtpError('usage', why);
  const hint = 'Nothing was exported that could be imported. Check the data, or export it again.';
  return new DtpError(status === 503 ? 'network' : 'error', `the export failed: ${why}`, { hint });
}

const textIn = async (body: AsyncIterable<Uint8Array>): Promise<string> =>
  Buffer.from((await readAll(body, 2 ** 20)) ?? '{}').toString();

const messageIn = async (body: AsyncIterable<Uint8Array>): Promise<string> => JSON.parse(await textIn(body)).message;

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
  return withData(invocation, input, openImport, async (send) => {
    const { status, body } = await send({ method: 'PUT', url: 'data:', headers: {}, body: { size: 0, open } });
    signal.throwIfAborted();
    if (failure !== undefined) throw failure;
    if (status === 200) return summary('Imported {}', file, JSON.parse(await textIn(body)));
    const message = await messageIn(body);
    if (status < 500) throw refused(message);
    const hint = 'Run the command again. It says if the data is already there.';
    throw new DtpError(status === 503 ? 'network' : 'error', message, { hint });
  });
}

const refused = (why: string): DtpError =>
  new DtpError('usage', why, {
    hint: 'Nothing was imported. It needs a whole export, and an empty folder or database.',
  });

function summary(text: string, file: string, sums: object): Result {
  const rows = Object.values<{ readonly rows: number }>({ ...sums }).reduce((total, sum) => total + sum.rows, 0);
  const done = { text: text.replace('{}', amount(rows, 'row')), isWhole: true } as const;
  return { kind: 'value', value: { file, rows }, done };
}

interface Opened {
  readonly send: Send;
  readonly close: () => Promise<void>;
  /** Makes what was imported visible. */
  readonly finish?: () => Promise<void>;
}

type OpenData = (invocation: Invocation, data: string | undefined) => Promise<Opened>;

const openExport: OpenData = async ({ context, log }, data) => {
  const { openStoreFile, storeFile } = await import('../../invocation/embedded.ts');
  const { transferOf } = await import('../../service/transfer.ts');
  const file = storeFile(context, data);
  if (!existsSync(file)) throw new DtpError('usage', `there is no data in ${file}`);
  const store = await openStoreFile(context, log, file);
  return { send: transferOf(store), close: async () => store.close() };
};

/** Opens a file in a temporary folder next to the place of the data. Only a whole import takes that place. */
const openImport: OpenData = async ({ context, log }, data) => {
  const { openStoreFile, storeFile } = await import('../../invocation/embedded.ts');
  const { transferOf } = await import('../../service/transfer.ts');
  const { makeFolders, notWritten, renameExclusively, suffix, sweepStale, syncFolder } = await import(
    '../../store/files.ts'
  );
  const file = storeFile(context, data);
  const taken = () => refused(`there is already data in ${file}, and an import replaces nothing`);
  if (existsSync(file)) throw taken();
  const folder = dirname(file);
  const temporary = join(folder, `.dtp-${suffix()}`);
  const made = await makeFolders(temporary, 0o700).catch((error: unknown) => {
    throw notWritten(folder, error);
  });
  context.setGrace(2000);
  let isDone = false;
  const clear = async () => {
    await rm(temporary, { recursive: true, force: true });
    for (let one = folder; !isDone && made !== undefined && one.length >= made.length; one = dirname(one))
      await rmdir(one).catch(() => undefined);
  };
  try {
    await sweepStale(temporary);
    const store = await openStoreFile(context, log, join(temporary, basename(file)));
    const finish = async () => {
      if (store.get('PRAGMA wal_checkpoint(TRUNCATE)')?.busy !== 0) throw new Error('the log cannot be written back');
      await renameExclusively(store.file, file).catch((error: unknown) => {
        throw systemCode(error) === 'EEXIST' ? taken() : notWritten(file, error);
      });
      isDone = true;
      await syncFolder(folder);
    };
    const close = async () => {
      store.close();
      await clear();
    };
    return { send: transferOf(store), close, finish };
  } catch (error) {
    await clear();
    throw error;
  }
};

/** Opens the file or the server for `work`, and closes it. */
async function withData<T>(
  invocation: Invocation,
  { flags }: DataInput,
  open: OpenData,
  work: (send: (request: HttpRequest) => Promise<HttpResponse>) => Promise<T>,
): Promise<T> {
  const { context, log, settings, globals } = invocation;
  const { allowHttp } = globals;
  const database = databaseOf(context, flags, { allowHttp, settings, ownerKey: undefined });
  const opened: Opened = await (database ? openSharedData(context, log, database) : open(invocation, flags.data));
  try {
    const result = await work((request) => opened.send(request, { signal: context.signal }));
    await opened.finish?.();
    return result;
  } finally {
    await opened.close();
  }
}
