/** A secret is masked in each form in which a service may return it. */
import { expect, test } from 'vitest';
import { redactText } from '../../src/request/redact.ts';

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
  const shown = redactText(`refused: ${form}; try again`, [secret]);
  expect(shown).toMatch(/^refused: .*\*\*\*.*; try again$/);
  // At most the user name, and characters that also encode other bytes, remain.
  for (let at = 0; at + 12 <= form.length; at++) {
    const part = form.slice(at, at + 12);
    const isSecret = Buffer.from(part, 'base64').length > 0 && !/^(dXNlcj|c29tZW9uZT)/.test(part);
    if (isSecret && at >= 10 && at + 12 < form.length - 8) expect(shown).not.toContain(part);
  }
});

test('other strings are not changed', () => {
  for (const text of ['dXNlcjpwYXNzd29yZA==', '%41%42%43', 'dtp ws list', 'abc='])
    expect(redactText(text, [secret])).toBe(text);
});
