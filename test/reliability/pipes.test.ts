/**
 * Closed, full or slow streams: a reader that closes early is fine, a failed write is an error, and nothing is
 * cut off.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formats } from '../../src/render/formats.ts';
import { trustFolderFile } from '../support/folder-file.ts';
import { home } from '../support/process.ts';
import { rounds, sampled, seed } from '../support/random.ts';
import type { Row } from '../support/wire.ts';
import { rows } from '../wire/rows.ts';

const bin = resolve(import.meta.dirname, '../../bin/dtp.cjs');
const { folder, remove } = home();

/** Pages of a list, one megabyte each. */
const pages = rounds(8, 100);
const text = 'x'.repeat(10_000);
const row = JSON.stringify({ id: text, digest: text, tags: [text], created_at: text });
const page = (at: number) => {
  const next = at + 1 < pages ? `,"next_page_token":"${at + 1}"` : '';
  return `{"items":[${Array(Math.ceil(1_000_000 / row.length))
    .fill(row)
    .join(',')}]${next}}`;
};

/** The answers to the requests of test/wire; any other request gets a list in pages, or bytes. */
const replies = new Map(rows.map(({ method, path, reply }) => [`${method} ${path}`, reply]));
const server = http.createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://host');
  request.resume();
  if (url.pathname === '/v1/bytes') return response.end(Buffer.alloc(Math.min(pages, 60) * 1_000_000, 'x\n'));
  // The second page never arrives.
  if (url.pathname === '/v1/artifacts/namespaces/stuck/revisions')
    return url.searchParams.has('next_page_token') ? response : response.end(page(0));
  if (url.pathname === '/v1/artifacts/namespaces/long/revisions')
    return response.end(page(Number(url.searchParams.get('next_page_token') ?? 0)));
  const known = replies.get(`${request.method} ${request.url}`);
  if (known) return response.writeHead(known[0], known[2]).end(known[1]);
  if (url.pathname.endsWith('/preflight')) return response.end('{"auth_token":"t-1"}');
  return response.end(JSON.stringify({ workspace_id: 'w_1', org_slug: 'o', workspace_slug: 'w', id: 'a' }));
});
let address = '';

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  remove();
});

