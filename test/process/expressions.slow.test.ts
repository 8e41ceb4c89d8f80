/** Expressions that grow or never end: the deadline or a limit ends each of them, and nothing else notices. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { connectMcp } from '../support/mcp.ts';
import { runMeasured } from '../support/peak-memory.ts';
import { dtp, home } from '../support/process.ts';

const small = JSON.stringify([
  { id: 'w_1', name: 'petstore', n: 1 },
  { id: 'w_2', name: 'billing', n: 2 },
]);
const million = () =>
  JSON.stringify(Array.from({ length: 1_000_000 }, (_, n) => ({ id: `e_${n}`, name: 'petstore', n })));

/** The peak memory of a process in MB: the tool itself, the limit of 256 MiB, and copies of a long text. */
const most = { small: 640, million: 900 };

const server = createServer((request, response) => {
  const body = request.url?.includes('million') ? million() : small;
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
});
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  env = { DTP_BASE_URL: `http://127.0.0.1:${port}`, DTP_API_KEY: 'k', DTP_ERROR_FORMAT: 'text' };
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const chain = (part: string, count: number, glue = ' | ') => Array(count).fill(part).join(glue);
const pad = (width: number, text = 'x') => `pad_left('${text}', \`${width}\`)`;
const doubled = chain('[@, @]', 60);
const flat = chain('[@, @][]', 60);
const long = (count: number) => 'y'.repeat(count);

const queries: readonly (readonly [what: string, expression: string])[] = [
  ['doubles', doubled],
  ['doubles and flattens', flat],
  ['doubles records', chain('{a: @, b: @}', 60)],
  ['doubles the values of records', chain('{a: @, b: @} | [a, b]', 60)],
  ['doubles in a projection', `${chain('[].[@, @][]', 40)}`],
  ['doubles with a wildcard', `${chain('{a: @, b: @}.*[]', 40)}`],
  ['doubles with a variable', `${chain('let $x = @ in [$x, $x]', 40)}`],
  ['doubles with the root', chain('[$, $, @, @]', 40)],
  ['doubles in a filter', `[?length(${flat}) > \`1\`]`],
  ['doubles in map', `map(&(${flat}), @)`],
  ['doubles in sort_by', `sort_by(@, &length(${flat}))`],
  ['doubles in group_by', `group_by(@, &to_string(${doubled}))`],
  ['doubles in a comparison', `{a: (${doubled}), b: (${doubled})} | a == b`],
  ['doubles in a difference', `[?(${doubled}) != (${doubled} | [@, @])]`],
  ['prints what was doubled', `to_string(${doubled})`],
  ['joins what was doubled', `join('x', [].id | ${flat})`],
  ['zips', chain('zip(@, @, @, @) | []', 40)],
  ['lists the values', chain('{a: @, b: @} | values(@)', 60)],
  ['lists the fields', chain('{a: @, b: @} | items(@)', 60)],
  ['merges and lists', chain('{a: @, b: @} | merge(@, {c: @}) | values(@)', 40)],
  ['reverses what was doubled', `${flat} | reverse(@)`],
  ['slices what was doubled', `${chain('[@, @, @][]', 40)} | [::2]`],
  ['pads to the longest string', pad(536_870_888)],
  ['pads to the right', "pad_right('x', `500000000`)"],
  ['pads beyond the longest string', pad(1e15)],
  ['pads with a wide character', "pad_left('x', `200000000`, '漢')"],
  ['pads many times', `[${chain(pad(50_000_000), 20, ', ')}]`],
  ['pads and doubles', `${pad(10_000_000)} | ${chain("join('', [@, @])", 40)}`],
  [
    'replaces each character',
    `${pad(100_000)} | ${chain(`replace(@, 'y', '${long(1000)}') | replace(@, ' ', '${long(1000)}')`, 3)}`,
  ],
  ['replaces nothing', `replace(${pad(1_000_000)}, '', '${long(1000)}')`],
  ['replaces a growing string', chain(`replace(@, 'y', '${long(100)}')`, 8).replace('@', `'${long(9)}'`)],
  ['multiplies', chain('@ * @', 20).replace('@ * @', '`9007199254740993` + `1`')],
  ['multiplies each element', `${chain('[@, @][]', 16)} | map(&(\`${'9'.repeat(999)}\` * \`1\` + \`1\`), @)`],
  ['lists a long integer', `{n: \`${'9'.repeat(999)}\`} | [n, n] | ${chain('[@, @][]', 20)}`],
  ['splits into characters', `split(${pad(30_000_000)}, '')`],
  ['reverses a long string', `reverse(${pad(100_000_000)})`],
  ['counts a long string', `length(${pad(200_000_000)})`],
  ['searches in a long string', `${pad(20_000_000)} | [${chain("find_first(@, 'y')", 40, ', ')}]`],
  ['trims a long string', `trim(${pad(20_000_000)})`],
  ['quotes quotes', chain('to_string([@, @])', 60)],
  ['is deep', `${'('.repeat(30_000)}@${')'.repeat(30_000)}`],
  ['is deeply negated', `${'!'.repeat(60_000)}@`],
  ['makes a deep value', chain('[@]', 15_000)],
  ['has a deep literal', `\`${'['.repeat(30_000)}${']'.repeat(30_000)}\``],
  ['is long', chain('@', 40_000, '|')],
];

