/** The type of a fault on the wire, and the ways in which answers go wrong. */
import type { ErrorCode } from '../../src/errors.ts';
import type { FaultContext } from './faulty-server.ts';

/** `ok`, or the code of the error. */
export type End = 'ok' | ErrorCode;

/**
 * The end for each kind of result. `written`: JSON of an operation that changes something. `digest`: bytes that must match a digest. `whole`: an answer without a body
 * that must be read to its end, such as that of posted events.
 */
export type Ends = Readonly<Record<'json' | 'written' | 'text' | 'bytes' | 'digest' | 'none' | 'whole', End>>;

export interface Fault {
  readonly name: string;
  /**
   * When the fault starts: with no listener, when a client connects, or when the request of the operation is
   * read.
   */
  readonly on: 'nobody' | 'connection' | 'request';
  readonly ends: Ends;
  readonly serve: (at: FaultContext) => void;
  /** It never ends by itself: the deadline ends it. */
  readonly isEndless?: true;
  /** The status of an error that decides whether the request is sent again. */
  readonly status?: number;
  /** Tens of megabytes. */
  readonly isLarge?: true;
}

/** The same end for every result. */
export const ends = (end: End): Ends => ({
  json: end,
  written: end,
  text: end,
  bytes: end,
  digest: end,
  none: end,
  whole: end,
});

/** A fault that starts at the operation's request. */
export const fault = (
  name: string,
  ends: Ends,
  serve: (at: FaultContext) => void,
  more: Partial<Fault> = {},
): Fault => ({
  name,
  on: 'request',
  ends,
  serve,
  ...more,
});

/** Sends these bytes, and leaves the connection open. */
export const sends = (name: string, ends: Ends, bytes: (at: FaultContext) => string | Buffer): Fault =>
  fault(name, ends, (at) => at.socket.write(bytes(at)));

/** Sends these bytes, and closes the connection. */
export const cuts = (name: string, ends: Ends, bytes: (at: FaultContext) => string | Buffer): Fault =>
  fault(name, ends, (at) => at.socket.end(bytes(at)));

/** Sends these bytes, and resets the connection once they are out. */
export const resets = (name: string, bytes: (at: FaultContext) => string | Buffer): Fault =>
  fault(name, ends('network'), ({ socket, ...at }) =>
    socket.write(bytes({ socket, ...at }), () => setTimeout(() => socket.resetAndDestroy(), 5)),
  );

/** Sends these bytes, and then nothing. */
export const stalls = (name: string, bytes: (at: FaultContext) => string | Buffer): Fault =>
  fault(name, ends('timeout'), (at) => at.socket.write(bytes(at), at.hush), { isEndless: true });

/** Sends these bytes, and then one chunk after another, forever. */
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

/** As fast as the client reads, forever. */
export function floods(socket: FaultContext['socket'], piece: string): void {
  const bytes = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)));
  const more = () => {
    while (socket.writable && socket.write(bytes));
  };
  socket.on('drain', more);
  more();
}
