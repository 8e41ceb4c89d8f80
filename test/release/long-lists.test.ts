/** Lists of any length: rows are written as they arrive, and a response that is too long to hold is reported. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { effectOf, type Operation } from '../../src/operations/operation.ts';
import { dtp as run, temporaryFolder } from '../support/context.ts';
import { remember } from '../support/known-workspaces.ts';
import { countedOutput } from '../support/peak-memory.ts';
import { home, start } from '../support/process.ts';
import { sampled, seed } from '../support/random.ts';
import type { Row } from '../support/wire.ts';
import { firstRows } from '../support/wire-subjects.ts';

const operationOf = ({ id }: Row): Operation => operations[id as keyof typeof operations];

const isList = (row: Row): boolean => {
  const { id, result, rows, flow } = operationOf(row);
  // The rows of suggestItems are counted, and a change is complete, before the first row is shown.
  const isStreamed = flow !== 'pages' && id !== 'suggestItems' && effectOf(operationOf(row)) === 'read';
  return isStreamed && (result === 'list' || rows !== undefined);
};
const lists = firstRows.filter(isList).map((row) => [row.id, row] as const);

test('the lists are there', () => {
  expect(lists.map(([id]) => id).sort()).toEqual([
    ...['generateCodeSamplePreview', 'getBillingAddOns', 'getCodeSamplePreviewAsync', 'getCodeSamples'],
    ...['getNamespaces', 'getOrganizationUsage', 'getOrganizations', 'getPublishingToken', 'getTags'],
    ...['getWorkspaceEventsByTarget', 'getWorkspaceFeatureFlags', 'getWorkspaceTargets'],
    ...['getWorkspaceTargetsDeprecated', 'getWorkspaceTeam', 'getWorkspaceTokens', 'getWorkspaces'],
    'searchWorkspaceEvents',
  ]);
});

/** What comes before and after the rows in a response of an operation. */
const around = ({ rows }: Operation): readonly [before: string, after: string] =>
  rows === undefined ? ['[', ']'] : [`{"total":2,"${rows}":[`, '],"next_page_token":""}'];

