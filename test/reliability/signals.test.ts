/**
 * A signal ends the tool at any point, by itself, with the right exit code, and leaves no files except the
 * queue.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { remember } from '../support/known-workspaces.ts';
import { dtp, home, type Served, serve, start } from '../support/process.ts';
import { rounds, seed } from '../support/random.ts';
import { cutAnswers, type Deaf, type Delayed, openDeaf, type Serve, stalling } from '../support/stalling.ts';
import {
  codes,
  isThere,
  type Kind,
  moment,
  type Signal,
  signals,
  signalsToTest,
  spooled,
  until,
  writePreload,
} from '../support/stubborn-processes.ts';

const homes: (() => void)[] = [];
const folderOf = () => {
  const { folder, remove } = home();
  homes.push(remove);
  return folder;
};

let answer: Serve = () => undefined;
const server = http.createServer((request, response) => answer(request, response));
let address = '';
/** The embedded service; the stalling one in front of it holds up some of its requests. */
let served: Served;
const servedFolder = folderOf();
let unheard: Deaf;

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  unheard = await openDeaf();
  served = await serve(servedFolder, ['--ephemeral']);
  mkdirSync(join(servedFolder, 'spec'));
  writeFileSync(join(servedFolder, 'spec/openapi.yaml'), `openapi: 3.1.0\n# ${'x'.repeat(200_000)}\n`);
  const pushed = await dtp(
    servedFolder,
    ['artifacts', 'push', 'spec/openapi.yaml', '--namespace', 'pets', '--tag', 'v1'],
    {
      env: environment(served.address, served.key),
    },
  );
  expect(pushed.code, pushed.stderr).toBe(0);
});
afterAll(async () => {
  unheard.close();
  server.closeAllConnections();
  server.close();
  await served.stop();
  for (const remove of homes) remove();
});

const environment = (base: string, key = 'key-of-the-test') => ({
  DTP_BASE_URL: base,
  DTP_API_KEY: key,
  DTP_WORKSPACE_ID: served?.workspace_id ?? 'w_1',
  DTP_ERROR_FORMAT: 'text',
});

/** A folder for a pipe, because a pipe in the current folder is refused. */
const outside = mkdtempSync(join(tmpdir(), 'dtp-test-'));
afterAll(() => rmSync(outside, { recursive: true, force: true }));

interface Point {
  readonly argv: readonly string[];
  /** Prepares the folder before the tool starts. */
  readonly prepare?: (folder: string) => unknown;
  /** Prepares the server. Resolves when the point is reached. */
  readonly reach: (world: { folder: string; told: () => string }) => Promise<unknown>;
  readonly base?: () => string;
  readonly env?: () => Readonly<Record<string, string>>;
  /** Written to standard input, which then stays open. */
  readonly stdin?: string;
  readonly left?: (folder: string, stderr: string) => void | Promise<void>;
  readonly exit?: (signal: Signal) => number;
}

const asked = () =>
  new Promise<void>((done) => {
    answer = () => done();
  });
const answered = (status: number, body = '', headers: Record<string, string> = {}) =>
  new Promise<void>((done) => {
    answer = (_, response) => response.writeHead(status, headers).end(body, () => done());
  });
const held = (holds: Delayed) =>
  new Promise<void>((done) => {
    answer = stalling(served.address, address, holds, done);
  });

const temporary = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('.dtp-'));
const config = (folder: string) => join(folder, 'config/config.json');
const lockOf = (folder: string) => `${config(folder)}.lock`;

