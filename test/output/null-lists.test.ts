/** Services may send null for an empty list: as the whole response, or in the field with the rows. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { firstRows } from '../support/wire-subjects.ts';

const lists = firstRows.flatMap((row) => {
  const operation: Operation = operations[row.id as keyof typeof operations];
  const { result, rows } = operation;
  if (result !== 'list' && rows === undefined) return [];
  const whole = [`${row.id}: null`, row, operation, 'null'] as const;
  return rows === undefined ? [whole] : [whole, [`${row.id}: ${rows}`, row, operation, `{"${rows}":null}`] as const];
});

/** Runs a command against a service that answers `text`. */
async function answered(argv: readonly string[], text: string, world: World = {}) {
  const openSend: World['openSend'] = async () => ({
    send: async () => ({ status: 200, headers: { 'content-type': 'application/json' }, body: piece(text) }),
    close: async () => undefined,
  });
  const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' };
  return dtp(argv, { own: 'w_1', ...world, openSend, env });
}

async function* piece(text: string) {
  yield Buffer.from(text);
}

function folderWith(files: Readonly<Record<string, string>> = {}): string {
  const home = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  return home;
}

test('every operation that answers with a list is in the table', () => {
  expect(new Set(lists.map(([, { id }]) => id)).size).toBe(20);
});

describe.each(lists)('%s', (_, { id, argv, files }, { input, rows }, text) => {
  // One suggestion is expected for each item, so no items are sent.
  const words =
    id === 'suggestItems' ? ['suggest', 'items', '--body', '{"prompt":"x","items":[]}'] : [...argv, '--yes'];

  test.each([
    ['json', JSON.parse(text)],
    ['yaml', text === 'null' ? null : text.replace(/[{}"]/g, '').replace(':', ': ')],
    ['ndjson', ''],
    ['csv', undefined],
    ['tsv', undefined],
    ['name', ''],
    // Suggestions are strings, so they are checked and printed without quotes.
    ['raw', id === 'suggestItems' ? '' : text],
    ['table', undefined],
  ])('-o %s', async (format, expected) => {
    const { code, stdout, stderr } = await answered([...words, '-o', format], text, {
      home: folderWith(files),
    });
    expect([code, stderr.includes('error')], stderr).toEqual([0, false]);
    if (format === 'json') expect(JSON.parse(stdout)).toEqual(expected);
    else if (expected !== undefined) expect(stdout.trim()).toBe(String(expected));
    // At most the header row.
    else expect(stdout.split('\n').filter(Boolean).length).toBeLessThanOrEqual(1);
    expect(stdout).not.toMatch(/^null\n?$/m.test(String(expected)) ? /never/ : /^null$/m);
  });

  test.runIf(text === 'null' && rows === undefined)('--query', async () => {
    const queried = await answered([...words, '--query', 'length(@)'], text, { home: folderWith(files) });
    expect([queried.code, queried.stdout], queried.stderr).toEqual([0, '0\n']);
  });

  test('on a terminal', async () => {
    const { code, stdout, stderr } = await answered(words, text, { home: folderWith(files), tty: true });
    expect([code, stdout.trim()], stderr).toEqual([0, '']);
    expect(stderr).toContain('no results');
  });

  test.runIf('next_page_token' in input)('--all and --limit', async () => {
    for (const more of [['--all'], ['--limit', '3']])
      for (const [format, expected] of [
        ['json', '{\n  "items": []\n}\n'],
        ['ndjson', ''],
      ]) {
        const { code, stdout, stderr } = await answered([...words, ...more, '-o', format ?? ''], text);
        expect([code, stdout], stderr).toEqual([0, expected]);
      }
  });
});

test('dtp api --paginate', async () => {
  for (const text of ['null', '{"items":null}']) {
    const { code, stdout, stderr } = await answered(
      ['api', '/v1/artifacts/namespaces/pets/revisions', '--paginate', '-o', 'ndjson'],
      text,
    );
    expect([code, stdout], stderr).toEqual([0, '']);
  }
});

test('--out-dir writes no files', async () => {
  for (const text of ['null', '{"snippets":null}']) {
    const home = temporaryFolder();
    const argv = ['code-samples', 'get', '--registry-url', 'https://r.example.test/a/b/c', '--out-dir', 'out'];
    const { code, stderr } = await answered(argv, text, { home });
    expect([code, readdirSync(join(home, 'out'))], stderr).toEqual([0, []]);
  }
});

test('null is not a list where a record is expected, and a response without its list is an error', async () => {
  expect((await answered(['ws', 'get', '-o', 'ndjson'], 'null')).stdout).toBe('null\n');
  expect((await answered(['artifacts', 'revisions', 'list', 'pets'], '{}')).code).toBe(12);
});
