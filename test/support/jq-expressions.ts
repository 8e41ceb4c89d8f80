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
    fromstream(tostream)
    [1 | truncate_stream([[0], 1], [[1, 0], 2], [[1, 0]], [[1]])]
    tojson | fromjson
    [recurse | scalars]
    [.] | map(length?)
    if . then "yes" else "no" end
    if type == "object" then keys elif type == "array" then length else . end
    try error("x") catch .
    try error({a: 1}) catch .a
    (.a, .b)?
    [., [.]] | flatten
    [.[]? | select(type == "string")]
    @json
    "value: \\(tojson)"
    walk(if type == "array" then reverse else . end)
    [.] | inside([., 1])
    {a: .} | .a
    {"x": 1, y: .}
    [limit(3; .[]?)]
    first(.[]?, "none")
    [.[]?] | .[1:]
    . as $x | [$x, $x]
    def f: .; [f, f]
    def f(x): x * 2; f(3)
    [range(3)] | map(. + 1)
    [range(0; 10; 3)]
    [range(5; 0; -2)]
    null | length
    [true, false, null, 0, ""] | map(if . then 1 else 0 end)
    reduce range(5) as $i (0; . + $i)
    [foreach range(5) as $i (0; . + $i; [$i, .])]
    [1, 2] as [$a, $b] | $a + $b
    {a: [1, {b: 2}]} as {a: [$x, {b: $y}]} | [$x, $y]
    label $out | 1, break $out, 2
    [splits("a")?]
    [getpath(["a", "b"])?]
    $__loc__
    input_line_number
    [.[]?.a?]
    "\\u00e9" | length
    [1, [2]] | getpath([1, 0])
    {} | .a.b.c = 1
    [3, 1, 2] | sort
    {a: 1} * {a: {b: 2}}
    {a: {b: 1}} * {a: {c: 2}}
    {a: 1} + {b: 2}
    [1, 2, 3] - [2]
    null + 1
    "abc" * 2
    10 / 4
    "a,b" / ","
    7 % 3
    1 < 2, "a" < "b", [] < {}, null < false
    1 == 1.0
    true and (true, false)
    (true, false) or false`,
  number: `
    . + 1
    . - 1
    . * 2
    . / 2
    -(.)
    floor
    ceil
    fabs
    (. * .) | sqrt | floor
    pow(2; 3)
    . > 0
    tostring
    [., 1] | max
    [limit(3; repeat(. + 1))]
    [.[]?]
    [recurse(if . < 3 and . > 0 then . + 1 else empty end)]
    [while(. < 100 and . > 0; . * 2)]
    until(. > 100; . + 100)
    isnan, isinfinite, isnormal
    . as $n | [range(3)] | map(. * $n)
    . as $n | if $n < 0 then "negative" elif $n == 0 then "zero" else "positive" end
    floor | . % 7
    "\\(.)!"
    @text
    @json
    infinite > .
    tojson`,
  numbers: `
    add
    length
    sort
    min, max
    unique
    reverse
    map(. + 1)
    map(select(. > 0))
    .[0], .[-1]
    .[1:3]
    .[:-1]
    .[2:]
    first, last
    nth(0)
    any(. > 5), all(. < 2000)
    index(1), rindex(1)
    indices(1)
    contains([1])
    group_by(. > 0)
    unique_by(. > 0)
    sort_by(-.)
    min_by(-.), max_by(-.)
    to_entries
    .[1] = 7
    .[0] += 1
    map(. * 2) | add
    del(.[0])
    del(.[0, 1])
    [.[] | floor]
    reduce .[] as $x (0; . + $x)
    [foreach .[] as $x (0; . + $x)]
    [limit(2; .[])]
    first(.[])
    bsearch(3) | type
    transpose?
    [., .] | transpose
    [combinations?] | length
    map(tostring) | join(",")
    @csv
    @tsv
    @json
    [.[] as $x | $x]
    . as [$a, $b] | [$b, $a]
    map(if . > 0 then "p" else "n" end)
    flatten
    [range(length)]
    tojson | fromjson
    (.[] | select(. > 0)) |= 0
    map(values)
    [paths]`,
  ascii: `
    length
    utf8bytelength
    ascii_downcase
    ascii_upcase
    explode | implode
    split(",")
    split(", *"; null)
    test("a")
    test("A"; "i")
    [match("[a-z]+"; "g") | .string]
    [match("a"; "g").offset]
    [capture("(?<x>[a-z])(?<n>[0-9])")]
    [scan("[0-9]")]
    [scan("([a-z])([0-9])")]
    sub("a"; "b")
    gsub("a"; "<\\(.)>"?)
    gsub("[0-9]"; "#")
    gsub("(?<c>[A-Z])"; "\\(.c)-")
    startswith("a"), endswith("z")
    ltrimstr("a"), rtrimstr("z")
    index("a"), rindex("a")
    indices("a")
    contains("ab")
    inside("abcAB12 ,-_.xyz")
    .[1:3]
    .[:-1]
    . + "!"
    . * 2
    tonumber?
    [splits(", *")]
    @base64
    @base64 | @base64d
    @uri
    @sh
    "x=\\(.)"
    @uri "x=\\(.)"
    ascii_downcase == .
    [.[]?]
    tojson
    explode | map(. + 1) | implode
    [.] | join("-")
    try fromjson catch "invalid"`,
  text: `
    length
    utf8bytelength
    explode
    explode | reverse | implode
    ascii_downcase
    @html
    @json
    @base64
    @sh
    tojson
    tojson | fromjson
    "<\\(.)>"
    @html "<b>\\(.)</b>"
    [.] | @csv
    [.] | @tsv
    split("a")
    split("")
    [match(".") | .string]
    sub("\\\\s"; "_")
    test("\\\\p{L}")
    . < "b"
    {(.): 1}
    {a: .} | to_entries`,
  strings: `
    join(", ")
    sort
    unique
    map(length)
    map(ascii_upcase)
    group_by(length)
    min_by(length), max_by(length)
    map(select(test("a")))
    add
    @csv
    @tsv
    @sh
    index("a")
    any(. == ""), all(length < 5)
    map({key: ., value: length}) | from_entries
    map(split(","))
    inside(["a", "b"])
    . - ["a"]
    first?, last?
    to_entries | map(.key)
    reduce .[] as $s (""; . + $s)
    IN("a", "b")
    [.[] | IN("a", "b")]
    any(.[]; . == "a")`,
  list: `
    length
    map(type)
    sort
    unique
    reverse
    flatten
    flatten(1)
    map(tojson)
    group_by(type)
    [.[] | scalars]
    [.[] | arrays, objects]
    [.[] | nulls, booleans, strings]
    [.[] | iterables]
    to_entries
    map(. == null)
    any, all
    .[0] // "none"
    [.[] | .a?]
    first(.[]?)
    [.[:2][]]
    map(values) | length
    index(null)
    del(.[] | select(. == null))
    [.[] | if type == "number" then . + 1 else empty end]
    . + [1]
    [paths | length]
    [limit(2; .[])] | length
    delpaths([[0], [1]])
    tojson | length > 0
    map(try length catch "none")`,
  object: `
    keys
    length
    to_entries
    with_entries(.value |= tojson)
    map_values(type)
    map_values(empty)
    del(.a)
    del(.a, .b)
    delpaths([["a"]])
    has("a")
    .a
    .["b"]
    .a.b?
    .a // .b // "none"
    .a = 1
    .a |= [.]
    .a //= 3
    [.[]] | length
    [paths]
    [path(..)]
    keys_unsorted | sort
    to_entries | from_entries
    . + {z: 1}
    . * {a: {b: 1}}
    contains({})
    {a, b}
    {a: .a, n: (.b | type)}
    [.[] | tojson]
    any, all
    add?
    map(type)
    tojson | fromjson
    @json
    with_entries(select(.key != "a"))
    reduce keys[] as $k ({}; .[$k] = 1)
    to_entries | map(.key) | sort
    [.a, .b] | map(select(. != null))
    paths(type == "array")
    setpath(["a", "b"]; 1)?
    getpath(["a"])
    . as {a: $x} | [$x]
    [splits("x")?]`,
  row: `
    .owner.name
    .tags[]
    .tags | length
    {id, name}
    {(.name): .id}
    "\\(.id): \\(.name)"
    [.id, .name] | @csv
    [.id, .name] | @tsv
    .a // "none"
    .owner | keys
    .owner.n += 1
    del(.owner, .tags)
    .tags |= sort
    .tags | join("|")
    if .ok then .id else .name end
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
