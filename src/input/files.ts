/** Reads what the user passes as a file, as `-` for standard input, or as inline JSON or YAML. */
import { close, constants, createReadStream, fstat, open } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { basename, resolve } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { messageOf, systemCode } from '../caught.ts';
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import { inputLimit } from '../limits.ts';
import type { FileValue } from '../operations/operation.ts';
import { readAll } from '../request/http.ts';
import { inexactIn } from '../request/json.ts';
import { passingPieces, piecesOf } from './file-pieces.ts';
import { bundled, bundledText, fileWith, refuseSplit } from './whole.ts';

export interface Files {
  /** The decoded document of `@FILE`, `-` or an inline value. Returns undefined if `given` is undefined. */
  readonly document: (given: unknown, label: string) => Promise<unknown>;
  /** The content of a file or of standard input. With `document`, an API document includes the files it refers to. */
  readonly text: (path: string, label: string, document?: boolean) => Promise<string>;
  /** The bytes of `@FILE`, `-` or an inline value as they arrive, and their size if it is known. */
  readonly stream: (given: string, label: string, signal: AbortSignal) => Promise<ByteStream>;
  /** A file that is opened when it is sent. With `document`, an API document includes the files it refers to. */
  readonly file: (path: string, label: string, document?: boolean) => Promise<FileValue>;
}

export interface ByteStream {
  /** Each chunk is only valid until the next one is requested. */
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly size: number | undefined;
}

/** Returns functions that read the user's files. Read errors are `usage` and start with `label`, such as `--body`. */
export function openFiles(
  context: Pick<Context, 'cwd' | 'stdin' | 'signal'>,
  note: (text: string) => void = () => {},
): Files {
  // Standard input can only be read once.
  let firstLabel: string | undefined;
  const claimStdin = (label: string): void => {
    if (firstLabel !== undefined)
      throw new DtpError('usage', `${label}: standard input was already read for ${firstLabel}`);
    firstLabel = label;
    if (context.stdin.isTTY)
      throw new DtpError('usage', `${label}: standard input is a terminal`, {
        hint: 'Pipe the input in or pass @FILE.',
      });
  };
  const stdin = async (label: string): Promise<Uint8Array> => {
    claimStdin(label);
    const bytes = await readStdin(context, inputLimit.bytes, label);
    if (!bytes) throw tooLarge('standard input', label);
    return bytes;
  };

  const bytes = async (path: string, label: string): Promise<Uint8Array> => {
    if (path === '-') return stdin(label);
    const full = resolve(context.cwd, path);
    const stream = await streamOf(full, path, label, context.signal);
    // A pipe or a device may never end, so the size is limited.
    const all = await readAll(
      stream.bytes,
      stream.size === undefined ? inputLimit.bytes : Number.POSITIVE_INFINITY,
    );
    if (!all) throw tooLarge(path, label);
    return all;
  };

  /** Returns the bundle to send instead of a document. Undefined if the document refers to no other file. */
  const bundleAt = async (path: string, content: Uint8Array, label: string) => {
    if (path === '-') {
      await refuseSplit(content, label, 'standard input');
      return undefined;
    }
    const found = await bundled(resolve(context.cwd, path), content);
    if (found) note(bundledText(path, found));
    return found;
  };

  const text = async (path: string, label: string, document = false) => {
    const given = await bytes(path, label);
    const content = (document && (await bundleAt(path, given, label))?.bytes) || given;
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(content);
    } catch {
      throw new DtpError('usage', `${label}: ${named(path)} is not UTF-8 text`);
    }
  };

  return {
    text,
    document: async (given, label) => {
      if (given === undefined) return undefined;
      const path = given === '-' ? '-' : /^@(.*)$/s.exec(String(given))?.[1];
      return path === undefined
        ? parseDocument(String(given), label)
        : parseDocument(await text(path, label), `${label}: ${named(path)}`);
    },
    stream: async (given, label, signal) => {
      const path = given === '-' ? '-' : /^@(.*)$/s.exec(given)?.[1];
      if (path === undefined) {
        if (given.trim() === '') throw empty(label);
        const text = Buffer.from(given);
        return { bytes: Readable.from([text]), size: text.byteLength };
      }
      if (path !== '-') return passingStreamOf(resolve(context.cwd, path), path, label, signal);
      claimStdin(label);
      const explain = (error: unknown) => unreadable(named(path), label, error);
      return { bytes: ending(context.stdin, signal, explain), size: undefined };
    },
    file: async (given, label, document = false) => {
      // Other flags expect @FILE, so this flag also accepts an @.
      const path = given.replace(/^@/, '');
      if (path === '') throw new DtpError('usage', `${label} needs the path of a file`);
      if (path !== '-') {
        const file = await fileAt(resolve(context.cwd, path), path, label);
        if (!document || file.size > inputLimit.bytes) return file;
        const found = await bundleAt(path, await bytes(path, label), label);
        return found ? fileWith(file, found) : file;
      }
      const content = await stdin(label);
      if (document) await refuseSplit(content, label, 'standard input');
      return {
        name: 'stdin',
        path: '-',
        size: content.byteLength,
        open: async function* () {
          yield content;
        },
      };
    },
  };
}

/** Reads all of standard input. Undefined if it is longer than `limit` bytes. Throws `usage` if it cannot be read. */
export async function readStdin(
  { stdin, signal }: Pick<Context, 'stdin' | 'signal'>,
  limit: number,
  label: string,
): Promise<Uint8Array | undefined> {
  try {
    return await readAll(addAbortSignal(signal, stdin), limit);
  } catch (error) {
    signal.throwIfAborted();
    throw unreadable(named('-'), label, error);
  }
}

