/** What a fault of the wire is, and the ways in which answers go wrong. */
import type { ErrorCode } from '../../src/errors.ts';
import type { At } from './faulty.ts';

/** `ok`, or the code of the error. */
export type End = 'ok' | ErrorCode;

/**
 * By what an operation gives. `digest` are bytes that must be those that were asked for; `whole` is no body, of an answer
 * that must have been read to its end, such as that of the events.
 */
export type Ends = Readonly<Record<'json' | 'text' | 'bytes' | 'digest' | 'none' | 'whole', End>>;

export interface Fault {
  readonly name: string;
  /** When it begins: nobody listens, a connection comes, the operation's request is read. */
  readonly on: 'nobody' | 'connection' | 'request';
  readonly ends: Ends;
  readonly serve: (at: At) => void;
  /** It never ends by itself: the deadline does it. */
  readonly isEndless?: true;
  /** That of an error, where it says whether the request is sent again. */
  readonly status?: number;
  /** Of tens of megabytes. */
  readonly isLarge?: true;
}

/** Whatever an operation gives. */
export const all = (end: End): Ends => ({
  json: end,
  text: end,
  bytes: end,
  digest: end,
  none: end,
  whole: end,
});

/** One that begins with the operation's request. */
export const fault = (
  name: string,
  ends: Ends,
  serve: (at: At) => void,
  more: Partial<Fault> = {},
): Fault => ({
  name,
  on: 'request',
  ends,
  serve,
  ...more,
});

/** Says these bytes, and leaves the connection open. */
export const says = (name: string, ends: Ends, bytes: (at: At) => string | Buffer): Fault =>
  fault(name, ends, (at) => at.socket.write(bytes(at)));

/** Says these bytes, and closes the connection. */
export const cuts = (name: string, ends: Ends, bytes: (at: At) => string | Buffer): Fault =>
  fault(name, ends, (at) => at.socket.end(bytes(at)));

/** Says these bytes, and resets the connection when they have gone out. */
export const resets = (name: string, bytes: (at: At) => string | Buffer): Fault =>
  fault(name, all('network'), ({ socket, ...at }) =>
    socket.write(bytes({ socket, ...at }), () => setTimeout(() => socket.resetAndDestroy(), 5)),
  );

/** Says these bytes, and then nothing. */
export const stalls = (name: string, bytes: (at: At) => string | Buffer): Fault =>
  fault(name, all('timeout'), (at) => at.socket.write(bytes(at), at.hush), { isEndless: true });

/** Says these bytes, and then one piece after the other, for ever. */
export const drips = (name: string, ends: Ends, bytes: string, piece: string): Fault =>
  fault(
    name,
    ends,
    ({ socket, hush }) => {
      socket.write(bytes);
      let count = 0;
      const timer = setInterval(() => {
        if (socket.writable) socket.write(piece);
        if (++count === 3) hush();
      }, 10);
      socket.on('close', () => clearInterval(timer));
    },
    { isEndless: true },
  );

/** As fast as it is taken, for ever. */
export function floods(socket: At['socket'], piece: string): void {
  const bytes = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)));
  const more = () => {
    while (socket.writable && socket.write(bytes));
  };
  socket.on('drain', more);
  more();
}