interface Told {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a shell command in which `dtp` is the tool. Standard input is closed unless `input` is given. */
function shell(script: string, argv: readonly string[] = [], cwd = folder, stdin?: string): Promise<Told> {
  return new Promise((done) => {
    const child = spawn('bash', ['-c', `dtp() { "$NODE" "$TOOL" "$@"; }; ${script}`, 'bash', ...argv], {
      cwd,
      env: {
        PATH: process.env.PATH,
        NODE: process.execPath,
        TOOL: bin,
        HOME: folder,
        DTP_CONFIG_DIR: join(folder, 'config'),
        DTP_DATA_DIR: join(folder, 'data'),
        DTP_STATE_DIR: join(folder, 'state'),
        DTP_BASE_URL: address,
        DTP_API_KEY: 'k-1',
        DTP_WORKSPACE_ID: 'w_1',
        DTP_ERROR_FORMAT: 'text',
      },
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin ?? '');
    child.on('close', (code) => done({ code, out, err }));
  });
}

const long = ['artifacts', 'revisions', 'list', 'long', '--all'];
const megabytes = `${pages} MB`;
const large = [
  ...formats.map((format) => [`${megabytes} as ${format}`, [...long, '-o', format]] as const),
  [`${megabytes} of a query`, [...long, '--query', 'items[].id', '-r']] as const,
  [`${Math.min(pages, 60)} MB of bytes`, ['api', '/v1/bytes', '-o', 'raw']] as const,
];

describe('a reader that closes early', () => {
  test.concurrent.each(large)('| head -1 of %s', async (_, argv) => {
    const { out, err } = await shell(`dtp "$@" | head -1 | head -c 1 > first; echo "\${PIPESTATUS[0]}"`, argv);
    expect([out, err]).toEqual(['0\n', '']);
  });

  test('does not wait for a page that was requested ahead', async () => {
    const { out, err } = await shell(
      `dtp artifacts revisions list stuck --all -o ndjson | head -c 1; echo " \${PIPESTATUS[0]}"`,
    );
    expect([out, err]).toEqual(['{ 0\n', '']);
  });

  test.concurrent.each([[['--help']], [['schema', '--all']], [['completion', 'bash']], [['help', 'formats']]])(
    'is not an error for %s',
    async (argv) => {
      const { out, err } = await shell(`dtp "$@" | true; echo "\${PIPESTATUS[0]}"`, argv);
      expect([out, err]).toEqual(['0\n', '']);
    },
  );
});

test.each(sampled(large, 3))(`a slow reader gets every byte of %s, seed ${seed}`, async (_, argv) => {
  const { out, err } = await shell(`dtp "$@" > whole; cksum < whole; dtp "$@" | { sleep 1; cat; } | cksum`, argv);
  const [whole, slow] = out.trim().split('\n');
  expect([slow, err]).toEqual([whole, '']);
  expect(Number(whole?.split(' ')[1])).toBeGreaterThan(1_000_000);
});

/** Local commands with output, one per line. Some read a line from standard input. */
const locals: readonly (readonly [line: string, stdin?: string])[] = [
  ['--version'],
  ['--help'],
  ['ws --help'],
  ['ws tokens create --help'],
  ['ws tokens create --help -o json'],
  ['help exit-codes'],
  ['help exit-codes -o json'],
  ['schema'],
  ['schema ws tokens create'],
  ['schema --all'],
  ['schema --json-schema'],
  ['completion bash'],
  ['completion zsh'],
  ['config list'],
  ['config path'],
  ['config explain'],
  ['config get base_url --profile local'],
  ['auth status'],
  ['doctor'],
  ['doctor -o json'],
  ['events queue list -o json'],
  ['ws tokens create --skeleton'],
  ['ws tokens create --name n --dry-run'],
  ['ws tokens create --name n --curl'],
  ['api /v1/user'],
  ['api /v1/user -i -o raw'],
  ['serve --ephemeral'],
  ['mcp', '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'],
  ['__complete profiles'],
];

/** One row of each operation that has a result on stdout; without a terminal, that is every operation. */
const oneEach = [...new Set(rows.map(({ id }) => id))].map((id) => rows.find((one) => one.id === id)) as readonly Row[];
const operationsOf = sampled(oneEach, 14);

async function prepared({ files = {} }: Row): Promise<string> {
  if (Object.keys(files).length === 0) return folder;
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  await trustFolderFile(folder, folder);
  return folder;
}

describe.skipIf(!existsSync('/dev/full'))('a full disk', () => {
  test.concurrent.each(operationsOf.map((one) => [one.id, one] as const))(`%s fails, seed ${seed}`, async (_, one) => {
    const argv = [...one.argv, '--yes', '--no-input'];
    const cwd = await prepared(one);
    const [whole, full] = await Promise.all([shell('dtp "$@"', argv, cwd), shell('dtp "$@" > /dev/full', argv, cwd)]);
    expect([whole.code, whole.out === ''], whole.err).toEqual([0, false]);
    expect([full.code, full.err]).toEqual([1, expect.stringMatching(/^error: .*no space left on the disk/m)]);
    expect(full.err).not.toMatch(/^ {4}at /m);
  });

  test.concurrent.each(locals)('dtp %s fails', async (line, stdin) => {
    const { code, err } = await shell(`dtp ${line} > /dev/full`, [], folder, stdin);
    expect([code, err]).toEqual([1, expect.stringMatching(/^error: .*(no space left on the disk|ENOSPC)/m)]);
    expect(err).not.toMatch(/^ {4}at /m);
  });
});

/** Of the 8 KiB that the file may hold, the last ones are written by a call that accepts only part of its bytes. */
describe.skipIf(process.platform === 'win32')('a file that accepts only part of the bytes', () => {
  const list = 'artifacts revisions list long';
  const lines = ['schema --all', `${list} --all -o ndjson`, ...formats.map((format) => `${list} -o ${format}`)];
  test.concurrent.each(lines)('dtp %s fails', async (line) => {
    const file = `part-${lines.indexOf(line)}`;
    const { code, err } = await shell(`ulimit -f 8; dtp ${line} > ${file}`);
    const told = 'error: the result could not be written: it would exceed the file size limit';
    expect([code, err.split('\n')[0]]).toEqual([1, told]);
  });
});

describe('streams that are closed from the start', () => {
  const lines = ['ws list', 'ws list -o table', 'events search --limit many', 'api /v1/user -v', '--version'];
  test.concurrent.each(lines)('dtp %s prints the same, and exits with the same code', async (line) => {
    const { code, out } = await shell(`dtp ${line}`);
    const others = await Promise.all([
      shell(`dtp ${line} 2>&-`),
      ...(existsSync('/dev/full') ? [shell(`dtp ${line} 2>/dev/full`)] : []),
      shell(`dtp ${line} 2>&1 >first | true; exit "\${PIPESTATUS[0]}"`).then((told) => ({ ...told, out })),
      shell(`dtp ${line} <&-`),
    ]);
    expect(others.map((told) => [told.code, told.out])).toEqual(others.map(() => [code, out]));
    const silent = await shell(`dtp ${line} >&-`);
    expect([silent.code, silent.out]).toEqual([code, '']);
  });

  test('reading a body from a closed stream is a usage error', async () => {
    const { code, out, err } = await shell('dtp ws create --body - <&-');
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^error: /);
  });
});
