/** `--jq`: everything that `--query` does, with jq's values: none, one or several. */
import { expect, test } from 'vitest';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { service } from '../support/function-service.ts';

const rows = [
  { id: 'w_1', n: 1, tags: ['a', 'b'] },
  { id: 'w_2', n: 2, tags: [] },
];

async function run(argv: readonly string[], body: unknown = rows, world: World = {}) {
  const { asked, openSend } = service((_, call) =>
    Array.isArray(body) && body[call - 1]?.items ? [200, body[call - 1]] : [200, body],
  );
  const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1', ...world.env };
  return { ...(await dtp(argv, { openSend, own: 'w_1', ...world, env })), asked };
}

test.each<[flags: string, expression: string, stdout: string]>([
  // In a pipe, a string has no quotes, as with --query.
  ['', '.[0].id', 'w_1\n'],
  ['', '.[].id', 'w_1\nw_2\n'],
  ['', '.[] | .id, .n', 'w_1\n1\nw_2\n2\n'],
  ['', '.[] | {n}', '{\n  "n": 1\n}\n{\n  "n": 2\n}\n'],
  ['', 'map(.id)', '[\n  "w_1",\n  "w_2"\n]\n'],
  ['', 'empty', ''],
  ['', 'null', 'null\n'],
  ['-o json', '.[0].id', '"w_1"\n'],
  ['-o json', '.[].id', '"w_1"\n"w_2"\n'],
  ['--json', '.[].n', '1\n2\n'],
  ['-r', '.[].id', 'w_1\nw_2\n'],
  ['-r', '.[0] | .id, {n}', 'w_1\n{\n  "n": 1\n}\n'],
  ['-r', 'map(.id)', 'w_1\nw_2\n'],
  ['-o raw', '.[] | .id, .n', 'w_1\n1\nw_2\n2\n'],
  ['-o ndjson', '.[]', `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`],
  ['-o ndjson', 'empty', ''],
  ['-o yaml', '.[] | {id}', '- id: w_1\n- id: w_2\n'],
  ['-o yaml', '.[0] | {id}', 'id: w_1\n'],
  ['-o csv', '.[] | {id, n}', 'id,n\nw_1,1\nw_2,2\n'],
  ['-o csv --no-headers', '.[] | [.n, .id]', '1,w_1\n2,w_2\n'],
  ['-o tsv', '.[] | {id, n}', 'id\tn\nw_1\t1\nw_2\t2\n'],
  ['-o name', '.[] | {id}', 'w_1\nw_2\n'],
  ['-o table', '.[] | {id, n}', 'ID   N\nw_1  1\nw_2  2\n'],
  ['-o json --fields n', '.[]', '{\n  "n": 1\n}\n{\n  "n": 2\n}\n'],
  ['-o json', '[.[].n] | add', '3\n'],
  ['-o json', 'map(select(.id | test("2$"))) | length', '1\n'],
  // A comment may end an expression, and - is not a flag of jq.
  ['-o json', '-1 # comment', '-1\n'],
  ['-o json', '$ENV, env', '{}\n{}\n'],
  ['-o json', '1, halt, 2', '1\n'],
  ['-o json', '[inputs]', '[]\n'],
])('%s --jq %s', async (flags, expression, stdout) => {
  const ended = await run(['ws', 'list', ...flags.split(' ').filter(Boolean), `--jq=${expression}`]);
  expect([ended.code, ended.stdout]).toEqual([0, stdout]);
  expect(ended.stderr).toBe('');
});

test.each<[expression: string, message: string]>([
  ['.a |', '--jq: syntax error, unexpected end of file (line 1, column 4)'],
  ['nope(1)', '--jq: nope/1 is not defined (line 1, column 1)'],
  ['', '--jq: Top-level program not given (try ".")'],
  ['1)|(2', '--jq: syntax error'],
  ['include "x"; .', '--jq: module not found: x'],
  ['import "/etc/passwd" as $a; .', '--jq: module not found: /etc/passwd'],
])('an invalid expression is refused before anything is sent: %s', async (expression, message) => {
  const ended = await run(['ws', 'list', '--jq', expression]);
  expect([ended.code, ended.stdout, ended.asked]).toEqual([2, '', []]);
  expect(ended.stderr).toContain(message);
  expect(ended.stderr).toContain("Use a jq expression (https://jqlang.org/manual), such as '.[].id'.");
  // The same for a command that sends nothing.
  expect((await run(['config', 'list', '--jq', expression])).code).toBe(2);
});

test.each<[expression: string, message: string]>([
  ['.[0] + 1', 'and number (1) cannot be added'],
  ['1, error("late")', '--jq: late'],
  ['"bye\\n" | halt_error(0), halt_error(3)', '--jq: bye'],
  ['1e1000', '--jq: the result contains the number 1E+1000, which is out of range'],
])('an expression that fails prints nothing: %s', async (expression, message) => {
  const ended = await run(['ws', 'list', '--jq', expression.replace('halt_error(0), ', '')]);
  expect([ended.code, ended.stdout, ended.asked.length]).toEqual([2, '', 1]);
  expect(ended.stderr).toContain(message);
});