function prepared({ files = {} }: Row, folder: string): string {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

describe('as whole processes', () => {
  const { folder, remove } = home();
  /** The response to each request. */
  let answerOf: (response: http.ServerResponse) => unknown = () => undefined;
  const server = http.createServer((request, response) => {
    request.resume();
    request.on('end', () => answerOf(response.writeHead(200, { 'content-type': 'application/json' })));
  });
  let env: Readonly<Record<string, string>> = {};
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    env = { DTP_BASE_URL: `http://127.0.0.1:${port}`, DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' };
    await remember(join(folder, 'state'), `http://127.0.0.1:${port}`, 'k-1', 'w_1');
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    remove();
  });

  /** Runs the tool to its end. `seen` gets the content of stdout so far. */
  async function ended(argv: readonly string[], cwd: string, seen: (out: string) => void = () => undefined) {
    const child = start(folder, argv, { env, cwd });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => {
      out += chunk;
      seen(out);
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.stdin.end();
    const code = await new Promise((done) => child.on('close', done));
    return { code, out, err };
  }

  test.each(lists)('%s: a row is written before the service sends the next one', async (_, row) => {
    const [before, after] = around(operationOf(row));
    let more: () => void = () => undefined;
    answerOf = (response) => {
      more = () => response.end(`{"id":"\u202e"}${after}`);
      response.write(`${before}{"id":12345678901234567891},`);
    };
    const first = '{"id":12345678901234567891}\n';
    // A selection is compared with the whole answer.
    const all = row.argv.filter((word, at) => ![word, row.argv[at - 1]].includes('--operation-ids'));
    const argv = [...all, '-o', 'ndjson', '--yes'];
    const { code, out, err } = await ended(argv, prepared(row, folder), (seen) => seen === first && more());
    expect([code, out], err).toEqual([0, `${first}{"id":"\\u202e"}\n`]);
  });

  /** Rows of 10 kB until this many bytes are written, or as long as somebody reads. */
  const flood = (bytes: number) => async (response: http.ServerResponse) => {
    const row = `{"id":"${'x'.repeat(10_000)}"}`;
    let length = 0;
    for (let before = '['; length < bytes && !response.destroyed; before = ',') {
      length += row.length;
      if (response.write(before + row)) continue;
      await new Promise<void>((done) => {
        const next = () => {
          response.off('drain', next).off('close', next);
          done();
        };
        response.on('drain', next).on('close', next);
      });
    }
    response.end(']');
  };

  async function counted(bytes: number) {
    answerOf = flood(bytes);
    return countedOutput(start(folder, ['events', 'search', '-o', 'ndjson'], { env }), '\n');
  }

  test('a list beyond 64 MiB is written without using more memory', async () => {
    const [some, many] = [await counted(16e6), await counted(80e6)];
    const rows = Math.ceil(80e6 / 10_009);
    expect(many).toMatchObject({ code: 0, count: rows, length: rows * 10_010, err: '' });
    // If the answer were held in memory, the peak would grow by all of the other 64 MB.
    if (some.peak > 0) expect(many.peak - some.peak).toBeLessThan(45);
  });

  test('| head -1 stops an endless list, with exit code 0 and no message', async () => {
    answerOf = flood(Number.POSITIVE_INFINITY);
    const tool = resolve(import.meta.dirname, '../../bin/dtp.cjs');
    const script = 'set -o pipefail; "$0" "$1" events search -o ndjson | head -1 | wc -l; echo $?';
    const child = spawn('bash', ['-c', script, process.execPath, tool], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, ...env },
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    await new Promise((done) => child.on('close', done));
    expect([out.trim().split(/\s+/), err]).toEqual([['1', '0'], '']);
  });

  test('an interrupted response exits with the network code, after whole lines', async () => {
    let cut: () => void = () => undefined;
    answerOf = (response) => {
      cut = () => response.destroy();
      response.write('[{"id":"1"},{"id":"2"},{"id');
    };
    const rows = '{"id":"1"}\n{"id":"2"}\n';
    const streamed = await ended(['events', 'search', '-o', 'ndjson'], folder, (seen) => seen === rows && cut());
    answerOf = (response) => response.write('[{"id":"1"},', () => response.destroy());
    const whole = await ended(['events', 'search', '-o', 'json'], folder);
    expect([streamed.code, streamed.out, whole.code, whole.out]).toEqual([11, rows, 11, '']);
    expect(JSON.parse(streamed.err)).toEqual(JSON.parse(whole.err));
  });
});

const MIB = 1024 * 1024;

/** Runs a command in this process. Every response is 65 times `piece` between `before` and `after`. */
function asked(argv: readonly string[], [before, after]: readonly [string, string], piece: string, folder: string) {
  const bytes = Buffer.from(piece);
  const body = async function* () {
    yield Buffer.from(before);
    for (let count = 0; count < 65; count++) yield bytes;
    yield Buffer.from(after);
  };
  return run([...argv, '--yes'], {
    home: folder,
    cwd: folder,
    own: 'w_1',
    env: { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' },
    openSend: async () => ({
      send: async () => ({ status: 200, headers: {}, body: body() }),
      close: async () => undefined,
    }),
  });
}

const row = `${JSON.stringify({ id: 'x'.repeat(MIB) })}`;

describe('in this process', () => {
  test.each(sampled(lists, 4))(`%s of more than 64 MiB, row by row (seed ${seed})`, async (_, one) => {
    const [before, after] = around(operationOf(one));
    const folder = temporaryFolder();
    const argv = [...one.argv, '-o', 'ndjson', '--fields', 'id,none', '-O', 'out'];
    const ended = await asked(argv, [`${before}{}`, after], `,${row}`, prepared(one, folder));
    expect(ended).toMatchObject({ code: 0, stdout: '' });
    expect(ended.stderr).toContain('no field "none" in the result');
    const { size } = statSync(join(folder, 'out'));
    const line = `${JSON.stringify({ id: 'x'.repeat(MIB), none: null })}\n`;
    expect(size).toBe('{"id":null,"none":null}\n'.length + 65 * line.length);
  });

  test('a file of rows is written atomically', async () => {
    const folder = temporaryFolder();
    const argv = ['events', 'search', '-o', 'ndjson', '-O', 'out'];
    const ended = await asked(argv, ['[{}', ',x]'], ',{}', folder);
    expect([ended.code, ended.stdout, existsSync(join(folder, 'out'))]).toEqual([12, '', false]);
  });

  const save = 'ave the response unchanged with -o raw -O FILE. Leave out --query, --jq and --retry.';
  const rows = `rint rows as they arrive with -o ndjson, or s${save}`;

  test.each([
    ['events search -o json', 12, 'Save the unmodified response with -o raw -O FILE.'],
    ['events search -o yaml', 14, `Ask for fewer rows with --limit N, p${rows}`],
    ['events search -o ndjson --query [].id', 14, `Ask for fewer rows with --limit N, p${rows}`],
    ['events search -o ndjson --retry 1', 12, `Ask for fewer rows with --limit N, p${rows}`],
    ['ws list -o table', 14, `P${rows}`],
    ['auth user -o ndjson', 12, `S${save}`],
    [
      'artifacts revisions list n --all -o ndjson',
      12,
      'Save one page unchanged with -o raw -O FILE. Leave out --all, --limit, --query, --jq and --retry.',
    ],
    [
      'api /v1/x --paginate -o ndjson',
      12,
      'Save one page unchanged with -o raw -O FILE. Leave out --paginate, --query, --jq and --retry.',
    ],
  ])('dtp %s says what helps', async (line, expected, hint) => {
    const { code, stdout, stderr } = await asked(line.split(' '), ['', ''], ' '.repeat(MIB), temporaryFolder());
    expect([code, stdout]).toEqual([expected, '']);
    expect(stderr).toContain(hint);
  });

  test('dtp api too, although nothing says that the response is JSON', async () => {
    for (const [argv, words] of [
      [['api', '/v1/x', '-o', 'json', '-O', 'out'], 'Write it to a file with -o raw -O FILE.'],
      [['api', '/v1/x', '-o', 'raw'], 'Write it to a file with -O FILE.'],
    ] as const) {
      const { code, stderr } = await asked(argv, ['', ''], ' '.repeat(MIB), temporaryFolder());
      expect(code).toBe(2);
      expect(stderr).toContain(words);
    }
  });

  /** One operation for each kind of response, and each way to get it. */
  test.each([
    'events search',
    'auth user',
    'artifacts revisions list n',
    'api /v1/x',
    'publishing-tokens target ptk_5e20',
  ])('dtp %s -o raw -O FILE has what is too long to be held', async (line) => {
    const folder = temporaryFolder();
    const argv = [...line.split(' '), '-o', 'raw', '-O', 'out'];
    expect(await asked(argv, ['', ''], 'x'.repeat(MIB), folder)).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(join(folder, 'out')).byteLength).toBe(65 * MIB);
  });
});
