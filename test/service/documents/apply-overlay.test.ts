/** Overlays are applied as the OpenAPI Overlay Specification 1.0.0 says. */
import { expect, test } from 'vitest';
import { applyOverlay } from '../../../src/service/documents/apply-overlay.ts';
import { refusal } from '../../support/service-scope.ts';

const document = () => ({
  info: { title: 'Pets', version: '1' },
  tags: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
  paths: { '/a': { get: { tags: ['x'], deprecated: true } }, '/b': { get: {}, 'x-internal': true } },
});

function applied(...actions: object[]) {
  const changed = document();
  applyOverlay(changed, { overlay: '1.0.0', info: {}, actions }, 'fix');
  return changed;
}

test('objects are merged, arrays are appended, everything else is replaced', () => {
  const update = { title: 'Dogs', contact: { name: 'me' } };
  expect(applied({ target: '$.info', update }).info).toEqual({ version: '1', ...update });
  const nested = { get: { tags: ['y'], deprecated: false, summary: 's' } };
  expect(applied({ target: '$.paths["/a"]', update: nested }).paths['/a']).toEqual({
    get: { tags: ['x', 'y'], deprecated: false, summary: 's' },
  });
  expect(applied({ target: '$.tags', update: { name: 'd' } }).tags.at(-1)).toEqual({ name: 'd' });
  expect(applied({ target: '$.tags', update: [{ name: 'd' }, { name: 'e' }] }).tags).toHaveLength(5);
  expect(applied({ target: '$.info.title', update: 'Dogs' }).info.title).toBe('Dogs');
});

test('every node that the target leads to is changed, and nothing if it leads nowhere', () => {
  const all = applied({ target: '$.paths.*.get', update: { security: [] } });
  expect(Object.values(all.paths).map(({ get }) => get)).toEqual([
    { tags: ['x'], deprecated: true, security: [] },
    { security: [] },
  ]);
  // No two nodes share the added object.
  Object.assign(all.paths['/a'].get, { security: [1] });
  expect(all.paths['/b'].get).toEqual({ security: [] });
  expect(applied({ target: '$.nothing', update: { a: 1 } })).toEqual(document());
});

test('nodes are removed, also several of an array', () => {
  expect(applied({ target: '$.paths[?@["x-internal"]]', remove: true }).paths).toEqual({
    '/a': document().paths['/a'],
  });
  expect(applied({ target: '$.tags[0,2]', remove: true }).tags).toEqual([{ name: 'b' }]);
  expect(applied({ target: '$..get.deprecated', remove: true, update: { a: 1 } }).paths['/a'].get).toEqual({
    tags: ['x'],
  });
});

test('a list of 200,000 elements is appended', () => {
  const tags = Array.from({ length: 200_000 }, (_, at) => ({ name: `t${at}` }));
  expect(applied({ target: '$.tags', update: tags }).tags).toHaveLength(200_003);
  expect(applied({ target: '$', update: { tags } }).tags).toHaveLength(200_003);
});

test('later actions see what earlier ones did', () => {
  const changed = applied(
    { target: '$.info', update: { 'x-new': { a: 1 } } },
    { target: '$.info["x-new"]', update: { b: 2 } },
    { target: '$.info["x-new"].a', remove: true },
  );
  expect(changed.info).toEqual({ ...document().info, 'x-new': { b: 2 } });
});

test('an overlay cannot change the prototype of an object', () => {
  const update = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');
  const changed = applied({ target: '$.info', update });
  expect(Object.getPrototypeOf(changed.info)).toBe(Object.prototype);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  expect(JSON.stringify(changed.info)).toContain('"__proto__":{"polluted":true}');
});

test.each<[object, RegExp]>([
  [{ actions: [] }, /^422 fix is not an OpenAPI Overlay/],
  [{ overlay: '1.0.0' }, /^422 fix: actions must be an array/],
  [{ overlay: '1.0.0', actions: [{}] }, /^422 fix: actions\[0\]\.target is required/],
  [{ overlay: '1.0.0', actions: [{ target: '$[' }] }, /^422 the target \$\[ is not a JSONPath/],
  [{ overlay: '1.0.0', actions: [{ target: '$', remove: true }] }, /^422 fix: actions\[0\] would remove/],
])('the overlay %j is refused', async (overlay, message) => {
  expect(await refusal(() => applyOverlay(document(), { ...overlay }, 'fix'))).toMatch(message);
});
