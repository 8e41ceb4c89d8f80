/** Narrow terminals: sentences wrap between words, and what people copy stays in one piece. */
import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it, test } from 'vitest';
import type { Context } from '../../src/context.ts';
import { helpTextOf } from '../../src/describe/help/print.ts';
import { DtpError } from '../../src/errors.ts';
import { openLinePrompts } from '../../src/prompt/lines.ts';
import { checksText } from '../../src/render/checks.ts';
import { render } from '../../src/render/index.ts';
import { messageText } from '../../src/render/message.ts';
import { hangText, wrapWords } from '../../src/render/width.ts';
import { labelOfTitle } from '../../src/render/words.ts';
import { dtp } from '../support/context.ts';
import { service } from '../support/function-service.ts';

const lines = (...all: readonly string[]) => `${all.join('\n')}\n`;
const id = 'c7830485-0574-45e1-9139-9ef9b8a21958';

describe('a sentence', () => {
  it.each<[text: string, ...lines: string[]]>([
    ['fits', 'fits'],
    ['two words that wrap', 'two words', 'that wrap'],
    [`is at https://x.test/${'a'.repeat(20)} now`, 'is at', `https://x.test/${'a'.repeat(20)}`, 'now'],
    ['List it with: dtp ws tokens list', 'List it', 'with:', 'dtp ws tokens list'],
    ['Run "dtp ws get --help" for details', 'Run', '"dtp ws get --help"', 'for', 'details'],
    ['Alias: dtp ws tokens, dtp tokens', 'Alias:', 'dtp ws tokens,', 'dtp tokens'],
    ['fix: dtp ws use -w a,b', 'fix:', 'dtp ws use -w a,b'],
    // Without a colon or quotes, it may as well be the subject of the sentence.
    ['dtp keeps no data', 'dtp keeps', 'no data'],
  ])('%s', (text, ...expected) => {
    expect(wrapWords(text, 10)).toEqual(expected);
  });

  it('hangs below its own start, and is whole without a width', () => {
    expect(hangText('one two three', 7, 16)).toBe('one two\n       three');
    expect(hangText('one two three', 7, undefined)).toBe('one two three');
  });
});

test('an error', () => {
  const error = new DtpError('usage', 'one two three four five', {
    hint: 'six seven eight nine ten eleven',
    next: ['dtp ws tokens list --output json'],
  });
  expect(messageText(error, { color: false, debug: false, width: 20 })).toBe(
    lines(
      ...['error: one two three', '       four five'],
      ...['  six seven eight', '  nine ten eleven', '  try: dtp ws tokens list --output json'],
    ),
  );
});

describe('notes', () => {
  const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1' };
  const { openSend } = service(() => [200, { result: [], next_page_token: '' }]);
  // A deprecated command warns.
  const argv = ['suggest', 'openapi', '--schema', 'openapi.yaml'];

  it('wrap on a terminal only', async () => {
    const warning = 'warning: dtp suggest openapi is deprecated\n';
    const shown = async (more: { readonly tty?: boolean; readonly columns?: number }) =>
      (await dtp(argv, { env: { ...env, DTP_ERROR_FORMAT: 'text' }, openSend, ...more })).stderr;
    expect(await shown({})).toContain(warning);
    expect(await shown({ tty: true, columns: 80 })).toContain(warning);
    expect(await shown({ tty: true, columns: 40 })).toContain(
      lines('warning: dtp suggest openapi is', '         deprecated'),
    );
  });
});

