/**
 * Every operation × five redirects to another listener, which must get no request; and the one redirect that is
 * followed, hop by hop.
 */
import net from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { errorIn, KEY, runTrials, tryOut } from '../support/faulty-run.ts';
import { answer, TOKEN } from '../support/faulty-server.ts';
import { runQuick } from '../support/run-on-sockets.ts';
import { ends, type Fault } from '../support/wire-fault.ts';
import { download, endOf, everyOperation, postWithoutQueue } from '../support/wire-subjects.ts';

const hops = [301, 302, 303, 307, 308];
let visits: string[] = [];
const other = net.createServer((socket) => {
  const at = visits.push('') - 1;
  socket.on('error', () => undefined);
  socket.on('data', (piece) => {
    visits[at] += piece.toString('latin1');
    if (!visits[at]?.endsWith('\r\n\r\n')) return;
    const hop = Number(/^GET \/hop\/(\d+)/.exec(visits[at] ?? '')?.[1] ?? 0);
    socket.end(hop === 0 ? answer('200 OK', 'abc') : answer('302 Found', '', `location: /hop/${hop - 1}`));
  });
});
const elsewhere = () => `http://127.0.0.1:${(other.address() as net.AddressInfo).port}`;

beforeAll(() => new Promise<void>((done) => void other.listen(0, '127.0.0.1', done)));
afterAll(() => {
  other.close();
});
beforeEach(() => {
  visits = [];
});

const redirect = (status: number, to: (secret: string) => string, ends: Fault['ends']): Fault => ({
  name: String(status),
  on: 'request',
  ends,
  serve: ({ socket, secret }) =>
    socket.write(answer(`${status} Go ${secret}`, `<a>${secret}</a>`, `location: ${to(secret)}`)),
});

test.each(hops)('%i from any operation is reported, and not followed', async (status) => {
  const to = (secret: string) => `${elsewhere()}/v1/${secret}?token=${secret}`;
  const fault = redirect(status, to, ends('bad_response'));
  const trials = [...everyOperation, postWithoutQueue].map((subject) => ({
    fault,
    subject,
    toFile: false,
    end: endOf(fault, subject),
  }));
  const found = await runTrials(trials, 6, (trial) =>
    tryOut(trial, async (...how) => {
      const ended = await runQuick(...how);
      const words = `unexpected redirect to ${elsewhere()}`;
      expect(errorIn(ended.stderr)?.message, trial.subject.name).toMatch(new RegExp(`${words}(\\. |$)`));
      return ended;
    }),
  );
  expect(found).toEqual([]);
  expect(visits).toEqual([]);
});

/** The first URL redirects `to`; returns the result of the download. */
async function fetched(status: number, to: string, end: 'ok' | 'bad_response') {
  const fault = redirect(status, () => to, ends(end));
  let message = '';
  const found = await tryOut({ fault, subject: download, toFile: false, end }, async (...how) => {
    const ended = await runQuick(...how);
    message = errorIn(ended.stderr)?.message ?? '';
    return ended;
  });
  expect(found).toEqual([]);
  // Neither by name nor by value, at any hop.
  expect(visits.join('')).not.toMatch(new RegExp(`x-api-key|authorization|cookie|${KEY}|${TOKEN}`, 'i'));
  return { message, visits: visits.length };
}

test.each(hops)('%i from a signed URL is followed, without a credential', async (status) => {
  expect(await fetched(status, `${elsewhere()}/hop/0`, 'ok')).toEqual({ message: '', visits: 1 });
});

test('five hops are followed, the sixth is not', async () => {
  expect(await fetched(302, `${elsewhere()}/hop/4`, 'ok')).toEqual({ message: '', visits: 5 });
  visits = [];
  expect(await fetched(302, `${elsewhere()}/hop/5`, 'bad_response')).toEqual({
    message: 'the signed URL redirects more than 5 times',
    visits: 5,
  });
});

test.each([
  ['http://files.example.test/r?signature=secret-s1', 'http://files.example.test'],
  ['//files.example.test/r', 'http://files.example.test'],
  ['http://127.0.0.1.example.test/r', 'http://127.0.0.1.example.test'],
  ['http://0.0.0.0:1/r', 'http://0.0.0.0:1'],
  ['ftp://127.0.0.1/r', 'ftp://127.0.0.1'],
  ['file:///etc/passwd', 'file:'],
  ['http://[', 'an invalid URL'],
])('a hop to %s is rejected', async (to, place) => {
  expect(await fetched(302, to, 'bad_response')).toEqual({
    message: `the signed URL points to ${place}, which is neither https nor loopback`,
    visits: 0,
  });
});
