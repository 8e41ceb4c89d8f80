/** What an error says about a request whose response never arrived: `retryable`, and whether a change may have been made. */
import { expect, test } from 'vitest';
import { DtpError } from '../../src/errors.ts';
import { dtp } from '../support/context.ts';

const env = {
  DTP_BASE_URL: 'https://api.example.test',
  DTP_API_KEY: 'k-12345678',
  DTP_WORKSPACE_ID: 'w_1',
  DTP_ERROR_FORMAT: 'json',
};

const coded = (code: string) => Object.assign(new Error(code), { code });
const hint = 'Check the network.';
const closed = () => new DtpError('network', 'closed', { retryable: true, hint, cause: coded('ECONNRESET') });
const refused = () => new DtpError('network', 'refused', { retryable: true, hint, cause: coded('ECONNREFUSED') });
const untrusted = () => new DtpError('network', 'no secure connection', { retryable: false });
const late = () => new DtpError('timeout', 'no result within 1 s', { hint: 'Allow more time with --timeout.' });

const create = ['ws', 'tokens', 'create', '--name', 'ci', '--no-lookup'];
const remove = ['ws', 'tokens', 'delete', 't_1', '--yes'];
const list = ['ws', 'tokens', 'list'];
const maybe = '; the change may have been made';

test.each([
  ['a list', list, closed, true, ''],
  ['a list', list, late, true, ''],
  ['a list', list, untrusted, false, ''],
  ['a creation', create, closed, false, maybe],
  ['a creation', create, late, false, maybe],
  ['a creation', create, refused, true, ''],
  ['a creation', create, untrusted, false, ''],
  ['a deletion', remove, closed, true, maybe],
  ['a deletion', remove, late, true, maybe],
  ['a deletion', remove, refused, true, ''],
] as const)('%s: %j %s', async (_, argv, fail, retryable, end) => {
  const failure = fail();
  const openSend = async () => ({
    send: async () => {
      throw failure;
    },
    close: async () => undefined,
  });
  const { stderr } = await dtp(argv, { env, openSend });
  const { error } = JSON.parse(stderr);
  expect([error.code, error.retryable, error.message]).toEqual([failure.code, retryable, failure.message + end]);
  const check = end === '' ? '' : 'Check that before you run the command again. ';
  expect(error.hint ?? '').toBe(`${check}${failure.facts.hint ?? ''}`);
});
