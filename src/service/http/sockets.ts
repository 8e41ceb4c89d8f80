/** Limits the connections of a server, so that there is always room for those who send a valid credential. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type Endpoint, networkOf } from './endpoint.ts';

const MOST = { all: 1000, strangers: 500, ofClient: 250 } as const;

/** The file descriptors that are left for the database, documents and programs. */
const DESCRIPTORS_LEFT = 44;

interface Connection {
  readonly socket: Socket;
  readonly client: string;
  /** The number of requests in progress. */
  running: number;
}

/**
 * Closes connections that exceed the limits: the oldest of those that no valid credential came over, and idle ones
 * first. `descriptors` is the number of files that this process may open.
 */
export function limitSockets(server: Server, endpoint: Endpoint, descriptors: number) {
  const free = descriptors - DESCRIPTORS_LEFT;
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
    strangers.set(name, { socket, client, running: 0 });
    makeRoom();
    return socket.once('close', () => {
      strangers.delete(name);
      known.delete(name);
    });
  });
  /** Call it when a request begins. The returned function is for its end, and says if its credential was valid. */
  return (socket: Socket) => {
    const name = nameOf(socket);
    const connection = strangers.get(name) ?? known.get(name);
    if (connection) connection.running++;
    return (isValid: boolean) => {
      if (!connection) return;
      connection.running--;
      // Those that were used last are at the end.
      if (!strangers.delete(name) && !known.delete(name)) return;
      (isValid ? known : strangers).set(name, connection);
    };
  };
}

/** Returns the client's IP address and port, which a TLS socket shares with the socket below it. */
const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

function closeOne(connections: ReadonlyMap<string, Connection>): void {
  // Not the newest one, which has had no time to send anything.
  const all = [...connections.values()].slice(0, -1);
  (all.find(({ running }) => running === 0) ?? all[0])?.socket.destroy();
}
