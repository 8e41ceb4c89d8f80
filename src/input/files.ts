/** Reads what the user passes as a file, as `-` for standard input, or as inline JSON or YAML. */
import { basename, dirname, resolve } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { messageOf, orThrow, systemCode } from '../caught.ts';
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import { type FileContext, folderBoundaryOf, namedPath } from '../files/boundary.ts';
import type { OpenFile } from '../files/open.ts';
import { inputLimit, wholeLimit } from '../limits.ts';
import type { FileValue } from '../operations/operation.ts';
import { bodyOfBytes, readAll } from '../request/http.ts';
import { findInexactNumber } from '../request/json.ts';
import { isWithin } from '../system/paths.ts';
import { decodedText, explainFault } from './faults.ts';
import { passingPieces, piecesOf } from './file-pieces.ts';
import { bundledText, bundleFiles, fileWith, refuseSplitBytes } from './whole.ts';

export type InputFiles = ReturnType<typeof openFiles>;

export interface ByteStream {
  /** Each chunk is only valid until the next one is requested. */
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly size: number | undefined;
}

const silent = { note: () => undefined, warn: () => undefined };

/** Returns functions that read the user's files. Read errors are `usage` and start with `label`, such as `--body`. */
export function openFiles(
  context: Pick<Context, 'cwd' | 'home' | 'env' | 'stdin' | 'signal'> & Pick<FileContext, 'uid'>,
  { note, warn }: { readonly note: (text: string) => void; readonly warn: (text: string) => void } = silent,
) {
  let left = wholeLimit.bytes;
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

  /** Reads all of a file, a pipe or standard input. Only a file is in a folder with the files that it refers to. */
  const whole = async (path: string, label: string, file?: OpenFile) => {
    if (path === '-') return { content: await stdin(label), isFile: false };
    const stream = await streamAt(context, path, label, { ...context, file });
    const isFile = stream.size !== undefined;
    // A pipe or a device may never end, so the size is limited.
    const content = await readAll(stream.bytes, isFile ? left : Math.min(inputLimit.bytes, left));
    if (!content && !isFile) throw tooLarge(path, label);
    if (!content)
      throw new DtpError('usage', `${label}: the files that are read whole are larger than ${wholeLimit.text}`);
    left -= content.byteLength;
    return { content, isFile };
  };

  /** Returns the bundle to send instead of a document. Undefined if the document refers to no other file. */
  const bundleAt = async (path: string, { content, isFile }: Awaited<ReturnType<typeof whole>>, label: string) => {
    if (!isFile) {
      const fault = await refuseSplitBytes(content, label, named(path));
      if (fault !== undefined) warn(fault);
      return undefined;
    }
    const found = await bundleFiles({ ...context, warn }, resolve(context.cwd, path), content);
    if (found) note(bundledText(path, found));
    return found;
  };

  /** The content of a file or of standard input. With `document`, an API document includes the files it refers to. */
  const text = async (path: string, label: string, document = false) => {
    const given = await whole(path, label);
    const content = (document && (await bundleAt(path, given, label))?.bytes) || given.content;
    return decodedText(content, `${label}: ${named(path)}`);
  };

  return {
    text,
    /** Throws `usage` for a path in `body`, which is `@FILE` or `-`, if it is outside of the boundary of that file. */
    refuseOutside: (path: string, label: string, body: string) => {
      const from = body.startsWith('@') ? namedPath(context, body.slice(1)) : undefined;
      const boundary = from?.boundary ?? folderBoundaryOf(context) ?? (from && dirname(from.path));
      if (boundary === undefined || isWithin(boundary, resolve(context.cwd, path.replace(/^@/, '')))) return;
      const hint = 'Name the file on the command line.';
      throw new DtpError('usage', `${label}: ${path} is outside of ${boundary}`, { hint });
    },
    /** The decoded document of `@FILE`, `-` or an inline value. Returns undefined if `given` is undefined. */
    document: async (given: unknown, label: string) => {
      if (given === undefined) return undefined;
      const path = given === '-' ? '-' : /^@(.*)$/s.exec(String(given))?.[1];
      return path === undefined
        ? parseDocument(String(given), label)
        : parseDocument(await text(path, label), `${label}: ${named(path)}`);
    },
    /** The bytes of `@FILE`, `-` or an inline value as they arrive, and their size if it is known. */
    stream: async (given: string, label: string, signal: AbortSignal): Promise<ByteStream> => {
      const path = given === '-' ? '-' : /^@(.*)$/s.exec(given)?.[1];
      if (path === undefined) {
        if (given.trim() === '') throw empty(label);
        const text = Buffer.from(given);
        return { bytes: Readable.from([text]), size: text.byteLength };
      }
      if (path !== '-') return streamAt(context, path, label, { signal, passing: true });
      claimStdin(label);
      const explain = (error: unknown) => unreadable(named(path), label, error);
      return { bytes: ending(context.stdin, signal, explain), size: undefined };
    },
    /**
     * A file that is opened when it is sent, or what a pipe outside of the boundary contains. With `document`, an API
     * document includes the files it refers to.
     */
    file: async (given: string, label: string, document = false): Promise<FileValue> => {
      // Other flags expect @FILE, so this flag also accepts an @.
      const path = given.replace(/^@/, '');
      if (path === '') throw new DtpError('usage', `${label} needs the path of a file`);
      const found = path === '-' ? undefined : await opened(context, path, label);
      const file = found && (await fileAt(context, path, label, found));
      if (file && (!document || file.size > inputLimit.bytes)) return file;
      const read = await whole(path, label, file ? undefined : found);
      const bundle = document && (await bundleAt(path, read, label));
      if (file) return bundle ? fileWith(file, bundle) : file;
      const { content } = read;
      const size = content.byteLength;
      // Whatever writes to a pipe may have failed, and nobody types an empty file.
      if (found && size === 0) throw new DtpError('usage', `${label}: nothing was written to ${path}`);
      return { name: found ? basename(path) : 'stdin', path, size, open: () => bodyOfBytes(content) };
    },
  };
}

