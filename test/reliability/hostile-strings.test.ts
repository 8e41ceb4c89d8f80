/** A service may send anything: none of it acts on a terminal, and JSON loses nothing, in the whole program. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Clock } from '../../src/clock.ts';
import { DtpError } from '../../src/errors.ts';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { formats } from '../../src/render/formats.ts';
import type { Send } from '../../src/request/http.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { bareIn, hostileText, infected } from '../support/hostile.ts';
import { sampled, seed } from '../support/random.ts';
import type { Row } from '../support/wire.ts';
import { rows } from '../wire/rows.ts';

const operationOf = ({ id }: Row): Operation => operations[id as keyof typeof operations];

/** The answer of the row's service, with every column filled and a nested value. */
function answerOf(row: Row): unknown {
  const { result, columns = [], rows: list } = operationOf(row);
  if (result === 'none') return undefined;
  const answerText = row.reply[1] === undefined ? '{}' : String(row.reply[1]);
  if (result === 'text') return answerText;
  const value = parsed(answerText);
  const filled = (one: unknown) =>
    isRecord(one)
      ? { ...Object.fromEntries(columns.map((name) => [name, 'a'])), ...one, nested: [{ a: ['b'] }, 'c'] }
      : one;
  const all = (many: readonly unknown[]) => (many.length === 0 ? [{}] : many).map(filled);
  if (Array.isArray(value)) return all(value);
  if (!isRecord(value)) return value;
  const inner = list === undefined ? undefined : (value[list] ?? []);
  return list !== undefined && Array.isArray(inner) ? { ...value, [list]: all(inner) } : filled(value);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const bytes = (value: unknown) =>
  Buffer.from(value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value));

/** Gives the same answer to everything except a request for a namespace's token. */
const answering =
  (status: number, body: Uint8Array, headers: Readonly<Record<string, string>> = {}, ofToken = false): Send =>
  async ({ url }) => {
    const isPreflight = ofToken && url.endsWith('/preflight') && status < 300;
    return {
      status: isPreflight ? 200 : status,
      headers: { 'x-request-id': `r${hostileText}`, [`x-${hostileText}`]: hostileText, ...headers },
      body: (async function* () {
        yield isPreflight ? Buffer.from('{"auth_token":"t-1"}') : body;
      })(),
    };
  };

/** A folder with the files of a row. */
function prepared({ files = {} }: Row): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** A clock on which nothing happens: deadlines are never reached, and no spinner turns. */
const still: Clock = {
  now: () => 0,
  sleep: (_, signal) =>
    new Promise((__, failed) => {
      signal?.addEventListener('abort', () => failed(signal.reason));
    }),
};

