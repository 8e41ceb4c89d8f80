/** Integers that a JavaScript number would round stay exact from the response to the output. */
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { jsonText } from '../../src/render/sanitize.ts';
import { parseJson } from '../../src/request/json.ts';
import { connectMcp } from '../support/mcp.ts';
import { home } from '../support/process.ts';
import { rounds, seed } from '../support/random.ts';
import { openEcho } from '../support/recording-service.ts';
import { answer, answerPreflight, guardWire, lines, wire } from '../support/wire.ts';

const { folder, remove } = home();
afterAll(remove);
guardWire();

const id = '12345678901234567891';
const body = `{"id":${id},"parts":[-9007199254740993,1.5,{"n":9007199254740991}],"text":"${id}\\" ${id}"}`;
const shown = lines(
  '{',
  `  "id": ${id},`,
  '  "parts": [',
  '    -9007199254740993,',
  '    1.5,',
  '    {',
  '      "n": 9007199254740991',
  '    }',
  '  ],',
  `  "text": "${id}\\" ${id}"`,
  '}',
);

test.each([
  [['-o', 'json'], shown],
  [['-o', 'ndjson'], `${body}\n`],
  [['-o', 'raw'], body],
  [['-o', 'yaml', '--fields', 'id'], `id: ${id}\n`],
  [['-o', 'csv', '--fields', 'id'], `id\n${id}\n`],
  [['-o', 'tsv', '--fields', 'id', '--no-headers'], `${id}\n`],
  [['-o', 'table', '--fields', 'id', '--no-headers'], `id  ${id}\n`],
  [['-o', 'name'], `${id}\n`],
  [['--query', 'parts[0]', '-r'], '-9007199254740993\n'],
  [['--query', '[id]'], lines('[', `  ${id}`, ']')],
])('%j', async (flags, stdout) => {
  answer('GET', '/v1/user', [200, body]);
  expect(await wire(['auth', 'user', ...flags])).toMatchObject({ code: 0, stdout });
});

test('bytes shown as JSON, and the details of an error, stay exact', async () => {
  answerPreflight();
  answer('GET', '/v1/oci/v2/o/w/n/manifests/r', [200, `{"size":${id}}`]);
  const slugs = ['--organization-slug', 'o', '--workspace-slug', 'w'];
  const manifest = await wire(['artifacts', 'manifests', 'get', 'n', 'r', ...slugs, '-o', 'json']);
  expect(manifest.stdout).toBe(lines('{', `  "size": ${id}`, '}'));
  answer('GET', '/v1/user', [418, `{"message":"no","account":${id},"key":${id}}`]);
  const failed = await wire(['auth', 'user', '-o', 'json']);
  expect(failed.stderr).toContain(`"details":{"message":"no","account":${id},"key":"***"}`);
});

test('an agent gets them as strings, because its client would round them', async () => {
  const echo = await openEcho(() => [200, body]);
  const server = await connectMcp(folder, ['--base-url', echo.address, 'mcp'], {
    env: { DTP_API_KEY: 'not a secret' },
  });
  const { value } = await server.call('auth_user').finally(() => server.close());
  echo.close();
  expect(value).toMatchObject({ id, parts: ['-9007199254740993', 1.5, { n: 9007199254740991 }] });
});

test.each(['1e400', '-1e400', '1E+400', `${'9'.repeat(309)}.5`])(
  '%s is an error, because it is out of range',
  async (number) => {
    const answered = `{"text":"1e400","deep":[{"size":${number}}]}`;
    const reason = `contains the number ${number.length > 40 ? `${number.slice(0, 40)}…` : number}, which is out of range`;
    answer('GET', '/v1/user', [200, answered]);
    const user = await wire(['auth', 'user', '-o', 'json']);
    expect([user.code, user.stdout]).toEqual([12, '']);
    expect(JSON.parse(user.stderr).error.message).toBe(`200 from GET /v1/user: the response ${reason}`);
    answer('GET', '/v1/user', [200, answered]);
    const json = await wire(['api', '/v1/user', '-o', 'json']);
    expect([json.code, json.stdout]).toEqual([12, '']);
    expect(JSON.parse(json.stderr).error.message).toBe(`the response ${reason}`);
    answer('GET', '/v1/user', [200, answered]);
    expect(await wire(['api', '/v1/user', '-o', 'raw'])).toMatchObject({ code: 0, stdout: answered });
    answer('GET', '/v1/user', [418, answered]);
    expect((await wire(['auth', 'user', '-o', 'json'])).stderr).toContain(JSON.stringify(answered));
  },
);

/** In a parse, placeholders and integers must not be confused. */
const exactly = (_: string, one: unknown) => (one === 0 ? BigInt(id) : one);

