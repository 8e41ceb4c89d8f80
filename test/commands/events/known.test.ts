/** Objects that are not events are refused, and fields of the wrong name or type give warnings, in every input format, on the command line and by the tool. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { eventFault, meantField } from '../../../src/commands/events/known.ts';
import { temporaryFolder } from '../../support/context.ts';
import { events, receiver } from '../../support/event-service.ts';
import { service as functionService } from '../../support/function-service.ts';
import { connectMcp } from '../../support/mcp.ts';
import { home } from '../../support/process.ts';
import { openEcho } from '../../support/recording-service.ts';

const { folder, remove } = home();
afterAll(remove);

const openapi = { openapi: '3.1.0', info: { title: 'Pets' }, paths: {}, tags: [], servers: [], security: [] };

test.each([
  [{ a: 1 }, {}, 'is not an event: it has no known event field, only a'],
  [openapi, {}, 'is not an event: it has no known event field, only openapi, info, paths, tags, servers, …'],
  [{ ['x'.repeat(99)]: 1 }, {}, `is not an event: it has no known event field, only ${'x'.repeat(40)}…`],
  [{}, {}, 'is not an event: the object has no fields'],
  // Flags would set fields in any document.
  [openapi, { success: true }, 'is not an event: it has no known event field, only openapi'],
  [{}, { more: 1 }, 'is not an event: it has no known event field, only more'],
  [{}, { type: 1 }, 'is not an event: it has no known event field, only type \\(did you mean "interaction_type"\\?\\)'],
  [{}, { success: true }, undefined],
  [{ a: 1, b: 2, success: null }, {}, undefined],
  // Fields that the client fills in count if they are given.
  [{ id: 'e_1' }, {}, undefined],
  [{ workspace_id: 'w' }, {}, undefined],
  [{ execution_id: 'x' }, {}, undefined],
  [{ created_at: 'now' }, {}, undefined],
  [{ local_started_at: 'now' }, {}, undefined],
  [JSON.parse('{"__proto__":{"success":true},"constructor":1}'), {}, 'is not an event'],
] as const)('%j with %j', (event, members, words) => {
  const fault = eventFault(event, members);
  if (words === undefined) expect(fault).toBeUndefined();
  else expect(fault).toMatch(new RegExp(`^${words}`));
});

const event = { interaction_type: 'LINT', success: true };
const lines = (...all: readonly object[]) => all.map((one) => `${JSON.stringify(one)}\n`).join('');

test.each([
  ['type', 'interaction_type'],
  ['succes', 'success'],
  ['duration', 'duration_ms'],
  ['Success', 'success'],
  ['interactionType', 'interaction_type'],
  ['executionId', 'execution_id'],
  ['commit', 'commit_head'],
  ['durationMs', 'duration_ms'],
  ['success', undefined],
  ['git', undefined],
  ['team', undefined],
  ['region', undefined],
  ['build_number', undefined],
  ['a', undefined],
  ['', undefined],
  ['__proto__', undefined],
])('the field %j means %j', (name, meant) =>
  expect(meantField(name)).toBe(meant === undefined ? '' : ` (did you mean "${meant}"?)`),
);

const unknown = (name: string, meant: string, place = '') =>
  `warning: ${place}unknown field "${name}" (did you mean "${meant}"?); sending it anyway\n`;
const near = { success: true, type: 'LINT' };

test.each<[name: string, argv: readonly string[], stdin: string, warnings: string]>([
  ['the first line with it', [], lines({ id: 'a' }, near, near), unknown('type', 'interaction_type', 'line 2: ')],
  [
    'two names',
    [],
    lines({ ...near, succes: 1 }),
    [
      ['type', 'interaction_type'],
      ['succes', 'success'],
    ]
      .map(([name = '', meant = '']) => unknown(name, meant, 'line 1: '))
      .join(''),
  ],
  ['a document', [], JSON.stringify(near, null, 2), unknown('type', 'interaction_type', 'event 1: ')],
  ['an array', [], JSON.stringify([event, near]), unknown('type', 'interaction_type', 'element 2 (line 1): ')],
  ['a flag', ['-F', 'type=LINT'], lines(event, event), unknown('type', 'interaction_type')],
  ['without a near name', [], lines({ ...event, team: 1, region: 'x' }), ''],
  [
    'values of another type, once for each field and type',
    [],
    lines(
      { success: 'yes', interaction_type: ['RUN'], generate_gen_lock_id: 7, created_at: 5, error: null },
      { success: 'yes', duration_ms: '5', generate_gen_lock_id: { a: 1 } },
      { success: 1, interaction_type: ['LINT'] },
    ),
    [
      'line 1: success must be true or false, not "yes"',
      'line 1: interaction_type must be a string, not ["RUN"]',
      'line 1: generate_gen_lock_id must be a string, not 7',
      'line 1: created_at must be a date and time, such as 2026-01-31T12:00:00Z, not 5',
      'line 2: duration_ms must be a whole number from -9007199254740991 to 9007199254740991, not "5"',
      'line 2: generate_gen_lock_id must be a string, not {"a":1}',
      'line 3: success must be true or false, not 1',
    ]
      .map((text) => `warning: ${text}; sending it anyway\n`)
      .join(''),
  ],
  [
    'open lists and optional fields',
    [],
    lines({ interaction_type: 'DEPLOY', generate_bump_type: 'huge', duration_ms: null, success: true, more: [1] }),
    '',
  ],
  ['the 101st line', [], lines(...Array.from({ length: 100 }, () => event), near), ''],
  [
    'no known field, sent with --no-check',
    ['--no-check'],
    lines({ type: 1 }),
    unknown('type', 'interaction_type', 'line 1: '),
  ],
  [
    'no known field, skipped',
    ['--on-error', 'skip'],
    lines({ type: 1 }, event),
    'warning: skipped: --body: line 1 is not an event: it has no known event field, only type (did you mean "interaction_type"?)\n',
  ],
])('a field that is nearly known gives one warning: %s', async (_, argv, stdin, warnings) => {
  const service = receiver();
  const ended = await events(['post', '--body', '-', ...argv], {
    stdin,
    openSend: service.openSend,
    env: { DTP_ERROR_FORMAT: 'text' },
  });
  expect(ended.stderr.match(/^warning: .*\n/gm)?.join('') ?? '').toBe(warnings);
  expect(service.events().length).toBeGreaterThan(0);
});

test('a field of a flag that is nearly known', async () => {
  const service = receiver();
  const post = (...argv: readonly string[]) =>
    events(['post', ...argv], { openSend: service.openSend, env: { DTP_ERROR_FORMAT: 'text' } });
  expect((await post('-F', 'type=LINT', '--success')).stderr).toContain(unknown('type', 'interaction_type'));
  expect((await post('-F', 'type=LINT')).stderr).toContain(
    'the input is not an event: it has no known event field, only type (did',
  );
  expect(service.events()).toHaveLength(1);
});

const forms: readonly (readonly [name: string, body: string | Uint8Array, place: string])[] = [
  ['a line', lines(event, event, { a: 1 }, event), 'line 3'],
  ['compressed lines', gzipSync(lines(event, { a: 1 })), 'line 2'],
  ['an array', JSON.stringify([event, openapi]), 'element 2 (line 1)'],
  ['an array on several lines', JSON.stringify([event, openapi], null, 2), 'element 2 (line 6)'],
  ['a document', JSON.stringify(openapi), 'line 1'],
  ['a document on several lines', JSON.stringify(openapi, null, 2), 'event 1'],
  ['YAML', stringify(openapi), 'event 1'],
  ['a YAML list', stringify([event, { a: 1 }]), 'event 2'],
];

describe('nothing of its batch is accepted', () => {
  test.each(forms)('%s', async (_, body, place) => {
    const home = temporaryFolder();
    writeFileSync(join(home, 'input'), body);
    const service = receiver();
    const post = (...flags: readonly string[]) =>
      events(['post', '--body', '@input', ...flags], {
        home,
        openSend: service.openSend,
        env: { DTP_ERROR_FORMAT: 'json' },
      });
    const ended = await post();
    expect({ code: ended.code, stdout: ended.stdout, sent: service.bodies }).toEqual({
      code: 2,
      stdout: '',
      sent: [],
    });
    const { message, hint } = JSON.parse(ended.stderr).error;
    expect(message).toContain(`--body: ${place} is not an event`);
    expect(hint).toContain('--no-check');
    expect(hint).toContain('--on-error skip');

    // Skipped on request: the command exits with 14, even if no event is left.
    const skipped = await post('--on-error', 'skip');
    expect([skipped.code, JSON.parse(skipped.stderr.trim().split('\n').at(-1) ?? '').error.details.skipped]).toEqual([
      14, 1,
    ]);
    expect(service.events().every((one) => 'success' in one)).toBe(true);

    const before = service.events().length;
    expect((await post('--no-check')).code).toBe(0);
    expect(
      service
        .events()
        .slice(before)
        .some((one) => !('success' in one)),
    ).toBe(true);
  });
});

test('from flags and in the body', async () => {
  const service = receiver();
  const post = (...argv: readonly string[]) => events(['post', ...argv], { openSend: service.openSend });
  expect((await post('--body', '{"a":1}')).code).toBe(2);
  expect((await post('--body', '{"a":1}', '--success')).code).toBe(2);
  expect((await post('--body', '{}')).code).toBe(2);
  expect((await post('-F', 'a=1')).code).toBe(2);
  expect((await post('--body', '{"a":1}', '--dry-run')).code).toBe(2);
  expect(service.bodies).toEqual([]);
  expect((await post('--body', '{}', '--success')).code).toBe(0);
  expect((await post('-F', 'success=true')).code).toBe(0);
  expect((await post('--success')).code).toBe(0);
  expect((await post('--body', '{"a":1}', '--no-check')).code).toBe(0);
  expect(service.bodies).toHaveLength(4);
});

test('batches before it are delivered, as with any invalid event', async () => {
  const service = receiver();
  const ended = await events(['post', '--body', '-', '--batch-size', '2'], {
    stdin: lines(event, event, event, { a: 1 }),
    openSend: service.openSend,
  });
  expect([ended.code, service.events()]).toEqual([2, [expect.anything(), expect.anything()]]);
});

test('the tool refuses it with the names of its inputs', async () => {
  const echo = await openEcho(() => [204, '']);
  const server = await connectMcp(folder, ['mcp', '--allow-writes'], {
    env: { DTP_BASE_URL: echo.address, DTP_API_KEY: 'k', DTP_WORKSPACE_ID: 'w' },
  });
  try {
    const post = (args: Record<string, unknown>) => server.call('events_post', args);
    for (const args of [{ body: [event, openapi] }, { body: [event, openapi], success: true }]) {
      const { isError, value } = await post(args);
      expect([isError, value.code, value.message]).toEqual([
        true,
        'usage',
        expect.stringContaining('body: event 2 is not an event: it has no known event field, only openapi'),
      ]);
      expect(JSON.stringify(value)).not.toContain('--');
    }
    expect((await post({ body: { a: 1 } })).isError).toBe(true);
    expect(echo.asked).toEqual([]);
    expect((await post({ body: [event] })).value).toMatchObject({ delivered: 1 });
    expect((await post({ success: true })).value).toMatchObject({ delivered: 1 });
  } finally {
    await server.close();
    echo.close();
  }
});

test.each([
  [['search', '--type', 'nonsense'], 'unknown --type "nonsense" (known: CI_EXEC, CLI_EXEC, LINT, OPENAPI_DIFF,'],
  [['search', '--type', 'LINTT'], 'unknown --type "LINTT" (did you mean "LINT"?); sending it anyway'],
  [['search', '--type', 'LINT'], undefined],
])('%j warns of an unknown type, and sends it', async (argv, words) => {
  const urls: string[] = [];
  const { openSend } = functionService(({ url }) => {
    urls.push(url);
    return [200, url.includes('/auth/') ? {} : []];
  });
  const { code, stderr } = await events(argv, { openSend, env: { DTP_ERROR_FORMAT: 'text' } });
  expect([code, urls.some((url) => url.includes(`interaction_type=${argv[2]}`))]).toEqual([0, true]);
  if (words === undefined) expect(stderr).not.toContain('unknown --type');
  else expect(stderr).toContain(words);
});
