/** Warnings about permissions that cannot be changed. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { narrowMode } from '../../src/store/modes.ts';

/** A file whose permissions nobody can change, not even root. */
const fixed = '/proc/self/status';

test.skipIf(!existsSync(fixed))('they are only reported if the file has secrets', () => {
  const text = `${fixed} had permissions 0444, so others may have read the secrets in it. They cannot be changed: `;
  expect(narrowMode(fixed, 0o600)).toContain(text);
  expect(narrowMode(fixed, 0o600, () => true)).toContain(text);
  expect(narrowMode(fixed, 0o600, () => false)).toBeUndefined();
});