test.each<readonly [text: string, value: unknown]>([
  [id, BigInt(id)],
  [` -${id}\n`, -BigInt(id)],
  ['9007199254740991', 9007199254740991],
  ['9007199254740992', 9007199254740992n],
  [`{"a":{"b":[[${id}],{"c":${id}}]}}`, { a: { b: [[BigInt(id)], { c: BigInt(id) }] } }],
  [`{"${id}":${id},"1":${id},"__proto__":1}`, JSON.parse(`{"${id}":0,"1":0,"__proto__":1}`, exactly)],
  [`{"a":${id},"a":1}`, { a: 1 }],
  [`[1.7976931348623157e308,${id},1.7976931348623155e+308]`, [Number.MAX_VALUE, BigInt(id), 1.7976931348623155e308]],
  [`["a: ${id}, ","\\\\",${id},"\\" ,${id}, "]`, [`a: ${id}, `, '\\', BigInt(id), `" ,${id}, `]],
  [`["sha256:7e12","sha256:7e400",": 7e400 ,",1e30]`, ['sha256:7e12', 'sha256:7e400', ': 7e400 ,', 1e30]],
  ['1'.repeat(1000), BigInt('1'.repeat(1000))],
])('%s is exact', (text, value) => {
  expect(parseJson(text)).toEqual(value);
});

test.each(['{12345678901234567890:1}', '[012345678901234567890]', '[12345678901234567890 1]', '1e400x', '[1e400'])(
  '%s is not JSON',
  (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  },
);

test('an integer of more than a thousand digits is an error, because parsing takes quadratic time', async () => {
  for (const number of ['1'.repeat(1001), `-${'1'.repeat(1001)}`]) {
    answer('GET', '/v1/user', [200, `{"deep":[${number}]}`]);
    const { code, stdout, stderr } = await wire(['auth', 'user', '-o', 'json']);
    expect([code, stdout]).toEqual([12, '']);
    expect(JSON.parse(stderr).error.message).toBe(
      '200 from GET /v1/user: the response contains a number with 1001 digits, which is too long',
    );
  }
  const sent = await wire(['ws', 'create', '-o', 'json', '--body', `{"name":"a","n":${'1'.repeat(1001)}}`]);
  expect([sent.code, JSON.parse(sent.stderr).error.message]).toEqual([
    2,
    `--body: ${'1'.repeat(40)}… cannot be represented exactly as a number`,
  ]);
});

test('numbers that a double represents exactly are accepted in any notation', () => {
  const numbers = `[1e30,1E+308,-1.7976931348623157e308,1e-400,0e999,"1e400","\\"1e400",${'9'.repeat(309)}]`;
  expect(parseJson(numbers)).toEqual([...JSON.parse(numbers).slice(0, -1), BigInt('9'.repeat(309))]);
});

test('a value that is nested too deeply is still an error', async () => {
  const deep = `${'['.repeat(100_000)}${id}${']'.repeat(100_000)}`;
  answer('GET', '/v1/user', [200, deep]);
  const { code, stderr } = await wire(['auth', 'user', '-o', 'json']);
  expect([code, JSON.parse(stderr).error.code]).toEqual([12, 'bad_response']);
});

/** Strings that look like numbers, quotes, escapes and placeholders. */
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom('"', '\\', '1', '\ue000', '\ue001') }),
  fc.bigInt().map(String),
);
const long = fc
  .bigInt({ min: -(10n ** 40n), max: 10n ** 40n })
  .filter((one) => one > Number.MAX_SAFE_INTEGER || one < Number.MIN_SAFE_INTEGER);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => (Number.isInteger(one) ? 0.5 : one)),
    fc.boolean(),
    fc.constant(null),
    long,
    fc.array(tie('value')),
    fc.dictionary(text, tie('value'), { noNullPrototype: true }),
  ),
}));

test(`any value round-trips (seed ${seed})`, () => {
  const comesBack = fc.property(value, fc.constantFrom(undefined, 2), (one, indent) => {
    const written = jsonText(one, indent);
    expect(parseJson(written)).toEqual(one);
    // With escapes for all non-ASCII characters, as some services write JSON.
    const escaped = written.replace(/[^\0-~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
    expect(parseJson(escaped)).toEqual(one);
  });
  fc.assert(comesBack, { seed, numRuns: rounds(300, 1000) });
});

test(`values with and without long integers are formatted alike (seed ${seed})`, () => {
  const same = fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (one, indent) => {
    const plain = jsonText([one, 'long'], indent);
    expect(jsonText([one, 10n ** 30n], indent)).toBe(plain.replace(/"long"(\n?\])$/, `1${'0'.repeat(30)}$1`));
  });
  fc.assert(same, { seed, numRuns: rounds(300, 1000) });
});
