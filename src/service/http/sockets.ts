/** Limits the connections of a server, so that there is always room for those who send a valid credential. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type Endpoint, networkOf } from './endpoint.ts';

const MOST = { all: 1000, strangers: 500, ofClient: 250 } as const;

/** After how long without a request a connection counts as idle, in milliseconds. A new one has not sent any yet. */
const IDLE_MS = 1000;

/** The file descriptors that are left for the database, documents and programs. */
const DESCRIPTORS_LEFT = 44;

interface Connection {
  readonly socket: Socket;
  readonly client: string;
  /** The number of requests in progress. */
  running: number;
  /** When it was opened or used last, in milliseconds. */
  since: number;
}

/**
 * Closes connections that exceed the limits: the oldest of those that no valid credential came over, and idle ones
 * first. `descriptors` is the number of files that this process may open.
 */
export function limitSockets(server: Server, endpoint: Endpoint, descriptors: number) {
  // A request with a file in a form has a temporary file too.
  const free = Math.floor((descriptors - DESCRIPTORS_LEFT) / 2);
  const all = Math.max(8, Math.min(MOST.all, free));
  const most = Math.max(4, Math.min(MOST.strangers, Math.floor(free / 2)));
  const strangers = new Map<string, Connection>();
  const known = new Map<string, Connection>();
  const makeRoom = () => {
    if (strangers.size > most) closeOne(strangers);
    else if (strangers.size + known.size > all) closeOne(strangers.size > 1 ? strangers : known);
  };
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket);
    const client = networkOf(socket.remoteAddress ?? '');
    const own = [...strangers.values(), ...known.values()].filter((one) => one.client === client);
    // Behind a proxy, all clients share its IP address, so the proxy must limit each of them.
    if (endpoint.isPublic && !endpoint.isBehindProxy && own.length >= MOST.ofClient) return socket.destroy();
    strangers.set(name, { socket, client, running: 0, since: performance.now() });
    makeRoom();
    return socket.once('close', () => {
      strangers.delete(name);
      known.delete(name);
    });
  });
  /** Call it when a request begins, and then `known` if its credential is valid, and `end`. */
  return (socket: Socket) => {
    const name = nameOf(socket);
    const connection = strangers.get(name) ?? known.get(name);
    let isKnown = false;
    const use = (running: number) => {
      if (!connection) return;
      connection.running += running;
      connection.since = performance.now();
      // Those that were used last are at the end.
      if (strangers.delete(name) || known.delete(name)) (isKnown ? known : strangers).set(name, connection);
    };
    if (connection) connection.running++;
    return {
      known: () => {
        isKnown = true;
        use(0);
      },
      end: () => use(-1),
    };
  };
}

/** Returns the client's IP address and port, which a TLS socket shares with the socket below it. */
const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

function closeOne(connections: ReadonlyMap<string, Connection>): void {
  const all = [...connections.values()];
  const before = performance.now() - IDLE_MS;
  (all.find(({ running, since }) => running === 0 && since < before) ?? all[0])?.socket.destroy();
}
