/** The messages of caught values. */
import { expect, test } from 'vitest';
import { messageOf } from '../src/caught.ts';

test.each([
  [new Error('no route'), 'no route'],
  // Every connection to a host with several IP addresses was refused.
  [Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  [new TypeError(''), 'TypeError'],
  ['text', 'text'],
  [undefined, 'undefined'],
])('%s', (caught, message) => {
  expect(messageOf(caught)).toBe(message);
});