test.each([
  ['a jq error', ['--jq', '.id.x']],
  ['a number that is too large', ['--jq', '1e1000']],
  ['a JMESPath error', ['--query', 'sum(id)']],
  ['no name', ['-o', 'name', '--jq', '{}']],
])('an error of the result says that the command itself succeeded: %s', async (_, flags) => {
  const body = { id: 't_1', key: 'k' };
  const { code, stdout, stderr } = await run(['ws', 'tokens', 'create', '--name', 'n', ...flags], body);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('The command itself succeeded. Repeat it only if it changes nothing.');
});

test('--query and --jq exclude each other', async () => {
  const ended = await run(['ws', 'list', '--query', '@', '--jq', '.']);
  expect([ended.code, ended.asked]).toEqual([2, []]);
  expect(ended.stderr).toContain('--query and --jq cannot be used together');
});

test('a jq expression that is passed to --query leads to --jq', async () => {
  expect((await run(['ws', 'list', '--query', '.[].id'])).stderr).toContain('or --jq for jq');
});

test('debug and stderr write data to stderr, without control characters', async () => {
  const ended = await run(['ws', 'list', '-o', 'json', '--jq', '"\\u001b[2J" | debug, stderr | length']);
  expect(ended.stdout).toBe('4\n4\n');
  expect(ended.stderr).toBe('["DEBUG:","\\u001b[2J"]\n\\u001b[2J\n');
});

test('it applies to all pages as one document', async () => {
  const pages = [{ items: [{ id: 1 }], next_page_token: 't' }, { items: [{ id: 2 }] }];
  for (const format of ['json', 'ndjson']) {
    const list = ['artifacts', 'revisions', 'list', 'ns', '--all', '-o', format];
    expect((await run([...list, '--jq', '.items | length'], pages)).stdout).toBe('2\n');
  }
});

test('large integers keep their digits, except in arithmetic', async () => {
  const body = Buffer.from('[{"n":9007199254740993},{"n":123456789012345678901234567890}]');
  const shown = async (expression: string) =>
    (await run(['ws', 'list', '-o', 'json', '--jq', expression], body)).stdout;
  expect(await shown('.[].n')).toBe('9007199254740993\n123456789012345678901234567890\n');
  expect(await shown('.[0].n | tostring')).toBe('"9007199254740993"\n');
  expect(await shown('.[0].n + 0')).toBe('9007199254740992\n');
});

test.each<[argv: readonly string[], expression: string, stdout: string, body?: unknown]>([
  [['config', 'explain'], 'map(.setting) | index("base_url") != null', 'true\n'],
  [['api', '/v1/anything'], '.a', '7\n', { a: 7 }],
  [['help', 'ws', 'list'], '.command', 'ws list\n'],
  [['schema', 'ws', 'list'], '.command', 'ws list\n'],
  [['ws', 'list', '--dry-run'], '.method', 'GET\n'],
  [['ws', 'get'], '.id', 'w_1\n', { id: 'w_1' }],
  // A list that the service sends as null.
  [['ws', 'list'], 'length', '0\n', Buffer.from('null')],
  [['publishing-tokens', 'target', 'p_1'], 'length', '3\n', Buffer.from('sdk')],
])('%j --jq %s', async (argv, expression, stdout, body) => {
  const ended = await run([...argv, '--jq', expression], body);
  expect([ended.stderr, ended.code, ended.stdout]).toEqual(['', 0, stdout]);
});

test('-O writes the values to a file, and an empty file for none', async () => {
  const { readFileSync } = await import('node:fs');
  const cwd = temporaryFolder();
  expect((await run(['ws', 'list', '--jq', '.[].id', '-r', '-O', 'ids'], rows, { cwd })).code).toBe(0);
  expect((await run(['ws', 'list', '--jq', 'empty', '-O', 'none'], rows, { cwd })).code).toBe(0);
  expect([readFileSync(`${cwd}/ids`, 'utf8'), readFileSync(`${cwd}/none`, 'utf8')]).toEqual(['w_1\nw_2\n', '']);
});

test('on a terminal, several values are the rows of a table', async () => {
  const ended = await run(['ws', 'list', '--jq', '.[] | {id}'], rows, { tty: true, env: { NO_COLOR: '1' } });
  expect(ended.stdout).toBe('ID\nw_1\nw_2\n');
  expect(await run(['ws', 'list', '--jq', 'empty'], rows, { tty: true })).toMatchObject({ stdout: '', code: 0 });
});

test('an expression that needs too much memory has a clear error', async () => {
  const ended = await run(['ws', 'list', '--jq', 'def f: [f]; f']);
  expect([ended.code, ended.stdout]).toEqual([2, '']);
  expect(ended.stderr).toContain('needs more memory than jq has here (256 MiB)');
});