const expressions: readonly (readonly [what: string, expression: string])[] = [
  ['doubles', 'reduce range(60) as $i (.; [., .])'],
  ['doubles strings', '(reduce range(40) as $i ("a"; . + .)) | length'],
  ['doubles and prints', '[limit(60; repeat(.))] | reduce range(40) as $i (.; [., .]) | tojson'],
  ['lists numbers', '[range(100000000)]'],
  ['lists strings', '[range(10000000) | tostring]'],
  ['prints without end', 'repeat(.)'],
  [
    'prints long strings',
    'range(1000000) | "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"',
  ],
  ['repeats a string', '"x" * 1000000000'],
  ['pads a list', '.[999999999] = 1'],
  ['sets a path', 'setpath([100000000]; 1)'],
  ['replaces', chain('gsub(""; "yyyyyyyyyyyyyyyyyyyy")', 8, ' | ').replace(/^/, 'tojson | ')],
  ['recurses', 'def f: [f]; f'],
  ['recurses in its argument', 'def f(x): f(x | x); f(.)'],
  ['makes a deep value', 'reduce range(300000) as $i (1; [.])'],
  ['never ends', 'until(false; .)'],
  ['is deep', `${'['.repeat(20_000)}.${']'.repeat(20_000)}`],
  ['is long', chain('.', 30_000, '|')],
];

const flags = [
  ...queries.map(([what, expression]) => ['--query', what, expression] as const),
  ...expressions.map(([what, expression]) => ['--jq', what, expression] as const),
];

test('there are at least 60 expressions', () => expect(flags.length).toBeGreaterThanOrEqual(60));

describe.skipIf(process.platform !== 'linux')('at the command line', () => {
  test.each(flags)('%s: an expression that %s ends with a limit or at the deadline', async (flag, _, expression) => {
    const {
      code,
      stdout,
      stderr,
      most: peak,
    } = await runMeasured(['api', '/v1/anything', flag, expression, '--timeout', '3s'], env);
    expect([code, stdout], stderr.slice(0, 500)).toEqual([expect.toBeOneOf([2, 124]), '']);
    expect(stderr).toMatch(code === 2 ? new RegExp(`^error: ${flag}: .+\n`) : /^error: no result within 3 s\n/);
    expect(peak).toBeLessThan(most.small);
  });

  const rows: readonly (readonly [flag: string, what: string, expression: string])[] = [
    ['--query', 'doubles each row', chain('[].[@, @][]', 20)],
    ['--query', 'prints each row many times', 'map(&{a: @, b: @, c: @, d: to_string(@)}, @)'],
    ['--query', 'pads each row', 'map(&pad_left(id, `1000`), @)'],
    ['--query', 'compares each row with all', '[?length($[?n == `1`]) == `2`]'],
    ['--query', 'joins all rows for each row', "[].{id: id, all: join('', $[].name)}"],
    ['--jq', 'lists all rows for each row', '[.[] as $a | .[] | [$a, .]]'],
  ];
  test.each(rows)('%s over a million rows: an expression that %s', async (flag, _, expression) => {
    const argv = ['api', '/v1/million', flag, expression, '--timeout', '20s'];
    const { code, stdout, stderr, most: peak } = await runMeasured(argv, env);
    expect([code, stdout], stderr.slice(0, 500)).toEqual([expect.toBeOneOf([2, 124]), '']);
    expect(peak).toBeLessThan(most.million);
  });
});

test.each([
  ['[].id', 'e_999999'],
  ['length(@)', '1000000'],
  ['[?n > `999998`].{id: id, name: name}', 'petstore'],
  ['sort_by(@, &n)[-1].id', 'e_999999'],
  ["[?contains(to_string(@), 'e_999999')].id", 'e_999999'],
])('ordinary expressions have a result over a million rows: %s', async (expression, end) => {
  const { folder, remove } = home();
  onTestFinished(remove);
  const { code, stdout, stderr } = await dtp(folder, ['api', '/v1/million', '--query', expression], { env });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.slice(-100)).toContain(end);
});

describe('in dtp mcp', () => {
  const endless = `{a: (${doubled}), b: (${doubled})} | a == b`;

  test('another call is answered while an expression never ends, and a cancellation ends it', async () => {
    const { folder, remove } = home();
    const mcp = await connectMcp(folder, ['mcp'], { env: { ...env, DTP_TIMEOUT: '600s' } });
    onTestFinished(async () => {
      await mcp.close();
      remove();
    });
    const cancel = new AbortController();
    let isOver = false;
    const running = mcp.call('ws_list', { query: endless }, { signal: cancel.signal }).finally(() => {
      isOver = true;
    });
    for (let number = 0; number < 3; number++) {
      const { value } = await mcp.call('ws_list', { query: '[].id' });
      expect([value, isOver]).toEqual([['w_1', 'w_2'], false]);
    }
    cancel.abort();
    await expect(running).rejects.toThrow();
    expect((await mcp.call('ws_list', { query: 'length(@)' })).value).toBe(2);
  });

  test('the deadline ends it, and a limit has a reason', async () => {
    const { folder, remove } = home();
    const mcp = await connectMcp(folder, ['mcp'], { env: { ...env, DTP_TIMEOUT: '3s' } });
    onTestFinished(async () => {
      await mcp.close();
      remove();
    });
    expect((await mcp.call('ws_list', { query: endless })).value.code).toBe('timeout');
    for (const [what, query] of queries) {
      const { isError, value } = await mcp.call('ws_list', { query });
      expect([isError, value.code], what).toEqual([true, expect.toBeOneOf(['usage', 'timeout'])]);
    }
    expect((await mcp.call('ws_list', { query: '[0].id' })).value).toBe('w_1');
  });
});
