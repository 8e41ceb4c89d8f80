/** Draws pairs of a JMESPath expression and a JSON value, of which most fit each other. */

/** An expression, and the JSON text of the value to apply it to. */
export type Pair = readonly [expression: string, value: string];

const names = ['a', 'b', 'c', 'id', '"x-y"', 'missing'];

const long = ['9007199254740993', '-9007199254740993', '12345678901234567890', `1${'0'.repeat(98)}7`];
const numbers = ['0', '1', '-1', '2', '9', '10', '100', '0.5', '-2.25', '2.0', '1e3', '9007199254740991', ...long];

const strings = [
  ...[
    '',
    'a',
    'b',
    'B',
    'Z',
    'ab',
    'é',
    '\ufffd',
    '😀',
    '😀b',
    '2026-11-20',
    '2026-11-21T08:00:00Z',
    '10',
    '9',
    '0x10',
  ],
  ...['+5', ' 7 ', '1e3', '.5', '5.', '1_000', '-', 'nan', '12345678901234567890', '007', '__proto__'],
];

const separators = ['', ', ', '-', '😀'];
const comparators = ['==', '!=', '<', '<=', '>', '>='];

/** Returns a function that draws pairs with `random`, which returns numbers from 0 to 1. */
export function openPairs(random: () => number): () => Pair {
  const below = (count: number) => Math.floor(random() * count);
  const oneOf = <T>(all: readonly T[]): T => all[below(all.length)] as T;
  const many = (most: number, draw: () => string) => Array.from({ length: below(most + 1) }, draw);

  const string = () => JSON.stringify(oneOf(strings));
  const scalar = () =>
    oneOf([() => oneOf(numbers), () => oneOf(numbers), string, string, () => oneOf(['true', 'false', 'null'])])();
  const list = (draw: () => string) => `[${many(4, draw).join(',')}]`;
  const value = (depth: number): string => {
    if (depth === 0) return scalar();
    return oneOf([
      scalar,
      () => list(() => oneOf(numbers)),
      () => list(string),
      () => list(() => value(depth - 1)),
      () => list(() => record(depth - 1)),
      () => record(depth - 1),
    ])();
  };
  const record = (depth: number): string => {
    const fields = names.slice(0, 5).filter(() => random() < 0.7);
    return `{${fields.map((name) => `${name.startsWith('"') ? name : `"${name}"`}:${value(depth)}`).join(',')}}`;
  };

  const literal = () => {
    const kind = below(5);
    if (kind === 0) return `'${oneOf(strings)}'`;
    if (random() < 0.02) return '`petstore`';
    return `\`${kind === 1 ? value(1) : kind === 2 ? list(() => oneOf(numbers)) : scalar()}\``;
  };
  const part = (depth: number): string =>
    oneOf([
      () => `.${oneOf(names)}`,
      () => `.${oneOf(names)}`,
      () => '[*]',
      () => '[]',
      () => '.*',
      () => `[${below(5) - 2}]`,
      () => `[${oneOf(['', '1', '-2'])}:${oneOf(['', '2', '-1', '9'])}${oneOf(['', ':', ':2', ':-1'])}]`,
      () => `[?${expression(depth - 1)}]`,
      () => ` | ${expression(depth - 1)}`,
      () => `.[${expression(depth - 1)}, ${oneOf(names)}]`,
      () => `.{a: ${expression(depth - 1)}, b: ${oneOf(names)}}`,
    ])();
  const call = (depth: number): string => {
    const one = () => expression(depth - 1);
    const array = () =>
      oneOf([
        one,
        () => '@',
        () => `${oneOf(names)}[]`,
        () => `\`${list(() => oneOf(numbers))}\``,
        () => `\`${list(string)}\``,
      ])();
    const text = () => oneOf([one, () => `'${oneOf(strings)}'`, () => `to_string(${one()})`])();
    return oneOf([
      () => `${oneOf(['abs', 'ceil', 'floor', 'to_number', 'to_string', 'type', 'to_array', 'not_null'])}(${one()})`,
      () => `${oneOf(['to_number', 'length', 'reverse'])}(${text()})`,
      () => `${oneOf(['avg', 'sum', 'max', 'min', 'sort', 'length', 'reverse'])}(${array()})`,
      () =>
        `${oneOf(['max_by', 'min_by', 'sort_by'])}(${array()}, &${oneOf(['@', ...names, `to_string(${oneOf(names)})`])})`,
      () => `map(&${one()}, ${array()})`,
      () => `contains(${oneOf([array, text])()}, ${one()})`,
      () => `${oneOf(['starts_with', 'ends_with'])}(${text()}, ${text()})`,
      () => `join('${oneOf(separators)}', ${array()})`,
      () => `${oneOf(['keys', 'values'])}(${one()})`,
      () => `merge(${one()}, ${one()})`,
      () => `not_null(${one()}, ${one()})`,
    ])();
  };
  const expression = (depth: number): string => {
    if (depth <= 0) return oneOf([() => oneOf(names), () => oneOf(names), () => '@', literal])();
    const inner = () => expression(depth - 1);
    return oneOf([
      () => call(depth),
      () => call(depth),
      () => `${inner()}${part(depth)}`,
      () => `${inner()}${part(depth)}`,
      () => `${oneOf(names)}${part(depth)}${part(depth)}`,
      () => `${inner()} ${oneOf(comparators)} ${inner()}`,
      () => `${literal()} ${oneOf(comparators)} ${literal()}`,
      () => `(${inner()} ${oneOf(['&&', '||'])} ${inner()})`,
      () => `!${inner()}`,
      () => `[${inner()}, ${inner()}]`,
      () => `{a: ${inner()}, b: ${inner()}}`,
    ])();
  };
  return () => [expression(1 + below(3)), oneOf([() => record(2), () => list(() => record(1)), () => value(2)])()];
}
