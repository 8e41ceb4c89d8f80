/** What the user gives as a file, as `-` for standard input, or as JSON or YAML in place. */
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
import { piecesOf } from './file-pieces.ts';
import { bundled, bundledText, fileWith, refuseSplit } from './whole.ts';

export interface Files {
  /** `@FILE`, `-` or the document itself, decoded; undefined for undefined. */
  readonly document: (given: unknown, label: string) => Promise<unknown>;
  /** The text of a file or of `-`. An API `document` is one with the files that it refers to. */
  readonly text: (path: string, label: string, document?: boolean) => Promise<string>;
  /** The bytes of `@FILE`, of `-` or of the text itself, as they come; the size where it is known. */
  readonly stream: (given: string, label: string, signal: AbortSignal) => Promise<ByteStream>;
  /** A file that is opened when it is sent; the same of an API `document`. */
  readonly file: (path: string, label: string, document?: boolean) => Promise<FileValue>;
}

export interface ByteStream {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly size: number | undefined;
}

/** Readers of the user's files. `label` names the flag in errors, which are all `usage`; `note` gets what a person is told. */
export function openFiles(
  context: Pick<Context, 'cwd' | 'stdin' | 'signal'>,
  note: (text: string) => void = () => {},
): Files {
  // Standard input can be read once: the second flag that asks for it is told.
  let reader: string | undefined;
  const claimStdin = (label: string): void => {
    if (reader !== undefined)
      throw new DtpError('usage', `${label}: standard input was already read by ${reader}`);
    reader = label;
    if (context.stdin.isTTY)
      throw new DtpError('usage', `${label}: standard input is a terminal; pipe a file in, or give @FILE`);
  };
  const stdin = async (label: string): Promise<Uint8Array> => {
    claimStdin(label);
    const bytes = await readStdin(context, inputLimit.bytes, label);
    if (!bytes)
      throw new DtpError('usage', `${label}: standard input holds more than ${inputLimit.text}; give a file`);
    return bytes;
  };

  const bytes = async (path: string, label: string): Promise<Uint8Array> => {
    if (path === '-') return stdin(label);
    const full = resolve(context.cwd, path);
    const stream = await streamOf(full, path, label, context.signal);
    // A pipe or a device may never end.
    const all = await readAll(
      stream.bytes,
      stream.size === undefined ? inputLimit.bytes : Number.POSITIVE_INFINITY,
    );
    if (!all)
      throw new DtpError('usage', `${label}: ${path} holds more than ${inputLimit.text}; give a file`);
    return all;
  };

  /** The one document to send instead; undefined if it is sent as it is. */
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
      if (path !== '-') return streamOf(resolve(context.cwd, path), path, label, signal);
      claimStdin(label);
      const explain = (error: unknown) => unreadable(named(path), label, error);
      return { bytes: ending(context.stdin, signal, explain), size: undefined };
    },
    file: async (given, label, document = false) => {
      // Elsewhere a file is given with an @, so one is no mistake here.
      const path = given.replace(/^@/, '');
      if (path === '') throw new DtpError('usage', `${label} must name a file`);
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

/**
 * Standard input, whole; undefined where it is longer than `limit` bytes. The user's interrupt ends the wait. Throws `usage`,
 * which begins with `label`, for what cannot be read.
 */
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

/** A file, or what else has a name: a pipe that a shell opened for us. */
async function streamOf(full: string, path: string, label: string, signal: AbortSignal): Promise<ByteStream> {
  const explain = (error: unknown) => unreadable(path, label, error);
  const failed = (error: unknown) => {
    throw explain(error);
  };
  const isPipe = await stat(full).then((there) => there.isFIFO(), failed);
  // A pipe that nobody writes to would hold whoever opens it, and the whole process at its end.
  const flags = isPipe ? constants.O_RDONLY | constants.O_NONBLOCK : constants.O_RDONLY;
  const fd = await promisify(open)(full, flags).catch(failed);
  const found = await promisify(fstat)(fd);
  if (found.isDirectory()) {
    await promisify(close)(fd);
    return failed({ code: 'EISDIR' });
  }
  const stream = found.isFIFO()
    ? new Socket({ fd, readable: true, writable: false })
    : createReadStream(full, { fd, highWaterMark: 256 * 1024 });
  return { bytes: ending(stream, signal, explain), size: found.isFile() ? found.size : undefined };
}

/** A stream until the signal, whose reason is what is thrown then. */
async function* ending(
  stream: Readable,
  signal: AbortSignal,
  explain: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  try {
    yield* addAbortSignal(signal, stream);
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
    throw new DtpError('usage', `${label}: ${path} is not a file; give - for standard input`);
  return {
    name: basename(full),
    path,
    size: before.size,
    open: async function* () {
      let sent = 0;
      try {
        for await (const piece of piecesOf(full, before.size)) {
          sent += piece.byteLength;
          // Before the wire sees a byte too many.
          if (sent > before.size) break;
          yield piece;
        }
      } catch (error) {
        // Left as it is, it would pass for an error of the network.
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
  const why = reasons[code ?? ''] ?? `cannot be read (${code})`;
  const hint =
    code === 'ENOENT' ? { hint: 'A path is taken from the working folder; - is standard input.' } : {};
  return new DtpError('usage', `${label}: ${path} ${why}`, { ...hint, cause: error });
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  EISDIR: 'is a folder, not a file',
  EACCES: 'may not be read by you',
  ENAMETOOLONG: 'is no file name; write @FILE for a file, or JSON in place',
};

const empty = (label: string) => new DtpError('usage', `${label}: it is empty; give JSON or YAML`);

/** JSON, or YAML where it is none; YAML is loaded only then. */
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
  // What begins as only JSON does is meant as JSON: YAML would take `{"a": tru}` for a text.
  if (!/^\s*(\{\s*"|\[\s*["[{])/.test(text)) {
    const { parseYaml } = await import('./yaml.ts');
    try {
      const value = parseYaml(text);
      if (typeof value === 'object' && value !== null) return value;
      why = 'a bare word is no document';
    } catch (error) {
      why = messageOf(error).split('\n')[0]?.replace(/:$/, '') ?? '';
    }
  }
  throw new DtpError('usage', `${label}: it is not JSON or YAML: ${why}`, {
    hint: `Give an object such as '{"name":"value"}', @FILE, or - for standard input.`,
  });
}

/** A number that JavaScript would round is refused: what is sent is what was given. */
export function refuseInexact(text: string, label: string): void {
  const first = inexactIn(text);
  if (first !== undefined)
    throw new DtpError('usage', `${label}: the number ${first} cannot be kept exactly; give it as a text`);
}
