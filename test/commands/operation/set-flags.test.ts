/** `ws feature-flags set`: at a terminal, flags that may go off are named first. Elsewhere, the request is sent. */
import { expect, test } from 'vitest';
import { dtp, type World } from '../../support/context.ts';
import { type Reply, service } from '../../support/function-service.ts';

const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1', TERM: 'dumb' };
const on = (...names: readonly string[]) => ({ feature_flags: names.map((feature_flag) => ({ feature_flag })) });

/** Sets the flag `new` while `before` answers what is on. Returns the methods of the requests too. */
async function set(before: Reply, world: World = {}, more: readonly string[] = []) {
  const methods: string[] = [];
  const { openSend } = service(({ method, url }) => {
    if (url.endsWith('/feature_flags')) methods.push(method);
    return method === 'POST' ? [200, on('new')] : before;
  });
  const argv = ['ws', 'feature-flags', 'set', '--feature-flags', 'new', ...more];
  return { ...(await dtp(argv, { env, own: 'w_1', openSend, ...world })), methods };
}

const question = 'The service may turn off old, older. Set the flags?';
const asked = (answer: string): World => ({ tty: true, typed: [[question, answer]] });

test.each<[string, Reply, World, readonly string[], number, readonly string[]]>([
  ['at a terminal, after a yes', [200, on('old', 'new', 'older')], asked('y'), [], 0, ['GET', 'POST']],
  ['at a terminal, not after a no', [200, on('old', 'new', 'older')], asked('n'), [], 1, ['GET']],
  ['at a terminal, unasked if none would go off', [200, on('new')], { tty: true }, [], 0, ['GET', 'POST']],
  ['at a terminal, unasked if the list cannot be read', [500, {}], { tty: true }, [], 0, ['GET', 'POST']],
  ['at a terminal, unasked with --yes', [200, on('old')], { tty: true }, ['--yes'], 0, ['POST']],
  ['in a pipe, unasked', [200, on('old')], {}, [], 0, ['POST']],
])('the flags are set %s', async (_, before, world, more, code, methods) => {
  const ended = await set(before, world, more);
  expect([ended.code === 0, ended.methods], ended.stderr).toEqual([code === 0, methods]);
  expect(ended.stdout.includes('new')).toBe(code === 0);
  expect(ended.stderr.includes(question)).toBe('typed' in world);
});
