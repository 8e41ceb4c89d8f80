/** Remembers how connections ended, because the HTTP client reports less than their sockets do. */
import { subscribe } from 'node:diagnostics_channel';
import type net from 'node:net';

/** The requests that were sent on each connection, and how many bytes it had received when the last one began. */
const sent = new WeakMap<net.Socket, { readonly requests: number; readonly received: number }>();

interface Ending {
  /** The first error of the socket. It may be an alert of TLS, which the HTTP client replaces. */
  readonly first: Error;
  /** Whether the connection was used before, and ended before any byte of the answer to its last request. */
  readonly isStale: boolean;
}

const endings = new WeakMap<object, Ending>();

// The client publishes this right before it writes a request to a socket.
subscribe('undici:client:sendHeaders', (message) => {
  const { socket } = message as { readonly socket: net.Socket };
  sent.set(socket, { requests: (sent.get(socket)?.requests ?? 0) + 1, received: socket.bytesRead });
});

/** Remembers how a connection ends. Call it before the HTTP client uses the socket. */
export function watchEnd(socket: net.Socket): void {
  let first: Error | undefined;
  socket.prependListener('error', (error: Error) => {
    first ??= error;
    const { requests = 0, received = 0 } = sent.get(socket) ?? {};
    endings.set(error, { first, isStale: requests > 1 && socket.bytesRead === received });
  });
}

/** Returns how the connection ended that failed with this error of the HTTP client. Undefined for other errors. */
export const endingOf = (error: unknown): Ending | undefined =>
  typeof error === 'object' && error !== null ? endings.get(error) : undefined;