const points: Readonly<Record<string, Point>> = {
  'a connection that is not accepted': {
    argv: ['ws', 'current', '-v'],
    base: () => unheard.address,
    reach: async ({ told }) => {
      await until(() => told().includes('> GET'));
      await moment();
    },
  },
  'an upload in progress': {
    argv: ['reports', 'upload', '--type', 'linting', '--file', 'big.html'],
    prepare: (folder) => writeFileSync(join(folder, 'big.html'), Buffer.alloc(32 * 1024 * 1024, 'x')),
    reach: asked,
  },
  'the wait for an answer': { argv: ['ws', 'current'], reach: asked },
  "a retry's wait": {
    argv: ['auth', 'access', '-v'],
    reach: async ({ told }) => {
      await answered(503, '', { 'retry-after': '30' });
      await until(() => told().includes('retrying in'));
    },
  },
  'a download in progress': {
    argv: ['reports', 'linting-url', '5738c7ff7aa1f2e70bb693017378bc67', '--download', 'out.html'],
    reach: async ({ folder }) => {
      answer = cutAnswers(address);
      await until(() => temporary(folder).length > 0);
    },
    left: (folder) => expect(existsSync(join(folder, 'out.html'))).toBe(false),
  },
  'a result that is being written to a file': {
    argv: ['api', '/v1/x', '-o', 'raw', '-O', 'out.bin'],
    reach: async ({ folder }) => {
      answer = cutAnswers(address);
      await until(() => temporary(folder).length > 0);
    },
    left: (folder) => expect(existsSync(join(folder, 'out.bin'))).toBe(false),
  },
  'the wait for a job': {
    argv: ['code-samples', 'jobs', 'get', 'j_1', '--wait', '--poll-interval', '30s'],
    reach: async ({ told }) => {
      await answered(202, '{"status":"running"}');
      await until(() => told().includes('waiting up to'));
    },
    left: (_, stderr) => expect(stderr).toContain('job j_1 is still running; wait for it with: dtp code-samples'),
  },
  'a configuration lock that another process holds': {
    argv: ['config', 'set', 'workspace', 'w_2'],
    prepare: (folder) => {
      mkdirSync(join(folder, 'config'), { mode: 0o700 });
      writeFileSync(lockOf(folder), String(process.pid));
    },
    reach: ({ folder }) =>
      until(() => readdirSync(join(folder, 'config')).some((name) => name.startsWith('config.json.lock.'))),
    left: (folder) => {
      expect(readdirSync(join(folder, 'config'))).toEqual(['config.json.lock']);
      expect(readFileSync(lockOf(folder), 'utf8')).toBe(String(process.pid));
    },
  },
  'a running credential command': {
    argv: ['ws', 'current'],
    env: () => ({ DTP_API_KEY: '', DTP_BASE_URL: '' }),
    prepare: (folder) => {
      mkdirSync(join(folder, 'config'), { mode: 0o700 });
      const profile = {
        base_url: address,
        credential_command: `echo $$ > ${join(folder, 'pid')}; sleep 60; echo key`,
      };
      writeFileSync(config(folder), JSON.stringify({ profiles: { default: profile } }), { mode: 0o600 });
    },
    reach: ({ folder }) =>
      until(() => existsSync(join(folder, 'pid')) && readFileSync(join(folder, 'pid'), 'utf8') !== ''),
    // Its shell has exited with it.
    left: (folder) => until(() => !isThere(Number(readFileSync(join(folder, 'pid'), 'utf8')))),
  },
  'an endless standard input': {
    argv: ['ws', 'create', '--body', '-'],
    stdin: '{"name":',
    reach: moment,
  },
  'a pipe without a writer': {
    argv: ['ws', 'create', '--body', `@${outside}/pipe`],
    prepare: () => existsSync(join(outside, 'pipe')) || execFileSync('mkfifo', [join(outside, 'pipe')]),
    reach: moment,
  },
  'events from an endless input, while the service is silent': {
    argv: ['events', 'post', '--body', '-', '--batch-size', '1'],
    stdin: '{"id":"e_1"}\n{"id":"e_2"}\n',
    reach: async ({ folder }) => {
      await asked();
      await until(() => spooled(folder).length > 0);
    },
    left: async (folder) => {
      const { stdout } = await dtp(folder, ['events', 'queue', 'list', '-o', 'json'], {
        env: environment(address),
      });
      const queuedBatches: readonly { state: string; events: number }[] = JSON.parse(stdout);
      expect(queuedBatches.map(({ state }) => state)).toEqual(queuedBatches.map(() => 'pending'));
      // Every event that was read.
      expect(queuedBatches.reduce((sum, { events }) => sum + events, 0)).toBe(2);
    },
  },
  'a push in progress': {
    argv: ['artifacts', 'push', 'openapi.yaml', '--namespace', 'dogs'],
    env: () => environment(address, served.key),
    prepare: (folder) => writeFileSync(join(folder, 'openapi.yaml'), `openapi: 3.1.0\n# ${'y'.repeat(300_000)}\n`),
    reach: () =>
      held(({ method, url }) =>
        /^(PATCH|PUT)$/.test(method ?? '') && url?.includes('/uploads/') ? 'request' : undefined,
      ),
  },
  'a pull in progress': {
    argv: ['artifacts', 'pull', 'pets:v1', '-O', 'copy'],
    env: () => environment(address, served.key),
    reach: () => held(({ url }) => (url?.includes('/blobs/') ? 'answer' : undefined)),
    left: (folder) => expect(readdirSync(folder).filter((name) => name.includes('copy'))).toEqual([]),
  },
  'dtp dev': {
    argv: ['dev', '--ephemeral', '--', 'sh', '-c', 'echo there > there; exec sleep 60'],
    reach: ({ folder }) => until(() => existsSync(join(folder, 'there'))),
  },
  'dtp serve, which is idle': {
    argv: ['serve', '--ephemeral'],
    reach: ({ folder }) => until(() => existsSync(join(folder, 'ready'))).then(moment),
    exit: () => 0,
  },
};