/** Reads all of standard input. Undefined if it is longer than `limit` bytes. Throws `usage` if it cannot be read. */
export async function readStdin({ stdin, signal }: Pick<Context, 'stdin' | 'signal'>, limit: number, label: string) {
  try {
    return await readAll(addAbortSignal(signal, stdin), limit);
  } catch (error) {
    signal.throwIfAborted();
    throw unreadable(named('-'), label, error);
  }
}

/** Opens a file, a device or a pipe. `passing` bytes of a file are read into reused buffers, so that none pile up. */
async function streamAt(
  context: FileContext,
  path: string,
  label: string,
  given: { readonly signal: AbortSignal; readonly passing?: boolean; readonly file?: OpenFile | undefined },
): Promise<ByteStream> {
  const { signal, passing = false, file = await opened(context, path, label) } = given;
  const { streamOf } = await import('../files/open.ts');
  const isFile = file.stats.isFile();
  const bytes = passing && isFile ? passingPieces(file.fd, file.size, signal) : streamOf(file);
  const explain = (error: unknown) => unreadable(path, label, error);
  return { bytes: ending(bytes, signal, explain), size: isFile ? file.size : undefined };
}

/** Opens a path that the user named. The code is loaded only if a command reads a file. */
async function opened(context: FileContext, path: string, label: string): Promise<OpenFile> {
  const { openNamed } = await import('../files/open.ts');
  const name = `${label}: ${path}`;
  return openNamed(context, path, { name, dash: dashFor(label) }).catch((error: unknown) => {
    throw error instanceof DtpError ? error : unreadable(path, label, error);
  });
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

/** Returns the value that means standard input. The value of -F is a string unless it begins with @. */
const dashFor = (label: string) => (label === '-F' ? '@-' : '-');

const named = (path: string) => (path === '-' ? 'standard input' : path);

/** Closes an open file, which is opened again when it is sent. Returns undefined if it is a pipe or a device. */
async function fileAt(
  context: FileContext,
  path: string,
  label: string,
  first: OpenFile,
): Promise<FileValue | undefined> {
  if (!first.stats.isFile()) return undefined;
  const { closeFile, stateNow, fileStateOf } = await import('../files/open.ts');
  await closeFile(first);
  const before = fileStateOf(first);
  const { size } = first;
  return {
    name: basename(resolve(context.cwd, path)),
    path,
    size,
    open: async function* () {
      const file = await opened(context, path, label);
      let sent = 0;
      let after = fileStateOf(file);
      try {
        for await (const piece of after === before ? piecesOf(file.fd, size) : []) {
          sent += piece.byteLength;
          // More bytes than announced would break the request.
          if (sent > size) break;
          yield piece;
        }
        after = await stateNow(file);
      } catch (error) {
        // The sender would report the original error as a network error.
        throw unreadable(path, label, error);
      } finally {
        await closeFile(file);
      }
      if (sent !== size || after !== before)
        throw new DtpError('error', `${path} changed while it was being sent`, { hint: 'Run the command again.' });
    },
  };
}

function unreadable(path: string, label: string, error: unknown): DtpError {
  const code = systemCode(error);
  if (code === 'ENOENT')
    return new DtpError('usage', `${label}: file not found: ${path}`, {
      hint: `Paths are relative to the current folder. Use ${dashFor(label)} for standard input.`,
      cause: error,
    });
  const why = reasons[code ?? ''] ?? `cannot be read (${code})`;
  return new DtpError('usage', `${label}: ${path} ${why}`, { cause: error });
}

const reasons: Readonly<Record<string, string>> = {
  EISDIR: 'is a folder, not a file',
  EACCES: 'cannot be read: permission denied',
  EBADF: 'is closed',
  ENAMETOOLONG: 'is too long for a file name; pass @FILE or inline JSON',
};

const empty = (label: string) => new DtpError('usage', `${label} is empty; pass JSON or YAML`);

const tooLarge = (source: string, label: string) =>
  new DtpError('usage', `${label}: ${source} is larger than ${inputLimit.text}; pass a file instead`);

/**
 * Decodes JSON or YAML. The YAML parser is loaded only if the input is not JSON. Throws `usage` for a number that
 * JavaScript would round. In YAML with `exact`, a long integer becomes a bigint instead.
 */
export async function parseDocument(text: string, label: string, exact = false): Promise<unknown> {
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
    const value = orThrow(() => parseYaml(text, exact), explainFault(label, documentHint));
    if (value === null) throw empty(label);
    if (typeof value === 'object') return value;
    why = 'a single word is not a document';
  }
  throw new DtpError('usage', `${label} is not valid JSON or YAML: ${why}`, { hint: documentHint });
}

const documentHint = `Pass an object such as '{"name":"value"}', @FILE, or - for standard input.`;

/** Throws `usage` for a number that JavaScript would round. */
export function refuseInexact(text: string, label: string): void {
  const first = findInexactNumber(text);
  if (first !== undefined)
    throw new DtpError('usage', `${label}: ${first} cannot be represented exactly as a number`, {
      hint: 'Send it as a string.',
    });
}
