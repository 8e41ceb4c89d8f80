/** Signs strings with the store's secret and verifies the signatures. A signature is valid for one purpose only. */
import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto';
import type { Store } from '../data/store.ts';

/** Returns the keyed hash of a string, such as a JSON Web Token, which begins with what it is for. */
export function hmac(store: Store, text: string): Hmac {
  const secret = store.find('meta', { key: 'secret' })?.value;
  if (typeof secret !== 'string') throw new Error('the store has no secret');
  return createHmac('sha256', secret).update(text);
}

export const sign = (store: Store, purpose: string, text: string): string =>
  hmac(store, `${purpose}\n${text}`).digest('hex');

/** Whether two strings are the same. Takes the same time wherever they differ. */
export function isSameSecret(one: string, other: string): boolean {
  const [expected, actual] = [Buffer.from(one), Buffer.from(other)];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
