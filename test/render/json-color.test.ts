/** JSON in color: on a terminal, or if the user insists, and the same text without the escape sequences. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, test } from 'vitest';
import { render } from '../../src/render/index.ts';
import { coloredJson } from '../../src/render/json-color.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { service } from '../support/function-service.ts';

const terminal = { color: true, width: 80, now: 0 };
const value = {
  id: 'a "quoted" \\ name',
  'a:b': '{"x": 1, "y": [true, null]}',
  long: 12345678901234567890n,
  small: -1.5e-7,
  list: [true, false, null, 0, '', 'é👩‍💻', '\u001b[31m'],
  none: {},
};

it.each(['json', 'ndjson'] as const)('-o %s is the same text, in color', async (format) => {
  const plain = await render(value, format, { color: false });
  const text = await render(value, format, terminal);
  expect(text).not.toBe(plain);
  expect(stripVTControlCharacters(text)).toBe(plain);
  expect(await render(value, format, { ...terminal, color: false })).toBe(plain);
});

it.each(['json', 'ndjson', 'raw', 'yaml', 'csv'] as const)('-o %s has no color in a pipe', async (format) => {
  expect(await render(value, format, { color: true })).not.toContain('\u001b');
});

describe('in a pipe', () => {
  const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' };
  const run = (line: string, more: World = {}) => {
    const { openSend } = service(({ url }) =>
      url.endsWith('/w_2') ? [404, { message: 'no' }] : [200, [{ id: 'w_1' }]],
    );
    return dtp(line.split(' '), { openSend, own: 'w_1', ...more, env: { ...env, ...more.env } });
  };

  test.each([
    ['JSON', 'ws list'],
    ['JSON lines', 'ws list -o ndjson'],
    ['a table', 'ws list -o table'],
    ['a response as it is', 'api /v1/workspaces'],
    ['help', 'ws --help'],
    ['an error', 'ws get -w w_2 --error-format text'],
  ])('%s has color with --color always, and only then', async (_, line) => {
    const [plain, colored] = await Promise.all([run(line), run(`${line} --color always`)]);
    expect(plain.stdout + plain.stderr).not.toContain('\u001b');
    expect(colored.stdout + colored.stderr).toContain('\u001b[');
    for (const stream of ['stdout', 'stderr'] as const)
      expect(stripVTControlCharacters(colored[stream])).toBe(plain[stream]);
  });

  test.each(['ws list', 'ws list -o ndjson', 'ws list -o csv --color always', 'api /v1/workspaces'])(
    'dtp %s is for a parser, also with FORCE_COLOR',
    async (line) => {
      const { code, stdout } = await run(line, { env: { FORCE_COLOR: '1' } });
      expect([code, stdout]).toEqual([0, expect.not.stringContaining('\u001b')]);
    },
  );

  test('a file of -O is for a parser', async () => {
    const home = temporaryFolder();
    await run('ws list -O list.json --color always', { home });
    expect(JSON.parse(readFileSync(join(home, 'list.json'), 'utf8'))).toEqual([{ id: 'w_1' }]);
  });
});

test('names, strings, numbers and words have different colors', () => {
  expect(coloredJson('{"a": "b", "c": [-1.5e3, true, null]}')).toBe(
    '{\u001b[1m"a"\u001b[22m: \u001b[32m"b"\u001b[39m, \u001b[1m"c"\u001b[22m: ' +
      '[\u001b[33m-1.5e3\u001b[39m, \u001b[33mtrue\u001b[39m, \u001b[2mnull\u001b[22m]}',
  );
});

test('an escaped quote does not end a string', () => {
  expect(coloredJson(String.raw`["a\"1", "\\"]`)).toBe(
    String.raw`[G"a\"1"E, G"\\"E]`.replaceAll('G', '\u001b[32m').replaceAll('E', '\u001b[39m'),
  );
});

test('JSON that nobody can read on a screen stays plain', () => {
  const text = JSON.stringify('x'.repeat(5 * 1024 * 1024));
  expect(coloredJson(text)).toBe(text);
});