describe('a record', () => {
  const show = (value: object, width = 40) => render(value, 'table', { color: false, width, now: 0 });

  it('has values below their labels that have no room next to them', async () => {
    expect(await show({ organization_id: id, format: 'yaml', note: 'one two three four five six seven' })).toBe(
      lines(
        ...['Organization ID', `  ${id}`, 'Format           yaml'],
        ...['Note             one two three four five', '                 six seven'],
      ),
    );
    expect(await show({ a_rather_long_label_of_it: 'a sentence of words' }, 38)).toBe(
      lines('A rather long label of it', '  a sentence of words'),
    );
  });

  it('has documents as they are', async () => {
    const spec = 'info: { title: Petstore, version: 1.0.0 }\npaths: {}\n';
    expect(await show({ spec, id: 's' })).toBe(
      lines('ID    s', 'Spec', '  info: { title: Petstore, version: 1.0.0 }', '  paths: {}'),
    );
  });

  it('does not repeat an id that the title shows', async () => {
    expect(await show({ id: 'u_1', display_name: 'Ada', email: 'a@x.test' })).toBe(
      lines('Ada (u_1)', 'Email  a@x.test'),
    );
    expect(await show({ id, display_name: 'Ada' })).toBe(lines('Ada (c7830485)', `ID  ${id}`));
  });
});

test('rows below each other have unbroken values below their titles', async () => {
  const rows = [{ name: 'ci', key: 'k'.repeat(50), note: 'short' }];
  expect(await render(rows, 'table', { color: false, width: 40 })).toBe(
    lines('ci', '  Key:', `    ${'k'.repeat(50)}`, '  Note: short'),
  );
});

test('a lesser column is left out before values are cut', async () => {
  const rows = [{ when: '1 h ago', repo: 'acme/petstore', error: '3 errors in openapi.yaml, line 12' }];
  const screen = ['when', { title: 'REPO', from: ['repo'], isLesser: true }, 'error'] as const;
  expect(await render(rows, 'table', { color: false, screen, width: 60 })).toBe(
    lines('WHEN     REPO           ERROR', '1 h ago  acme/petstore  3 errors in openapi.yaml, line 12'),
  );
  expect(await render([{ ...rows[0], repo: 'r'.repeat(20) }], 'table', { color: false, screen, width: 60 })).toBe(
    lines('WHEN     ERROR', '1 h ago  3 errors in openapi.yaml, line 12', '+1 column: --wide'),
  );
});

test.each([
  ['BRANCH/REPO', 'Branch/repo'],
  ['BASE URL', 'Base URL'],
  ['KEY', 'Key'],
  ['ID', 'ID'],
])('the title %s is the label %s', (title, label) => {
  expect(labelOfTitle(title)).toBe(label);
});

test('a check has its message below its name, without marks if the terminal has only ASCII', () => {
  const checks = [{ check: 'clock', status: 'fail', message: 'one two three four', fix: 'dtp doctor' }] as const;
  const show = (plainSigns: boolean) => checksText(checks, { width: 20, color: false, plainSigns });
  const below = ['    one two three', '    four', '    fix: dtp doctor'];
  expect(show(false)).toBe(lines('✘ fail  clock', ...below));
  expect(show(true)).toBe(lines('fail  clock', ...below));
});

test('the meanings of a help page are below their terms if one of them has no room', () => {
  const rows = [
    { term: '--a-long-flag <value>', text: 'one two three four five six' },
    { term: '-s', text: 'short' },
  ];
  const page = { name: 'x', summary: 'x', paragraphs: [], sections: [{ title: 'Flags', rows }], facts: [] };
  const show = (width: number) => helpTextOf(page, { width, heading: (text) => text });
  expect(show(40)).toContain(lines('  --a-long-flag <value>', '    one two three four five six', '  -s', '    short'));
  expect(show(80)).toContain(
    lines('  --a-long-flag <value>  one two three four five six', '  -s                     short'),
  );
});

test('numbered choices wrap below their own start, and their ids are whole', async () => {
  const stdin = new PassThrough();
  let shown = '';
  const stderr = Object.assign(
    new Writable({
      write: (chunk, _, done) => {
        shown += String(chunk);
        done();
      },
    }),
    { isTTY: true, columns: 30 },
  );
  const context = { stdin, stderr, signal: new AbortController().signal } as unknown as Context;
  const answer = openLinePrompts(context).pick('Which?', [{ value: 'v', label: 'a token of several words', hint: id }]);
  stdin.write('1\n');
  expect(await answer).toBe('v');
  expect(shown).toContain(lines('1. a token of several words', `   (${id})`));
});
