/** What the card of a record begins with, what it leaves out, and the command that follows it. */
import { describe, expect, test } from 'vitest';
import { render, type View } from '../../src/render/index.ts';
import { dtp } from '../support/context.ts';
import { service } from '../support/function-service.ts';

const now = Date.parse('2026-03-10T12:00:00Z');
const terminal: View = { color: false, width: 80, now };
const card = (record: object, view: Partial<View> = {}) => render(record, 'table', { ...terminal, ...view });

describe('the line below the title', () => {
  test.each<[object, string | undefined]>([
    [{ valid_until: '2026-06-08T12:00:00Z' }, '✔ expires in 90 days'],
    [{ valid_until: '2026-03-08T12:00:00Z' }, '✘ expired 2 days ago'],
    [{ inactive: true }, '✘ inactive'],
    [{ archived_at: '2026-03-08T12:00:00Z' }, '✘ archived'],
    // A record that is inactive cannot be used, however long it is valid.
    [{ inactive: true, valid_until: '2026-06-08T12:00:00Z' }, '✘ inactive'],
    [{ inactive: false }, undefined],
    [{ archived_at: null }, undefined],
    [{ valid_until: 'soon' }, undefined],
    [{}, undefined],
  ])('%j: %s', async (fields, line) => {
    const lines = (await card({ name: 'ci', ...fields })).split('\n');
    expect(lines[0]).toBe('ci');
    expect(lines.filter((one) => /^[✔✘]/.test(one))).toEqual(line === undefined ? [] : [line]);
    expect(lines[1]?.startsWith('✔') || lines[1]?.startsWith('✘')).toBe(line !== undefined);
  });

  test('is ASCII on a terminal with few signs, and is colored on one with color', async () => {
    const record = { name: 'ci', inactive: true };
    expect(await card(record, { plainSigns: true })).toContain('\nx inactive\n');
    expect(await card(record, { color: true })).toContain('\u001b[31m✘\u001b[39m inactive\n');
  });
});

describe('fields that say nothing new', () => {
  const time = '2026-03-08T12:00:00Z';
  test.each<[object, number]>([
    [{ created_by: 'u_1' }, 1],
    [{ updated_by: 'u_1' }, 1],
    [{ created_at: time, updated_at: time }, 1],
    [{ created_at: time, updated_at: '2026-03-09T12:00:00Z' }, 0],
    [{ inactive: false, sso_disabled: false, created_by: 'u_1' }, 3],
    // An empty field is not counted, because --all-fields shows no value either.
    [{ created_by: null }, 0],
    [{ verified: false }, 0],
  ])('%j: %d are left out, and counted', async (fields, count) => {
    const record = { name: 'ci', ...fields };
    const text = await card(record);
    expect(/^\+(\d+) fields?: --all-fields$/m.exec(text)?.[1] ?? '0').toBe(String(count));
    const shown = text.split('\n').filter((line) => line !== '' && !line.startsWith('+'));
    expect(shown).toHaveLength(Object.values(record).filter((one) => one !== null).length - count);
    expect(await card(record, { allFields: true })).not.toContain('--all-fields');
  });
});

test('the id comes first', async () => {
  const id = 'c7830485-0574-45e1-9139-9ef9b8a21958';
  const lines = (await card({ slug: 'pets', name: 'Pets', id })).split('\n');
  expect(lines.slice(0, 3)).toEqual(['Pets (c7830485)', `ID    ${id}`, 'Slug  pets']);
});

describe('the next command after a record', () => {
  const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' };
  const run = (line: string, world: Parameters<typeof dtp>[1] = {}) => {
    const { openSend } = service(() => [200, { id: 'x_1', name: 'pets' }]);
    return dtp(line.split(' '), {
      env: { ...env, NO_COLOR: '1' },
      own: 'w_1',
      tty: true,
      openSend,
      ...world,
    });
  };

  test.each([
    ['ws get', 'dtp ws tokens list'],
    ['ws get -w w_1', 'dtp ws tokens list --workspace w_1'],
    ['orgs get x_1', 'dtp ws list'],
    ['publishing-tokens get x_1', 'dtp publishing-tokens update x_1 --valid-until 90d'],
  ])('%s: %s', async (line, next) => {
    expect((await run(line)).stderr).toBe(`  next: ${next}\n`);
  });

  test.each([
    ['ws get -o json', {}],
    ['ws get --fields name', {}],
    ['ws get --query name', {}],
    ['ws get', { piped: true }],
    ['ws get', { tty: false }],
    ['ws get -o table', { tty: false }],
  ])('nothing for a script: %s %j', async (line, world) => {
    expect((await run(line, world)).stderr).toBe('');
  });
});

test.each([
  [
    'table',
    { width: 80, now: Date.parse('2026-11-24T02:00:00Z') },
    /^Issued +\d{4}-\d\d-\d\d .*ago\)\nExpires +\d{4}.*\(in 4 h\)\nValid from +7\n/m,
  ],
  ['table', {}, /^iat +1795474118$/m],
  ['json', { width: 80 }, /"iat": 1795474118/],
] as const)('the times of a token as %s with %j', async (format, view, expected) => {
  const value = { sub: 'u_1', iat: 1795474118, exp: Date.parse('2026-11-24T06:00:00Z') / 1000, nbf: 7, a: 1 };
  expect(await render(value, format, { color: false, ...view })).toMatch(expected);
});
