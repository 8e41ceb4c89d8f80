/** Flags of body fields are checked by their declared type before anything is sent, and sent as values of that type. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '../../src/operations/operation.ts';
import { openSend } from '../../src/transport/send.ts';
import type { Flag } from '../../src/tree/operation-flags.ts';
import { dtp } from '../support/context.ts';
import { home } from '../support/process.ts';
import { type Echo, openEcho } from '../support/recording-service.ts';
import { declaredOf, everyOperation, sampleFlags, sampleLine, sampleOf, writeSampleFile } from '../support/samples.ts';

const { folder, remove } = home();
let echo: Echo;
beforeAll(async () => {
  writeSampleFile(folder);
  echo = await openEcho(() => [200, '{}']);
});
afterAll(() => {
  echo.close();
  remove();
});

/** Runs a command line and returns its outcome and the requests. */
async function run(argv: readonly string[]) {
  const before = echo.asked.length;
  const ended = await dtp(argv, {
    home: folder,
    own: 'w_1',
    openSend: async (options) => openSend(options),
    env: {
      DTP_BASE_URL: echo.address,
      DTP_API_KEY: 'k-1',
      DTP_WORKSPACE_ID: 'w_1',
      DTP_ORGANIZATION_SLUG: 'o',
      DTP_WORKSPACE_SLUG: 'w',
      DTP_ERROR_FORMAT: 'text',
    },
  });
  return { ...ended, asked: echo.asked.slice(before) };
}

/** Invalid values of each type, and their errors. */
const wrong: Readonly<Record<string, readonly (readonly [text: string, words: string])[]>> = {
  string: [],
  boolean: [['maybe', 'does not take a value']],
  integer: [
    ['abc', 'must be a whole number'],
    ['1.5', 'must be a whole number'],
    ['', 'must be a whole number'],
    ['9007199254740993', 'must be a whole number from -9007199254740991 to 9007199254740991'],
  ],
  datetime: [
    ['nonsense', 'must be a time such as'],
    ['2026-02-30T00:00:00Z', 'must be a time such as'],
    ['', 'must be a time such as'],
  ],
  json: [
    ['{"a":', 'is not valid JSON'],
    ['', 'is empty'],
  ],
};
const notARecord: readonly (readonly [text: string, words: string])[] = [
  ['5', 'must be a JSON object, not 5'],
  ['null', 'must be a JSON object, not null'],
  ['["a"]', 'must be a JSON object, not a'],
  ['{"a":', 'is not valid JSON'],
];

