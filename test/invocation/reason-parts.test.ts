/** Reasons of failures: their structure, and the masking of secrets. */
import { expect, test } from 'vitest';
import { DtpError } from '../../src/errors.ts';
import { withoutSecrets } from '../../src/invocation/explain.ts';
import { reasonIn } from '../../src/request/reason.ts';

test.each<readonly [name: string, body: unknown, reason: string]>([
  ['a list that names fields', [{ field: 'slug', message: 'is taken' }], 'slug: is taken'],
  ['a list with paths', { detail: [{ loc: ['body', 0, 'name'], msg: 'is required' }] }, 'body.0.name: is required'],
  ['a field that is secret', { errors: [{ field: 'api_key', message: 'sk_1 is bad' }] }, 'api_key: ***'],
  ['a map of maps', { errors: { email: ['bad'], owner: { name: ['long'] } } }, 'email: bad; owner: name: long'],
  [
    'an unknown shape with a long integer',
    { why: 'x', id: 12345678901234567890n },
    '{"why":"x","id":"12345678901234567890"}',
  ],
  [
    'user info within a sentence',
    { message: 'no answer from https://a:b@db.internal/x' },
    'no answer from https://***@db.internal/x',
  ],
  [
    'a secret after another URL',
    { message: 'https://a.example/?a=1 https://b.example/?token=t' },
    'https://a.example/?a=1 https://b.example/?token=***',
  ],
  ['JSON that was cut', '{"message":"m", "api_key":"sekrit', '{"message":"m", "api_key":"***'],
])('%s', (_, body, reason) => {
  expect(reasonIn(body)).toBe(reason);
});

const credential = 'sk_0123456789abcdefghijklmnopqrstuvwxyz';

test.each([
  ['a message', { message: `${'x'.repeat(470)}${credential} and more` }],
  ['an unknown shape', { other: `${'x'.repeat(470)}${credential}` }],
  ['a page', `<html><body>${'x'.repeat(480)}${credential}`],
])('%s that is cut within the credential does not show its beginning', (_, body) => {
  const error = withoutSecrets(new DtpError('server', `500: ${reasonIn(body)}`), [credential]) as DtpError;
  expect(error.message).toContain('xxx***');
  expect(error.message).not.toContain(credential.slice(0, 6));
});

test.each([300, 40_000])('a credential of %i characters is masked whole, and its beginning too', (length) => {
  const long = `sk_${'0123456789abcdef'.repeat(length / 16)}`;
  const error = new DtpError('auth', `refused ${long.toUpperCase()}, and ${long.slice(0, 290)}`);
  expect((withoutSecrets(error, [long]) as DtpError).message).toBe('refused ***, and ***');
});