/** Runs to the point and sends the signal. Returns how it exited, and after how many milliseconds. */
async function interrupted(point: Point, signal: Signal, kind?: Kind) {
  const folder = folderOf();
  point.prepare?.(folder);
  const { env, ready } = writePreload(folder, kind);
  const base = point.base?.() ?? address;
  await remember(join(folder, 'state'), base, 'key-of-the-test', served.workspace_id);
  const child = start(folder, point.argv, {
    env: { ...environment(base), ...env, ...point.env?.() },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdin.on('error', () => undefined);
  if (point.stdin !== undefined) child.stdin.write(point.stdin);
  const ended = new Promise<unknown[]>((done) => child.on('close', (...how) => done(how)));
  const early = ended.then((how) => Promise.reject(new Error(`exited before the signal: ${how} ${stderr}`)));
  await Promise.race([
    Promise.all([point.reach({ folder, told: () => stderr }), until(() => existsSync(ready))]),
    early,
  ]);
  early.catch(() => undefined);
  const from = performance.now();
  child.kill(signal);
  const how = await ended;
  return { folder, how, stdout, stderr, ms: performance.now() - from };
}

describe(`by itself, seed ${seed}`, () => {
  for (const [name, point] of Object.entries(points))
    test.each(signalsToTest())(`${name}: %s`, async (signal) => {
      const { folder, how, stdout, stderr } = await interrupted(point, signal);
      expect(how, stderr).toEqual([point.exit?.(signal) ?? codes[signal], null]);
      if (point.exit === undefined) expect(stdout).toBe('');
      expect(temporary(folder)).toEqual([]);
      await point.left?.(folder, stderr);
    });
});

/** The figure is only meaningful on an idle machine. */
test.skipIf(rounds(0, 1) === 0)('the slowest time is printed', async () => {
  const times: (readonly [string, number])[] = [];
  for (const [name, point] of Object.entries(points))
    for (const signal of signals) times.push([`${name}: ${signal}`, (await interrupted(point, signal, 'forced')).ms]);
  const [slowest] = [...times].sort(([, a], [, b]) => b - a);
  process.stdout.write(`slowest exit after a signal: ${slowest?.[1].toFixed(0)} ms (${slowest?.[0]})\n`);
  expect(times.length).toBe(Object.keys(points).length * signals.length);
});
