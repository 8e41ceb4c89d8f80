/** A server that records the requests of code samples, and compares each with what was expected. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { readAll } from '../../src/request/http.ts';
import type { ExpectedBody, ExpectedRequest } from './expected-request.ts';

interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface SampleRecorder {
  /** The samples of operation `7` send their requests to `${address}/s7`. */
  readonly address: string;
  /** What differs from the expected requests. Forgets the recorded requests. */
  readonly differences: (expected: readonly ExpectedRequest[]) => Promise<readonly string[]>;
  readonly close: () => void;
}

/** Headers that clients add by themselves. */
const OWN = new Set([
  ...['host', 'user-agent', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'expect'],
  ...['accept', 'accept-encoding', 'accept-language', 'sec-fetch-mode', 'upgrade', 'http2-settings'],
]);

/** Ruby says that an empty body is a form. */
const isOwn = (name: string, { headers, body }: Recorded): boolean =>
  OWN.has(name) || (name === 'content-type' && body.length === 0 && /^Ruby$/.test(headers['user-agent'] ?? ''));

export async function recordSamples(): Promise<SampleRecorder> {
  const recorded = new Map<number, Recorded[]>();
  const server = createServer(async (request, response) => {
    const [, index, path = ''] = /^\/s(\d+)(.*)$/.exec(request.url ?? '') ?? [];
    const body = Buffer.from((await readAll(request, 2 ** 26)) ?? []);
    const one = { method: request.method ?? '', path, headers: request.headers, body };
    recorded.set(Number(index), [...(recorded.get(Number(index)) ?? []), one]);
    response.end('ok');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    differences: async (expected) => {
      const all = [...recorded.keys()].filter((index) => !(index in expected)).map((index) => `unexpected /s${index}`);
      for (const [index, one] of expected.entries()) {
        const [request, ...more] = recorded.get(index) ?? [];
        const name = `/s${index} ${one.method} ${one.path.slice(0, 80)}`;
        if (!request) all.push(`${name}: no request`);
        else if (more.length > 0) all.push(`${name}: ${1 + more.length} requests`);
        else all.push(...(await faultsOf(request, one)).map((fault) => `${name}: ${fault}`));
      }
      recorded.clear();
      return all;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const show = (value: unknown) => String(JSON.stringify(value)).slice(0, 300);

async function faultsOf(request: Recorded, expected: ExpectedRequest): Promise<readonly string[]> {
  const faults: string[] = [];
  const compare = (name: string, actual: unknown, wanted: unknown) => {
    if (!isDeepStrictEqual(actual, wanted)) faults.push(`${name} is ${show(actual)}, not ${show(wanted)}`);
  };
  compare('method', request.method, expected.method);
  // Escapes are in either case.
  const path = request.path.replace(/%[0-9a-f]{2}/gi, (found) => found.toUpperCase());
  compare('path', path, expected.path);
  const sent = Object.entries(request.headers).filter(([name]) => !isOwn(name, request) || name in expected.headers);
  // The clients choose the boundary of a multipart form.
  const headers = Object.fromEntries(sent.map(([name, value]) => [name, String(value).replace(/; *boundary=.*/, '')]));
  compare('headers', headers, expected.headers);
  compare('body', await bodyOf(request, expected.body).catch(String), comparable(expected.body));
  return faults;
}

/** Clients may write a line break in a form in their way. */
const lines = (text: string) => text.replace(/\r\n?/g, '\n');

const wellFormed = (text: string) => Buffer.from(text).toString();

function comparable(body: ExpectedBody | undefined): unknown {
  if (!body) return '';
  if ('json' in body) return { json: body.json };
  if ('pairs' in body) return { pairs: body.pairs.map((pair) => pair.map(wellFormed)) };
  if ('bytes' in body) return { bytes: Buffer.from(body.bytes).toString('base64') };
  return {
    parts: body.parts.map(([name, value]) => [
      name,
      typeof value === 'string' ? lines(value) : Buffer.from(value).toString('base64'),
    ]),
  };
}

async function bodyOf({ headers, body }: Recorded, expected: ExpectedBody | undefined): Promise<unknown> {
  if (!expected) return body.toString();
  if ('json' in expected) return { json: JSON.parse(body.toString()) };
  if ('pairs' in expected) return { pairs: [...new URLSearchParams(body.toString())] };
  if ('bytes' in expected) return { bytes: body.toString('base64') };
  const type = String(headers['content-type']);
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const parts: unknown[] = [];
  for (const [name, value] of form as unknown as Iterable<[string, string | File]>) {
    const isFile = typeof value !== 'string';
    if (isFile && value.name !== 'FILE') parts.push(`the file is named ${value.name}`);
    parts.push([name, isFile ? Buffer.from(await value.arrayBuffer()).toString('base64') : lines(value)]);
  }
  return { parts };
}