const wrongFor = (operation: Operation, flag: Flag) => {
  const type = declaredOf(operation, flag)?.one ?? flag.kind;
  if (/^enum\(/.test(type) || flag.is === 'enum' || type === 'file') return [];
  return wrong[type] ?? notARecord;
};

/** The flags that set a body, by operation. */
const withBody = everyOperation
  .map((operation) => {
    const flags = sampleFlags(operation).filter(({ field }) =>
      ['body', 'member', 'part'].includes(operation.input[field]?.in ?? ''),
    );
    return { operation, flags };
  })
  .filter(({ flags }) => flags.length > 0);

describe('an invalid value is rejected before anything is sent', () => {
  test.each(withBody.map((one) => [one.operation.id, one] as const))('%s', async (_, { operation, flags }) => {
    for (const flag of flags)
      for (const [text, words] of wrongFor(operation, flag)) {
        const others = sampleFlags(operation).filter((one) => one !== flag);
        const argv = [...sampleLine(operation, others), `--${flag.name}=${text}`];
        const { code, stdout, stderr, asked } = await run(argv);
        expect({ code, stdout, asked }, argv.join(' ')).toEqual({ code: 2, stdout: '', asked: [] });
        const [, message = ''] = /^error: (.*)$/m.exec(stderr) ?? [];
        expect(message.startsWith(`--${flag.name}`), message).toBe(true);
        expect(message).toContain(words);
      }
  });

  test('every type with invalid values is covered', () => {
    const met = withBody.flatMap(({ operation, flags }) =>
      flags.filter((flag) => wrongFor(operation, flag).length > 0).map(({ kind }) => kind),
    );
    expect([...new Set(met)].sort()).toEqual(['boolean', 'datetime', 'integer', 'json']);
    expect(met.length).toBeGreaterThan(25);
  });
});

/** Without this flag, the tokens are listed too. */
const alone = ({ id }: Operation) => (id === 'createWorkspaceToken' ? ['--no-lookup'] : []);

describe('valid values are sent with their types', () => {
  test.each(withBody.map((one) => [one.operation.id, one] as const))('%s', async (_, { operation, flags }) => {
    const { code, stderr, asked } = await run([...sampleLine(operation), ...alone(operation)]);
    expect(
      asked.map(({ method }) => method),
      stderr,
    ).toEqual([operation.method]);
    expect(code, stderr).not.toBe(2);
    const body = asked[0]?.body ?? '';
    const isForm = flags.some(({ field }) => operation.input[field]?.in === 'part');
    const sent = isForm ? undefined : JSON.parse(body);
    const record = Array.isArray(sent) ? sent[0] : sent;
    for (const flag of flags) {
      const { value } = sampleOf(operation, flag);
      if (isForm && flag.member !== undefined) expect(body).toContain(`"${flag.member}":${JSON.stringify(value)}`);
      else if (!isForm) expect(record[flag.member ?? flag.field], flag.name).toEqual(value);
    }
  });
});

test('"null" means null for nullable fields, and is a string for others', async () => {
  const line = ['ws', 'tokens', 'create', '--name', 'null', '--last-used', 'null', '--email', 'null', '--no-lookup'];
  const { asked } = await run(line);
  expect(JSON.parse(asked[0]?.body ?? '')).toEqual({ name: 'null', last_used: null, email: null });
  expect((await run([...line, '--created-at', 'null'])).code).toBe(2);
});

test('unknown values are sent unchanged, with a note if a known one is similar', async () => {
  const line = ['events', 'post', '--interaction-type', 'LINTT', '--generate-bump-type', 'huge'];
  const { code, asked, stderr } = await run(line);
  expect([code, JSON.parse(asked[0]?.body ?? '')[0]]).toEqual([
    0,
    expect.objectContaining({ interaction_type: 'LINTT', generate_bump_type: 'huge' }),
  ]);
  expect(stderr).toContain('did you mean "LINT"?');
});

test('record fields from -F, -f and --body are sent unchanged', async () => {
  const { code, asked } = await run([
    ...['events', 'post', '-F', 'success=maybe', '-f', 'duration_ms=abc'],
    ...['--body', '{"created_at":"nonsense","lint_report_error_count":[]}'],
  ]);
  expect([code, JSON.parse(asked[0]?.body ?? '')[0]]).toEqual([
    0,
    expect.objectContaining({
      success: 'maybe',
      duration_ms: 'abc',
      created_at: 'nonsense',
      lint_report_error_count: [],
    }),
  ]);
});

test.each([
  [['events', 'post', '--duration-ms', '1,000'], 'dtp events post --duration-ms 1000'],
  [['events', 'post', '--duration-ms=12.0'], 'dtp events post --duration-ms 12'],
  [['events', 'post', '--duration-ms', '1e3'], 'dtp events post --duration-ms 1000'],
  [['events', 'search', '--limit', '5_000'], 'dtp events search --limit 5000'],
  [['events', 'post', '--created-at', '2026-01-02 03:04'], 'dtp events post --created-at 2026-01-02T03:04:00Z'],
  [['events', 'post', '--created-at', '1767322800'], 'dtp events post --created-at 2026-01-02T03:00:00Z'],
  [['events', 'list', 't', '--after-created-at', '2026-01-02T03:04'], 'dtp events list t --since 2026-01-02T03:04:00Z'],
])('%j suggests the corrected command line', async (argv, line) => {
  const { code, stderr } = await run(argv);
  expect([code, /try: (.*)/.exec(stderr)?.[1]]).toEqual([2, line]);
});

test.each([['abc'], ['1,5'], ['12345678901234567890']])('there is no suggestion for %s', async (text) => {
  expect((await run(['events', 'post', '--duration-ms', text])).stderr).not.toContain('try:');
});

test('flags, query flags and body fields share one check and its messages', async () => {
  const said = async (...argv: readonly string[]) => /^error: --[\w-]+ (.*)$/m.exec((await run(argv)).stderr)?.[1];
  const date = await said('events', 'post', '--created-at', 'soon');
  expect(date).toBe('must be a time such as 1h, yesterday, 2026-01-31 or 2026-01-31T12:00:00Z, not "soon"');
  expect(await said('events', 'list', 't', '--after-created-at', 'soon')).toBe(date);
  const update = ['publishing-tokens', 'update', 't'];
  expect(await said(...update, '--valid-until', 'soon')).toBe(date?.replace('1h, yesterday', '90d, tomorrow'));
  const field = 'must be a date and time, such as 2026-01-31T12:00:00Z, not "soon"';
  expect(await said(...update, '--body', '{"valid_until":"soon"}')).toBe(field);
  const number = await said('events', 'post', '--duration-ms', 'x');
  expect(await said('events', 'search', '--limit', 'x')).toBe(number);
});