/** Opens a file, a device or a named pipe, such as the pipe of `<(command)` in a shell, and returns its bytes. */
async function streamOf(full: string, path: string, label: string, signal: AbortSignal): Promise<ByteStream> {
  const explain = (error: unknown) => unreadable(path, label, error);
  const { fd, found } = await opened(full, explain);
  const stream = found.isFIFO()
    ? new Socket({ fd, readable: true, writable: false })
    : createReadStream(full, { fd, highWaterMark: 256 * 1024 });
  return { bytes: ending(stream, signal, explain), size: found.isFile() ? found.size : undefined };
}

/** Like `streamOf`, but reads a file into reused buffers, because new ones pile up until they are collected. */
async function passingStreamOf(
  full: string,
  path: string,
  label: string,
  signal: AbortSignal,
): Promise<ByteStream> {
  const there = await stat(full).catch(() => undefined);
  if (!there?.isFile()) return streamOf(full, path, label, signal);
  const explain = (error: unknown) => unreadable(path, label, error);
  const { fd, found } = await opened(full, explain);
  return { bytes: ending(passingPieces(fd, found.size, signal), signal, explain), size: found.size };
}

/** Opens a file, a device or a named pipe. */
async function opened(full: string, explain: (error: unknown) => unknown) {
  const failed = (error: unknown) => {
    throw explain(error);
  };
  const isPipe = await stat(full).then((there) => there.isFIFO(), failed);
  // Without O_NONBLOCK, opening a pipe that has no writer would block, and the process could not exit.
  const flags = isPipe ? constants.O_RDONLY | constants.O_NONBLOCK : constants.O_RDONLY;
  const fd = await promisify(open)(full, flags).catch(failed);
  const found = await promisify(fstat)(fd);
  if (!found.isDirectory()) return { fd, found };
  await promisify(close)(fd);
  return failed({ code: 'EISDIR' });
}

/** Yields the chunks of a stream until it ends. If the signal is aborted, throws its reason. */
async function* ending(
  stream: Readable | AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  explain: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  try {
    yield* stream instanceof Readable ? addAbortSignal(signal, stream) : stream;
  } catch (error) {
    signal.throwIfAborted();
    throw explain(error);
  }
}

const named = (path: string) => (path === '-' ? 'standard input' : path);

async function fileAt(full: string, path: string, label: string): Promise<FileValue> {
  const before = await stat(full).catch((error: unknown) => {
    throw unreadable(path, label, error);
  });
  if (!before.isFile())
    throw new DtpError(
      'usage',
      `${label}: ${path} is a folder or a pipe, not a file. To read standard input, pass -`,
    );
  return {
    name: basename(full),
    path,
    size: before.size,
    open: async function* () {
      let sent = 0;
      try {
        for await (const piece of piecesOf(full, before.size)) {
          sent += piece.byteLength;
          // More bytes than announced would break the request.
          if (sent > before.size) break;
          yield piece;
        }
      } catch (error) {
        // The sender would report the original error as a network error.
        throw unreadable(path, label, error);
      }
      const after = await stat(full).catch(() => undefined);
      if (sent !== before.size || after?.mtimeMs !== before.mtimeMs || after.ino !== before.ino)
        throw new DtpError('error', `${path} changed while it was being sent`, {
          hint: 'Run the command again.',
        });
    },
  };
}

function unreadable(path: string, label: string, error: unknown): DtpError {
  const code = systemCode(error);
  if (code === 'ENOENT')
    return new DtpError('usage', `${label}: file not found: ${path}`, {
      hint: 'Paths are relative to the current directory. Use - for standard input.',
      cause: error,
    });
  const why = reasons[code ?? ''] ?? `cannot be read (${code})`;
  return new DtpError('usage', `${label}: ${path} ${why}`, { cause: error });
}

const reasons: Readonly<Record<string, string>> = {
  EISDIR: 'is a folder, not a file',
  EACCES: 'cannot be read: permission denied',
  ENAMETOOLONG: 'is too long for a file name; pass @FILE or inline JSON',
};

const empty = (label: string) => new DtpError('usage', `${label} is empty; pass JSON or YAML`);

const tooLarge = (source: string, label: string) =>
  new DtpError('usage', `${label}: ${source} is larger than ${inputLimit.text}; pass a file instead`);

/** Decodes JSON or YAML. The YAML parser is loaded only if the input is not JSON. */
export async function parseDocument(text: string, label: string): Promise<unknown> {
  if (text.trim() === '') throw empty(label);
  let why: string;
  try {
    const value: unknown = JSON.parse(text);
    refuseInexact(text, label);
    return value;
  } catch (error) {
    if (error instanceof DtpError) throw error;
    why = messageOf(error);
  }
  // Text that starts like JSON is not parsed as YAML, because YAML would accept `tru` in `{"a": tru}` as a string.
  if (!/^\s*(\{\s*"|\[\s*["[{])/.test(text)) {
    const { parseYaml } = await import('./yaml.ts');
    try {
      const value = parseYaml(text);
      if (typeof value === 'object' && value !== null) return value;
      why = 'a single word is not a document';
    } catch (error) {
      why = messageOf(error).split('\n')[0]?.replace(/:$/, '') ?? '';
    }
  }
  throw new DtpError('usage', `${label} is not valid JSON or YAML: ${why}`, {
    hint: `Pass an object such as '{"name":"value"}', @FILE, or - for standard input.`,
  });
}

/** Throws `usage` for a number that JavaScript would round. */
export function refuseInexact(text: string, label: string): void {
  const first = inexactIn(text);
  if (first !== undefined)
    throw new DtpError('usage', `${label}: ${first} cannot be represented exactly as a number`, {
      hint: 'Send it as a string.',
    });
}