const world = (row: Row, send: Send, more: World = {}): World => {
  const home = prepared(row);
  return {
    home,
    openSend: async () => ({ send, close: async () => undefined }),
    clock: still,
    ...more,
    // Without colors, none of the escapes in the output is the tool's.
    env: { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', NO_COLOR: '1', ...more.env },
  };
};

/** One row of each operation: if there is one, a row whose answer is a value. */
const oneEach = [...new Set(rows.map(({ id }) => id))].map(
  (id) => rows.find((row) => row.id === id && row.reply[1] !== undefined) ?? rows.find((row) => row.id === id),
) as readonly Row[];

interface Look {
  readonly argv: readonly string[];
  readonly tty: boolean;
  readonly columns?: number;
}

const fields = `id,${`name${hostileText}`.replaceAll(/[,.\n]/g, '')},nested,missing\u001b[2J`;
const looks: readonly Look[] = [true, false].flatMap((tty) => [
  { argv: [], tty },
  ...formats.map((format) => ({ argv: ['-o', format], tty })),
  ...['json', 'table', 'csv'].map((format) => ({ argv: ['-o', format, '--fields', fields], tty })),
  { argv: ['-r'], tty },
  { argv: ['--query', '@', '-o', 'table'], tty },
  { argv: ['--query', '@', '-o', 'table'], tty, columns: 12 },
  { argv: ['--query', '@ || `null`', '-r', '-v', '--debug'], tty },
  { argv: ['--query', 'values(@)', '-r'], tty },
]);

/** Formats that print strings unchanged, and are not shown to a person. */
const isAsItIs = (row: Row, { argv, tty }: Look) =>
  !tty &&
  (['raw', 'csv', 'tsv', '-r'].some((one) => argv.includes(one)) ||
    (argv.length === 0 && operationOf(row).result === 'bytes'));

/**
 * Cells in these formats keep their tabs and line breaks, which separate cells for a program and are harmless on
 * a terminal.
 */
const allowedIn = (row: Row, { argv, tty }: Look) =>
  ['csv', 'tsv', 'raw', '-r'].some((one) => argv.includes(one)) || tty || operationOf(row).result === 'text'
    ? '\n\t'
    : '\n';

const cases = rows.flatMap((row) => looks.map((look) => [row, look] as const));
const drawn = new Set(sampled(cases, 350));
const runs = rows.map(
  (row) =>
    [
      `${row.id} ${row.argv.join(' ')}`,
      row,
      cases.filter((one) => one[0] === row && drawn.has(one)).map(([, look]) => look),
    ] as const,
);

describe(`answers, seed ${seed}`, () => {
  test.each(runs.filter(([, , mine]) => mine.length > 0))('%s', async (_, row, mine) => {
    const value = infected(answerOf(row));
    const send = answering(row.reply[0], bytes(value), row.reply[2], row.tokenOf !== undefined);
    for (const look of mine) {
      const { argv, tty, columns = 80 } = look;
      const given = [...row.argv, '--yes', ...argv];
      const { code, stdout, stderr } = await dtp(
        given,
        world(row, send, { tty, columns, env: { DTP_ERROR_FORMAT: 'text' } }),
      );
      const what = `${argv.join(' ')} tty ${tty}, exit ${code}`;
      expect(bareIn(stderr, argv.includes('--debug') ? '\n\t' : '\n'), what).toEqual([]);
      if (!isAsItIs(row, look)) expect(bareIn(stdout, allowedIn(row, look)), what).toEqual([]);
    }
  });
});

/** Rows whose answer is printed as it came: no counts of sent data, no flow. */
const printed = oneEach.filter(
  (row) =>
    operationOf(row).result !== 'none' && operationOf(row).result !== 'bytes' && row.id !== 'postWorkspaceEvents',
);

test.each(printed.map((row) => [row.id, row] as const))(
  '%s: JSON, NDJSON and YAML parse back equal',
  async (_, row) => {
    const sent = infected(answerOf(row));
    // A string by itself is printed as UTF-8, which cannot contain lone surrogates.
    const value = typeof sent === 'string' ? bytes(sent).toString() : sent;
    const send = answering(row.reply[0], bytes(value), row.reply[2]);
    // The operations that the row selects are not in the answer.
    const argv = row.argv.filter((word, at) => ![word, row.argv[at - 1]].includes('--operation-ids'));
    const shown = async (format: string, tty: boolean) => {
      const { code, stdout, stderr } = await dtp([...argv, '--yes', '-o', format], world(row, send, { tty }));
      expect(code, stderr).toBe(0);
      return stdout;
    };
    for (const tty of [true, false]) {
      expect(JSON.parse(await shown('json', tty))).toEqual(value);
      expect(parse(await shown('yaml', tty))).toEqual(value);
      const list = operationOf(row).rows;
      const all = Array.isArray(value)
        ? value
        : list === undefined
          ? [value]
          : (value as Record<string, unknown>)[list];
      const lines = (await shown('ndjson', tty)).trimEnd().split('\n');
      expect(lines.map((line) => JSON.parse(line))).toEqual(all);
    }
  },
);

describe('errors', () => {
  const over = new DtpError('timeout', 'over');
  const body = infected({ message: 'no', hint: 'h', details: [{ message: 'm', code: 'c' }], token: 't' });
  const refusals = [
    [422, bytes(body)],
    [500, bytes(`<html>${hostileText}`)],
    [302, bytes('')],
    [401, bytes(body)],
  ] as const;
  const all = oneEach.flatMap((row) => refusals.map(([status, sent]) => [row.id, status, row, sent] as const));
  test.each(sampled(all, 90))(`%s %i, seed ${seed}`, async (_, status, row, sent) => {
    {
      const send = answering(status, sent, {
        location: `https://other.example/${encodeURI('\u202e')}`,
        'retry-after': hostileText,
      });
      for (const more of [[], ['--debug'], ['--error-format', 'json']])
        for (const tty of [true, false]) {
          const env = { DTP_ERROR_FORMAT: 'text' };
          const given = [...row.argv, '--yes', '--no-input', ...more];
          // The declared retries would wait forever.
          const clock: Clock = {
            ...still,
            sleep: (ms, signal) => (ms < 5000 ? Promise.reject(over) : still.sleep(ms, signal)),
          };
          const { code, stdout, stderr } = await dtp(given, world(row, send, { tty, env, clock }));
          expect([code === 0, stdout], stderr).toEqual([false, '']);
          expect(bareIn(stderr, more[0] === '--debug' ? '\n\t' : '\n'), `${status} ${more} ${tty}`).toEqual([]);
        }
    }
  });

  test('JSON has the complete message, details and request id', async () => {
    const row = oneEach.find(({ id }) => id === 'getUser') as Row;
    const argv = [...row.argv, '--error-format', 'json'];
    const { error } = JSON.parse((await dtp(argv, world(row, answering(422, bytes(body))))).stderr);
    expect(error.request_id).toBe(`r${hostileText}`);
    // A sentence has no line breaks.
    expect(error.message).toContain(hostileText.slice(0, 100).replace(/[\t\n\r]/g, ' '));
    expect(error.details.message).toBe(`no${hostileText}`);
    expect(error.details.details).toEqual((body as { details: unknown }).details);
  });
});

describe('other output', () => {
  const ask = (argv: readonly string[], send: Send, more: World = {}) =>
    dtp(argv, { ...world(oneEach[0] as Row, send, more), clock: more.clock ?? still });
  const user = answering(200, bytes(infected({ id: 'u_1' })));

  test('the head of an answer', async () => {
    for (const tty of [true, false]) {
      const raw = await ask(['api', 'v1/user', '-i', '-o', 'raw'], answering(200, Buffer.from('plain')), {
        tty,
      });
      expect(raw).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('HTTP 200') });
      expect(bareIn(raw.stdout)).toEqual([]);
      const { code, stdout, stderr } = await ask(['api', 'v1/user', '-i', '-o', 'json'], user, { tty });
      expect([code, JSON.parse(stdout)]).toEqual([0, infected({ id: 'u_1' })]);
      expect(stderr).toContain('HTTP 200');
      expect(bareIn(stderr)).toEqual([]);
    }
  });

  test('the token of the next page', async () => {
    const page = answering(200, bytes({ items: [], next_page_token: hostileText }));
    const { code, stderr } = await ask(['artifacts', 'revisions', 'list', 'n'], page, { tty: true });
    expect([code, bareIn(stderr)]).toEqual([0, []]);
    // A command with hidden characters could not be pasted, so a placeholder stands for the value.
    expect(stderr).toMatch(/--page-token\s+VALUE/);
  });

  test('the name of a file', async () => {
    const name = `a\u001b[2J\u202eb.html`;
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, name), 'x');
    const upload = ['reports', 'upload', '--type', 'linting', '--file', name];
    const { code, stderr } = await ask(
      upload,
      async (request, options) => {
        if (request.body && 'open' in request.body) for await (const _ of request.body.open());
        return user(request, options);
      },
      { cwd, tty: true },
    );
    expect([code, bareIn(stderr)]).toEqual([0, []]);
    expect(stderr).toContain('b.html (1 byte)');
    const missing = await ask(['reports', 'upload', '--type', 'linting', '--file', `no${name}`], user, {
      cwd,
      tty: true,
    });
    expect([missing.code, bareIn(missing.stderr)]).toEqual([2, []]);
  });
});
