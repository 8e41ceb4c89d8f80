/** The embedded service's distribution endpoint: parts of a blob (RFC 9110 §14.2). */
import { expect, test } from 'vitest';
import { rangeIn } from '../../../src/service/registry/registry.ts';
import { bytesOf, registryCall, serviceScope, sha256 } from '../../support/service-scope.ts';

test.each([
  ['bytes=0-0', { first: 0, last: 0 }],
  ['bytes=2-5', { first: 2, last: 5 }],
  ['Bytes= 2-5 ', { first: 2, last: 5 }],
  ['bytes=5-', { first: 5, last: 9 }],
  ['bytes=5-99', { first: 5, last: 9 }],
  ['bytes=-3', { first: 7, last: 9 }],
  ['bytes=-99', { first: 0, last: 9 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=10-12', 'unsatisfiable'],
  ['bytes=5-2', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=0-1,4-5', undefined],
  ['bytes=-', undefined],
  ['lines=0-1', undefined],
  ['', undefined],
])('of 10 bytes, %j is %j', (header, expected) => {
  expect(rangeIn(header, 10)).toEqual(expected);
});

test('an empty blob has no part', () => {
  for (const header of ['bytes=0-0', 'bytes=0-', 'bytes=-1']) expect(rangeIn(header, 0)).toBe('unsatisfiable');
});

test('a blob is read in parts, across the rows that it is stored in', async () => {
  const { scope } = serviceScope();
  const call = registryCall(scope, scope.caller);
  const root = '/v2/local/default/pets/blobs';
  const bytes = Buffer.from(Array.from({ length: 2_500_000 }, (_, at) => at % 251));
  const location = String((await call('POST', `${root}/uploads/`)).headers.location);
  // Each chunk ends a row.
  for (const [from, to] of [
    [0, 1000],
    [1000, 2_400_000],
  ])
    await call('PATCH', location, bytes.subarray(from, to));
  await call('PUT', `${location}?digest=${sha256(bytes)}`, bytes.subarray(2_400_000));
  const get = (range: string) => call('GET', `${root}/${sha256(bytes)}`, '', { range });
  for (const [first, last] of [
    [0, 0],
    [999, 1000],
    [500, 2_450_000],
    [1_049_000, 1_050_000],
    [2_499_999, 2_499_999],
  ] as const) {
    const part = await get(`bytes=${first}-${last}`);
    expect(part).toMatchObject({
      status: 206,
      headers: {
        'content-range': `bytes ${first}-${last}/2500000`,
        'content-length': String(last - first + 1),
      },
    });
    expect((await bytesOf(part)).equals(bytes.subarray(first, last + 1))).toBe(true);
  }
  expect(await get('bytes=2500000-')).toMatchObject({
    status: 416,
    headers: { 'content-range': 'bytes */2500000' },
  });
  expect(await get('lines=1-2')).toMatchObject({ status: 200, headers: { 'accept-ranges': 'bytes' } });
  const head = await call('HEAD', `${root}/${sha256(bytes)}`, '', { range: 'bytes=0-1' });
  expect(head).toMatchObject({ status: 200, headers: { 'content-length': '2500000' } });
});
