/** Expressions of jq, after the examples of its manual, by the kind of value that they take. */
import fc from 'fast-check';

const integer = fc.integer({ min: -1000, max: 1000 });
const number = fc.oneof(
  integer,
  integer.map((one) => one + 0.5),
);
const ascii = fc.string({ unit: fc.constantFrom(...'abcAB12 ,-_.xyz'), maxLength: 12 });
const text = fc.string({ unit: fc.constantFrom(...'abAB1 ,"\\\n\t<&\'é漢😀'), maxLength: 12 });
const scalar = fc.oneof(fc.constant(null), fc.boolean(), number, text);
const key = fc.constantFrom('a', 'b', 'c', 'id', 'name');
const { any } = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(key, tie('any'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const row = fc.record(
  {
    id: integer,
    name: ascii,
    ok: fc.boolean(),
    a: fc.option(integer),
    tags: fc.array(ascii, { maxLength: 3 }),
    owner: fc.record({ name: ascii, n: number }),
  },
  { noNullPrototype: true },
);

/** Fields of plain objects are in the order in which they are written, as in jq. */
const kinds = {
  any,
  number,
  numbers: fc.array(number, { maxLength: 6 }),
  ascii,
  text,
  strings: fc.array(ascii, { maxLength: 5 }),
  list: fc.array(any, { maxLength: 5 }),
  object: fc.dictionary(key, any, { maxKeys: 5, noNullPrototype: true }),
  row,
  rows: fc.array(row, { maxLength: 5 }),
} satisfies Readonly<Record<string, fc.Arbitrary<unknown>>>;

const byKind: Readonly<Record<keyof typeof kinds, string>> = {
  any: `
    .
    .a?
    .[0]?
    .. | numbers
    [..] | length
    type
    [.[]?]
    . // "none"
    not
    . == .
    [paths]
    [paths(type == "number")]
    [tostream]
    [1 | truncate_stream([[0], 1], [[1, 0], 2], [[1, 0]], [[1]])]
    [recurse | scalars]
    if . then "yes" else "no" end
    try error("x") catch .
    (.a, .b)?
    [.[]? | select(type == "string")]
    "value: \\(tojson)"
    [.] | inside([., 1])
    {"x": 1, y: .}
    first(.[]?, "none")
    . as $x | [$x, $x]
    def f(x): x * 2; f(3)
    [range(0; 10; 3)]
    null | length
    reduce range(5) as $i (0; . + $i)
    [1, 2] as [$a, $b] | $a + $b
    label $out | 1, break $out, 2
    [getpath(["a", "b"])?]
    input_line_number
    "\\u00e9" | length
    {} | .a.b.c = 1
    {a: 1} * {a: {b: 2}}
    {a: 1} + {b: 2}
    null + 1
    10 / 4
    7 % 3
    1 == 1.0
    (true, false) or false`,
  number: `
    . + 1
    . * 2
    -(.)
    ceil
    (. * .) | sqrt | floor
    . > 0
    [., 1] | max
    [.[]?]
    [while(. < 100 and . > 0; . * 2)]
    isnan, isinfinite, isnormal
    . as $n | if $n < 0 then "negative" elif $n == 0 then "zero" else "positive" end
    "\\(.)!"
    @json
    tojson`,
  numbers: `
    add
    sort
    unique
    map(. + 1)
    .[0], .[-1]
    .[:-1]
    first, last
    any(. > 5), all(. < 2000)
    indices(1)
    group_by(. > 0)
    sort_by(-.)
    to_entries
    .[0] += 1
    del(.[0])
    [.[] | floor]
    [foreach .[] as $x (0; . + $x)]
    first(.[])
    transpose?
    [combinations?] | length
    @csv
    @json
    . as [$a, $b] | [$b, $a]
    flatten
    tojson | fromjson
    map(values)
    [paths]`,
  ascii: `
    utf8bytelength
    ascii_upcase
    split(",")
    test("a")
    [match("[a-z]+"; "g") | .string]
    [capture("(?<x>[a-z])(?<n>[0-9])")]
    [scan("([a-z])([0-9])")]
    gsub("a"; "<\\(.)>"?)
    gsub("(?<c>[A-Z])"; "\\(.c)-")
    ltrimstr("a"), rtrimstr("z")
    indices("a")
    inside("abcAB12 ,-_.xyz")
    .[:-1]
    . * 2
    [splits(", *")]
    @base64 | @base64d
    @sh
    @uri "x=\\(.)"
    [.[]?]
    explode | map(. + 1) | implode
    try fromjson catch "invalid"`,
  text: `
    length
    explode
    ascii_downcase
    @json
    @sh
    tojson | fromjson
    @html "<b>\\(.)</b>"
    [.] | @tsv
    split("")
    sub("\\\\s"; "_")
    . < "b"
    {a: .} | to_entries`,
  strings: `
    join(", ")
    unique
    map(ascii_upcase)
    min_by(length), max_by(length)
    add
    @tsv
    index("a")
    map({key: ., value: length}) | from_entries
    inside(["a", "b"])
    first?, last?
    reduce .[] as $s (""; . + $s)
    [.[] | IN("a", "b")]
    any(.[]; . == "a")`,
  list: `
    map(type)
    unique
    flatten
    map(tojson)
    [.[] | scalars]
    [.[] | nulls, booleans, strings]
    to_entries
    any, all
    [.[] | .a?]
    [.[:2][]]
    index(null)
    [.[] | if type == "number" then . + 1 else empty end]
    [paths | length]
    delpaths([[0], [1]])
    map(try length catch "none")`,
  object: `
    keys
    to_entries
    map_values(type)
    del(.a)
    delpaths([["a"]])
    .a
    .a.b?
    .a = 1
    .a //= 3
    [paths]
    keys_unsorted | sort
    . + {z: 1}
    contains({})
    {a: .a, n: (.b | type)}
    any, all
    map(type)
    @json
    reduce keys[] as $k ({}; .[$k] = 1)
    [.a, .b] | map(select(. != null))
    setpath(["a", "b"]; 1)?
    . as {a: $x} | [$x]
    [splits("x")?]`,
  row: `
    .tags[]
    {id, name}
    "\\(.id): \\(.name)"
    [.id, .name] | @tsv
    .owner | keys
    del(.owner, .tags)
    .tags | join("|")
    [.id, .a] | map(values) | add
    {n: .owner.n, t: (.tags | first)}
    to_entries | map(select(.value | scalars)) | from_entries
    [.. | strings]
    .tags as [$first] | {first: $first, id}
    .name | test("a") | not
    with_entries(select(.value | type == "number"))
    path(.owner.name)
    [paths(scalars)] | length
    getpath(["owner", "n"])
    .owner * {extra: true}`,
  rows: `
    .[].id
    map(.id)
    map(select(.ok))
    map(select(.ok)) | length
    .[] | select(.id > 0) | .name
    [.[] | {id, name}]
    sort_by(.id) | map(.id)
    sort_by(.ok, .id) | map(.id)
    group_by(.ok) | map({ok: .[0].ok, count: length})
    unique_by(.name) | length
    min_by(.id).id?, max_by(.id).id?
    map(.owner.n) | add
    map(.tags[]) | unique
    [.[] | .tags | length] | add
    first(.[] | select(.ok)).name
    map({(.name): .id}) | add
    map({key: .name, value: .id}) | from_entries
    .[] | [.id, .name, .ok] | @csv
    .[] | [.id, .name, .ok] | @tsv
    .[] | "\\(.id)\\t\\(.name)"
    any(.[]; .ok), all(.[]; .id > -2000)
    map(.a // 0) | add
    to_entries | map({i: .key, id: .value.id})
    map(del(.owner, .tags))
    map(.name |= ascii_upcase) | map(.name)
    [.[] | select(.name | test("^a"))] | length
    reduce .[] as $r ({}; .[$r.name] += 1)
    [limit(2; .[])] | map(.id)
    INDEX(.id) | length
    [.[] | .owner | .name] | sort
    map([.id, .tags[0]])
    (map(select(.ok)) | length) as $n | {ok: $n, all: length}
    .[1:] | map(.id)
    .[-1:][0].id
    map(has("a"))
    map(keys | length)
    [.[] as {id: $i, owner: {name: $n}} | [$i, $n]]
    (.[] | select(.ok) | .name) = "x" | map(.name)`,
};

export interface Pairs {
  readonly expression: string;
  readonly values: readonly unknown[];
}

/** Returns every expression with `count` values of its kind. */
export const pairsOf = (count: number, seed: number): readonly Pairs[] =>
  Object.entries(byKind).flatMap(([kind, lines], at) =>
    lines
      .trim()
      .split('\n')
      .map((line, number) => ({
        expression: line.trim(),
        values: fc.sample(kinds[kind as keyof typeof kinds], { numRuns: count, seed: seed + at * 1000 + number }),
      })),
  );
