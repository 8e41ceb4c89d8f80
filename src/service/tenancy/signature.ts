/** Signs strings with the store's secret and verifies the signatures. A signature is valid for one purpose only. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Store } from '../data/store.ts';

export function sign(store: Store, purpose: string, text: string): string {
  const secret = store.get("SELECT value FROM meta WHERE key = 'secret'")?.value;
  if (typeof secret !== 'string') throw new Error('the store has no secret');
  return createHmac('sha256', secret).update(`${purpose}\n${text}`).digest('hex');
}

export function isSignature(store: Store, purpose: string, text: string, given: string): boolean {
  const expected = Buffer.from(sign(store, purpose, text));
  const actual = Buffer.from(given);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
