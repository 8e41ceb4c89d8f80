/** A secret is masked in each form in which a service may return it. */
import { expect, test } from 'vitest';
import { maskOf } from '../../src/request/redact.ts';

const secret = 'dtp_k3y-0123456789/abc=';
const percent = (text: string) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join('');
const users = ['', 'u', 'me', 'u:', 'me:', 'user:', 'someone:'];

test.each([
  ['as it is', secret],
  ['percent-encoded', encodeURIComponent(secret)],
  ['percent-encoded in every byte', percent(secret)],
  ['percent-encoded in capitals', percent(secret).toUpperCase()],
  ['hexadecimal', Buffer.from(secret).toString('hex')],
  ...users.flatMap((user) =>
    (['base64', 'base64url'] as const).flatMap((encoding) => [
      [`${encoding} after "${user}"`, Buffer.from(`${user}${secret}`).toString(encoding)],
      [`${encoding} after "${user}", before more`, Buffer.from(`${user}${secret}:more`).toString(encoding)],
    ]),
  ),
])('%s', (_, form) => {
  const shown = maskOf([secret])(`refused: ${form}; try again`);
  expect(shown).toMatch(/^refused: .*\*\*\*.*; try again$/);
  // At most the user name, and characters that also encode other bytes, remain.
  for (let at = 0; at + 12 <= form.length; at++) {
    const part = form.slice(at, at + 12);
    const isSecret = Buffer.from(part, 'base64').length > 0 && !/^(dXNlcj|c29tZW9uZT)/.test(part);
    if (isSecret && at >= 10 && at + 12 < form.length - 8) expect(shown).not.toContain(part);
  }
});

test.each([
  ['as it is', secret],
  ['percent-encoded in every byte', percent(secret)],
  ['hexadecimal', Buffer.from(secret).toString('hex')],
  ['base64', Buffer.from(secret).toString('base64')],
  ['base64url', Buffer.from(secret).toString('base64url')],
])('%s, every piece of 12 characters or more, wherever a string cuts it', (_, form) => {
  for (const cased of [form, form.toUpperCase(), form.toLowerCase()])
    for (let start = 0; start + 12 <= form.length; start++)
      for (let end = start + 12; end <= form.length; end++) {
        const piece = cased.slice(start, end);
        for (const text of [`<${piece}>`, `${piece}...`, `id:${piece}`, `${piece}İ ${piece}`])
          expect(maskOf([secret])(text)).toBe(text.replaceAll(piece, '***'));
      }
});

test('shorter pieces are masked only if they are the beginning of the secret, and a string ends there', () => {
  for (let length = 6; length < 12; length++) {
    const [start, end] = [secret.slice(0, length), secret.slice(-length)];
    expect(maskOf([secret])(`no ${start}`)).toBe('no ***');
    expect(maskOf([secret])(`no ${start}… (9 characters)`)).toBe('no ***… (9 characters)');
    for (const text of [`no ${start} here`, `no ${end} here`, `no ${end}`]) expect(maskOf([secret])(text)).toBe(text);
  }
  expect(maskOf([secret])(`no ${secret.slice(0, 5)}`)).toBe(`no ${secret.slice(0, 5)}`);
});

test('a secret of 8 to 11 characters is masked as a whole', () => {
  expect(maskOf(['password1'])('it is PASSword1.')).toBe('it is ***.');
  expect(maskOf(['password1'])('a password, or password2')).toBe('a password, or password2');
});

test('several secrets that begin alike, or follow one another', () => {
  const all = Array.from({ length: 50 }, (_, at) => `eyJhbGciOiJIUzI1NiJ9.${at}${'abcdefghij'.repeat(3)}${at}`);
  for (const one of all) expect(maskOf(all)(`<${one}> ${one}${all[0]}`)).toBe('<***> ***');
});

test('other strings are not changed', () => {
  for (const text of ['dXNlcjpwYXNzd29yZA==', '%41%42%43', 'dtp ws list', 'abc='])
    expect(maskOf([secret])(text)).toBe(text);
});
