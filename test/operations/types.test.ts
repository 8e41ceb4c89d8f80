/** Code that must not compile: the compiler reports the expected errors for a file with one statement per line. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { home } from '../support/process.ts';

const root = resolve(import.meta.dirname, '../..');
const from = (file: string) => `'${root}/src/${file}'`;

const head = `
import type * as events from ${from('operations/events.ts')};
import { defineOperation, type InputOf } from ${from('operations/operation.ts')};
import type * as publishingTokens from ${from('operations/publishing-tokens.ts')};
import type * as suggest from ${from('operations/suggest.ts')};
import type { Handlers, IdsOf } from ${from('service/handler.ts')};
type Search = InputOf<typeof events.searchWorkspaceEvents>;
type Create = InputOf<typeof publishingTokens.createPublishingToken>;
type Suggest = Handlers<IdsOf<typeof suggest>>;
const shape = { command: ['x'], summary: '', result: 'none' } as const;
const id = { in: 'path', kind: 'string', required: true, help: '' } as const;
const none = () => undefined;
const three = { suggestOpenAPI: none, suggest: none, suggestOpenAPIRegistry: none };
`;

/** A description, a statement, and a part of the compiler error. The error is empty if the statement is valid. */
type Case = readonly [what: string, statement: string, error: string];

const inputs: readonly Case[] = [
  ['an input', `({ workspace_id: 'w', limit: 3, success: false }) satisfies Search`, ''],
  ['limit is a number', `({ workspace_id: 'w', limit: '3' }) satisfies Search`, `'string' is not assignable`],
  ['workspace_id is required', `({ limit: 3 }) satisfies Search`, `'workspace_id' is missing`],
  ['the field does not exist', `({ workspace_id: 'w', color: 'red' }) satisfies Search`, `'color' does not exist`],
  [
    'a field of the body is required',
    `({ target_id: 't', target_resource: 'r', token_name: 'n' }) satisfies Create`,
    `'valid_until' is missing`,
  ],
];
const records: readonly Case[] = [
  ['an operation', `defineOperation('GET /v1/t/{tokenID}', { ...shape, input: { tokenID: id } })`, ''],
  [
    '{tokenID} has no field',
    `defineOperation('GET /v1/t/{tokenID}', { ...shape, input: {} })`,
    `no path field for: tokenID`,
  ],
  [
    'tokenID is not in the path',
    `defineOperation('GET /v1/t', { ...shape, input: { tokenID: id } })`,
    `no {name} for: tokenID`,
  ],
  [
    'a field is misnamed',
    `defineOperation('GET /v1/t/{tokenID}', { ...shape, input: { tokenId: id } })`,
    `no path field for: tokenID`,
  ],
  ['every path begins with /v1', `defineOperation('GET /t', { ...shape, input: {} })`, `'"GET /t"' is not assignable`],
];
const handlers: readonly Case[] = [
  ['all handlers', `({ ...three, suggestItems: none }) satisfies Suggest`, ''],
  ['suggestItems has no handler', `three satisfies Suggest`, `'suggestItems' is missing`],
  [
    'a handler has the wrong input',
    `({ ...three, suggestItems: (input: { body: number }) => input.body }) satisfies Suggest`,
    `'number'`,
  ],
  [
    'no operation has that name',
    `({ ...three, suggestItems: none, suggestAll: none }) satisfies Suggest`,
    `'suggestAll' does not exist`,
  ],
];
const all = [...inputs, ...records, ...handlers];

/** The errors by the index of the statement. */
let errors: ReadonlyMap<number, string>;

const { folder, remove } = home();
afterAll(remove);

beforeAll(() => {
  const lines = [...head.split('\n'), ...all.map(([, statement]) => `${statement};`)];
  writeFileSync(join(folder, 'statements.ts'), lines.join('\n'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { typeRoots: [join(root, 'node_modules/@types')] },
      include: ['statements.ts'],
    }),
  );
  errors = errorsOf(lines.length - all.length + 1);
});

function errorsOf(first: number): ReadonlyMap<number, string> {
  let said = '';
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--pretty', 'false'], {
      cwd: folder,
      encoding: 'utf8',
    });
  } catch (error) {
    said = String((error as { stdout?: unknown }).stdout);
  }
  return new Map(
    said.split(/\n(?=\S)/).map((one) => {
      const [, line] = /^statements\.ts\((\d+),/.exec(one) ?? [];
      return [Number(line) - first, one];
    }),
  );
}

describe.each([
  ['inputs', inputs],
  ['operations', records],
  ['handlers', handlers],
])('%s', (_, cases) => {
  test.each(cases)('%s', (what, statement, error) => {
    const found = errors.get(all.findIndex(([name]) => name === what)) ?? '';
    if (error === '') expect(found).toBe('');
    else expect(found, statement).toContain(error);
  });
});

test('there are no other errors', () => {
  expect([...errors].filter(([at]) => !(at >= 0))).toEqual([]);
});
