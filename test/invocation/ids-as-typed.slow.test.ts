/** The request carries an id as it was typed, whatever the lists of the service contain, or if they cannot be read. */
import { describe, expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { argumentsOf, flagsOf } from '../../src/tree/operation-flags.ts';
import { wallClock } from '../support/clocks.ts';
import { dtp, type World } from '../support/context.ts';
import {
  digest,
  folderWith,
  inBody,
  isList,
  isNamed,
  type List,
  lists,
  named,
  ofOperation,
  parameters,
  reply,
  sentBy,
  values,
} from '../support/typed-ids.ts';
import { firstRows } from '../support/wire-subjects.ts';

test('every parameter in a path is in the table, and all that a name may stand for', () => {
  const names = new Set(parameters.map(({ name }) => name));
  for (const name of named) expect(names).toContain(name);
  const inPaths = firstRows.flatMap(({ id }) => {
    const { path } = operations[id as keyof typeof operations];
    return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => `${id} ${name}`);
  });
  const covered = parameters.map(({ operation, name }) => `${operation.id} ${name}`);
  expect(inPaths.filter((one) => !covered.includes(one) && !/_slug$/.test(one))).toEqual([]);
  expect(parameters.length).toBeGreaterThan(70);
});

/** Many fields of bodies, and workspaces, are treated alike, so that a few values are enough. */
const isSampled = (one: (typeof parameters)[number], list: List) =>
  isNamed(one) ? one.name === 'workspace_id' && list !== 'full' : one.isMember === true;

const table = parameters.map((one) => [`${one.operation.id} ${one.name}`, one] as const);

describe.each(Object.keys(lists) as readonly List[])('if every list is %s', (list) => {
  // Elsewhere no list is read, so one state of the lists is enough.
  const some = table.filter(([, one]) => list === 'full' || isNamed(one));
  test.each(some)(
    '%s',
    async (_, one) => {
      const { operation, argv, valuesIn } = one;
      const home = folderWith(one.row.files);
      for (const value of isSampled(one, list) ? values.slice(5, 8) : values) {
        const { sent, stderr } = await sentBy(argv(value), list, { home });
        const own = ofOperation(sent, operation);
        const texts = own.flatMap(valuesIn);
        // A flag for a string that may be null takes the word null.
        const expected = value === 'null' && texts.includes(null) ? null : value;
        expect(texts.length, `${value}: ${stderr}`).toBeGreaterThan(0);
        expect(new Set(texts), `${value}: ${stderr}`).toEqual(new Set([expected]));
      }
    },
    60_000,
  );
});

test.each(table.filter(([, one]) => isNamed(one)))(
  'a name that one thing has stands for its id: %s',
  async (_, { operation, row: first, name, argv, valuesIn }) => {
    const { sent, stderr } = await sentBy(argv('one-name'), 'full', { home: folderWith(first.files) });
    const own = ofOperation(sent, operation).flatMap(valuesIn);
    expect(new Set(own), `${name}: ${stderr}`).toEqual(new Set([digest]));
  },
);

describe('--body, -F and -f', () => {
  /** The fields of JSON bodies that hold ids. */
  const fields = [
    ...parameters.filter(({ operation, name }) => !(name in operation.input)),
    ...parameters.filter(({ operation, name }) => operation.input[name]?.in === 'member'),
  ].filter(({ operation }) => operation.id !== 'postWorkspaceEvents');
  const ways: Readonly<Record<string, (name: string, value: string) => readonly string[]>> = {
    '--body': (name, value) => ['--body', JSON.stringify({ [name]: value })],
    '-F': (name, value) => ['-F', `${name}=${value}`],
    '-f': (name, value) => ['-f', `${name}=${value}`],
  };

  test('there are some', () => {
    for (const name of ['target_id', 'organization_id', 'revision_digest', 'generate_gen_lock_id', 'gen_lock_id'])
      expect(fields.map((one) => one.name)).toContain(name);
  });

  test.each(fields.map((one) => [`${one.operation.id} ${one.name}`, one] as const))(
    '%s',
    async (_, { operation, name }) => {
      const args = argumentsOf(operation).map(() => '00000000-0000-4000-8000-000000000001');
      for (const [way, words] of Object.entries(ways))
        for (const value of [...values, 'one-name', digest.slice(0, 13)]) {
          // -F makes a number of 1, and null of null.
          if (way === '-F' && /^(1|null)$/.test(value)) continue;
          const others = flagsOf(operation).flatMap((flag) =>
            flag.required && (flag.member ?? flag.field) !== name && flag.field !== 'body'
              ? [`--${flag.name}`, flag.kind === 'datetime' ? '90d' : 'x']
              : [],
          );
          const all = [...operation.command, ...args, ...words(name, value), ...others, '--yes'];
          const { sent, stderr } = await sentBy(all, 'full');
          const own = ofOperation(sent, operation);
          expect(own.length, `${way} ${value}: ${stderr}`).toBe(1);
          expect(new Set(inBody(own[0]?.body ?? '', name)), `${way} ${value}`).toEqual(new Set([value]));
          // A new token is looked up itself, because the service does not return it.
          const looked = operation.id === 'createWorkspaceToken' ? 2 : 0;
          expect(sent.filter(({ line }) => isList.test(line)).length, `${way} ${value}`).toBe(looked);
        }
    },
    60_000,
  );
});

describe('dtp api', () => {
  test.each(Object.keys(lists) as readonly List[])('{workspace_id}, if every list is %s', async (list) => {
    for (const value of values) {
      const path = ['/v1/workspace/{workspace_id}', '/v1/later/{workspace_id}/more'];
      for (const one of path) {
        const { sent, stderr } = await sentBy(['api', one, '-w', value], list);
        expect(sent.at(-1)?.url.pathname, stderr).toBe(one.replace('{workspace_id}', encodeURIComponent(value)));
      }
    }
  });

  test('ids in the path and the query are never looked up', async () => {
    for (const path of ['/v1/organization/one-name', '/v1/publishing-tokens/one-name?organization_id=one-name']) {
      const { sent } = await sentBy(['api', path], 'full');
      expect(sent.map(({ url }) => url.pathname + url.search)).toEqual([path]);
    }
  });
});

test.each([[['ws', 'get', '-w', 'acme-id']], [['publishing-tokens', 'get', 'acme-id']]])(
  'a list that never answers leaves time for the operation: %j',
  async (argv) => {
    const openSend: World['openSend'] = async () => ({
      send: async ({ method, url }, { signal }) => {
        if (isList.test(`${method} ${new URL(url).pathname}`))
          await new Promise((_, failed) => signal.addEventListener('abort', () => failed(signal.reason)));
        return reply(200, '{}');
      },
      close: async () => undefined,
    });
    const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1' };
    // The time of a list is over at once.
    const sleep: typeof wallClock.sleep = (ms, signal) => wallClock.sleep(ms === 10_000 ? 1 : ms, signal);
    const ended = await dtp(argv, { own: 'w_1', openSend, env, clock: { now: Date.now, sleep } });
    expect([ended.code, ended.stdout], ended.stderr).toEqual([0, '{}\n']);
  },
);
