/** JSONPath (RFC 9535), as the targets of overlays use it. The document and most expectations are those of the RFC. */
import { expect, test } from 'vitest';
import { findByPath } from '../../../src/service/documents/apply-overlay.ts';
import { refusal } from '../../support/service-scope.ts';

const sayings = { category: 'reference', author: 'Nigel Rees', title: 'Sayings of the Century', price: 8.95 };
const sword = { category: 'fiction', author: 'Evelyn Waugh', title: 'Sword of Honor', price: 12.99 };
const moby = {
  category: 'fiction',
  author: 'Herman Melville',
  title: 'Moby Dick',
  isbn: '0-553-21311-3',
  price: 8.99,
};
const rings = {
  category: 'fiction',
  author: 'J. R. R. Tolkien',
  title: 'The Lord of the Rings',
  isbn: '0-395-19395-8',
  price: 22.99,
};
const bicycle = { color: 'red', price: 399 };
const document = { store: { book: [sayings, sword, moby, rings], bicycle } };

const values = (path: string, root: unknown = document) => findByPath(root, path).map(({ value }) => value);

test.each<[string, unknown[]]>([
  ['$', [document]],
  ['$.store.bicycle.color', ['red']],
  ["$['store']['bicycle']", [bicycle]],
  ['$["store"].book[0].title', ['Sayings of the Century']],
  ['$.store.book[-1].title', ['The Lord of the Rings']],
  ['$.store.book[9]', []],
  ['$.store.book[-9]', []],
  ['$.store.nothing.here', []],
  ['$.store.book[*].author', ['Nigel Rees', 'Evelyn Waugh', 'Herman Melville', 'J. R. R. Tolkien']],
  ['$..author', ['Nigel Rees', 'Evelyn Waugh', 'Herman Melville', 'J. R. R. Tolkien']],
  ['$.store..price', [8.95, 12.99, 8.99, 22.99, 399]],
  ['$.store.*', [document.store.book, bicycle]],
  ['$..book[2]', [moby]],
  ['$..book[0,1]', [sayings, sword]],
  ['$..book[:2]', [sayings, sword]],
  ['$..book[-2:]', [moby, rings]],
  ['$..book[1:4:2]', [sword, rings]],
  ['$..book[::-1]', [rings, moby, sword, sayings]],
  ['$..book[3:1:-1]', [rings, moby]],
  ['$..book[::0]', []],
  ['$..book[?@.isbn]', [moby, rings]],
  ['$..book[?(@.isbn)]', [moby, rings]],
  ['$..book[?!@.isbn].title', ['Sayings of the Century', 'Sword of Honor']],
  ['$..book[?@.price < 10].title', ['Sayings of the Century', 'Moby Dick']],
  ['$..book[?@.price<10 && @.category == "fiction"].title', ['Moby Dick']],
  ["$..book[?@.author=='Nigel Rees' || @.price>=22.99].price", [8.95, 22.99]],
  ['$..book[?(@.price < 9 || @.price > 20) && @.isbn].price', [8.99, 22.99]],
  ['$..book[?@.price != 8.95].price', [12.99, 8.99, 22.99]],
  ['$..book[?@.price <= $.store.book[0].price].price', [8.95]],
  ['$..book[?length(@.title) > 20].title', ['Sayings of the Century', 'The Lord of the Rings']],
  ['$..book[?match(@.title, "M.*")].title', ['Moby Dick']],
  ["$..book[?search(@.title, 'of')].price", [8.95, 12.99, 22.99]],
  ['$..book[?match(@.title, "(")].title', []],
  ['$.store[?count(@.*) == 4].length', []],
  ['$.store[?count(@.*) == 2]', [bicycle]],
  ['$ .store [ "bicycle" , "none" ] .color', ['red']],
])('%s', (path, expected) => {
  expect(values(path)).toEqual(expected);
});

test.each<[string, unknown, unknown[]]>([
  ['$["/pets/{id}"].get', { '/pets/{id}': { get: 1 } }, [1]],
  ["$['it''s']", {}, []],
  ["$['it\\'s \"x\"']", { 'it\'s "x"': 1 }, [1]],
  ['$["\\u00e9\\n"]', { 'é\n': 1 }, [1]],
  ['$.x-name', { 'x-name': 1 }, [1]],
  ['$.été', { été: 1 }, [1]],
  ['$[?@ == null]', [null, 0, false], [null]],
  ['$[?@.a == @.b]', [{ a: [1], b: [1] }, { a: 1, b: '1' }, {}], [{ a: [1], b: [1] }, {}]],
  ['$.constructor', {}, []],
  ['$.__proto__', {}, []],
  ['$.length', [1, 2], []],
])('%s in %j', (path, root, expected) => {
  if (path === "$['it''s']") expect(() => values(path, root)).toThrow('is not a JSONPath');
  else expect(values(path, root)).toEqual(expected);
});

test('each node comes with the keys that lead to it', () => {
  expect(findByPath(document, '$..book[?@.isbn].title').map(({ keys }) => keys)).toEqual([
    ['store', 'book', 2, 'title'],
    ['store', 'book', 3, 'title'],
  ]);
});

test.each([
  '',
  'store',
  '$.',
  '$..',
  '$[',
  '$[]',
  '$[1',
  '$["a]',
  '$.a b',
  '$[?]',
  '$[?@.a ==]',
  '$[?no(@.a)]',
  '$[?(@.a]',
])('%s is refused', async (path) => {
  expect(await refusal(() => values(path))).toMatch(/^422 the target .* is not a JSONPath \(position \d+\)/s);
});

test.each([
  ['parentheses', `$[?${'('.repeat(100_000)}@.a${')'.repeat(100_000)}]`],
  ['negations', `$[?${'!'.repeat(100_000)}@.a]`],
])('too many %s are refused', async (_, path) => {
  expect(await refusal(() => values(path, [{ a: 1 }]))).toBe('422 a target is nested too deeply');
});
