/** A network between a service and its database that can fail: a TCP proxy, whose fault can be changed at any time. */
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from './sqld.ts';

/**
 * `reset`: every connection is reset. `drop`: nothing arrives. `mute`: requests arrive, but not their answers.
 * `cut requests` and `cut answers`: each connection ends after some bytes in that direction.
 */
export const networkFaults = ['reset', 'drop', 'mute', 'cut requests', 'cut answers'] as const;

export type NetworkFault = (typeof networkFaults)[number];

export interface Partition {
  readonly url: string;
  /** Chooses the database. Returns the URL of the proxy. */
  readonly to: (database: string) => string;
  /** Without a fault, the network works. */
  readonly fail: (fault?: NetworkFault) => void;
  /** Ends each connection when a request contains the string: the database has it, and the answer is lost. */
  readonly loseAnswerTo: (text?: string) => void;
  /** How many connections have ended because of `loseAnswerTo`. */
  readonly lost: () => number;
  readonly close: () => void;
}

/** `random` decides where connections are cut. */
export async function openPartition(random: () => number): Promise<Partition> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const pairs = new Set<readonly [client: Socket, database: Socket]>();
  let target = 0;
  let fault: NetworkFault | undefined;
  let losing: string | undefined;
  let lost = 0;
  const end = (pair: readonly [Socket, Socket]) => {
    for (const socket of pair) socket.resetAndDestroy();
    pairs.delete(pair);
  };
  const server = createServer((client) => {
    if (fault === 'reset') return void client.on('error', () => undefined).resetAndDestroy();
    const database = connect(target, '127.0.0.1');
    const pair = [client, database] as const;
    pairs.add(pair);
    let left = Math.floor(random() * 20_000);
    let isLosing = false;
    const pass = (to: Socket, cutting: NetworkFault, dropping: NetworkFault) => (bytes: Buffer) => {
      if (fault === 'drop' || fault === dropping) return;
      if (fault !== cutting) return void to.write(bytes);
      to.write(bytes.subarray(0, left));
      left -= bytes.byteLength;
      if (left < 0) setImmediate(() => end(pair));
    };
    const [ask, answer] = [pass(database, 'cut requests', 'drop'), pass(client, 'cut answers', 'mute')];
    client.on('data', (bytes: Buffer) => {
      isLosing ||= losing !== undefined && bytes.includes(losing);
      ask(bytes);
    });
    database.on('data', (bytes) => {
      if (!isLosing) return answer(bytes);
      lost++;
      return end(pair);
    });
    for (const socket of pair) socket.on('error', () => end(pair)).on('close', () => end(pair));
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  return {
    url,
    to: (database) => {
      target = Number(new URL(database).port);
      return url;
    },
    fail: (next) => {
      fault = next;
      // A network that works again has forgotten the connections. Only some of the others notice it.
      if (next === 'reset' || next === undefined) for (const pair of pairs) end(pair);
    },
    loseAnswerTo: (text) => {
      losing = text;
    },
    lost: () => lost,
    close: () => {
      server.close();
      for (const pair of pairs) end(pair);
    },
  };
}
