/** YAML input is sent as exactly the same JSON, or refused with its line before anything is sent. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/context.ts';
import { bodySentBy } from '../support/sent-body.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

function fileOf(content: string | Uint8Array, name = 'body.yaml'): string {
  writeFileSync(join(folder, name), content);
  return `@${name}`;
}

interface Given {
  readonly argv: readonly string[];
  readonly stdin?: string | Uint8Array;
}
type Way = readonly [name: string, way: (yaml: string) => Given];

const body = (...words: readonly string[]): Way => [
  `${words.join(' ')} --body @FILE`,
  (yaml) => ({ argv: [...words, '--body', fileOf(yaml)] }),
];

const ways: readonly Way[] = [
  body('ws', 'create'),
  body('api', 'v1/x', '-X', 'POST'),
  body('artifacts', 'remote-sources', 'create'),
  body('suggest', 'from-summary'),
  ['ws create --body YAML', (yaml) => ({ argv: ['ws', 'create', '--body', yaml] })],
  ['ws create --body -', (yaml) => ({ argv: ['ws', 'create', '--body', '-'], stdin: yaml })],
  ['a field', (yaml) => ({ argv: ['suggest', 'from-summary', '--oas-summary', yaml] })],
  ['a field @FILE', (yaml) => ({ argv: ['suggest', 'from-summary', '--oas-summary', fileOf(yaml)] })],
];

const post = ['events', 'post', '--no-check', '--no-fill', '--body'];
const events: readonly Way[] = [
  ['events post --body @FILE', (yaml) => ({ argv: [...post, fileOf(yaml)] })],
  ['events post --body -', (yaml) => ({ argv: [...post, '-'], stdin: yaml })],
];

const sentBy = ([, way]: Way, yaml: string) => {
  const { argv, ...world } = way(yaml);
  return bodySentBy(argv, { cwd: folder, ...world });
};

const base = 'base: &base {region: eu, size: 1}\n';
const merged = '"base":{"region":"eu","size":1}';

/** YAML that JSON can represent, and the fields that are sent. */
const exact: readonly [yaml: string, fields: string][] = [
  ['n: [0, -1, +5, 012, 0x1F, 0o17, 9007199254740991]', '"n":[0,-1,5,12,31,15,9007199254740991]'],
  ['n: [1.50, .5, 5., 1e3, -2.5E-3, 0.1]', '"n":[1.5,0.5,5,1000,-0.0025,0.1]'],
  ['b: [true, True, FALSE]\nz: [null, Null, ~, ]', '"b":[true,true,false],"z":[null,null,null]'],
  [
    's: [no, yes, on, y, 1:30, 2026-11-01, 2026-11-01T10:00:00Z, 1_000, 0b1, =]',
    sAs('no,yes,on,y,1:30,2026-11-01,2026-11-01T10:00:00Z,1_000,0b1,='),
  ],
  ['%YAML 1.1\n---\ns: [no, 1:30, 2026-11-01]', sAs('no,1:30,2026-11-01')],
  ['s: [!!str 12, ! 13, "14", \'15\', !!str true]', sAs('12,13,14,15,true')],
  ['n: [!!int 7, !!int "8", !!float 9, !!float 1.5, !!null "", !!bool true]', '"n":[7,8,9,1.5,null,true]'],
  ['m: !!map {a: !!seq [1]}', '"m":{"a":[1]}'],
  ['200: a\n1.10: b\ntrue: c\n"": d', '"200":"a","1.10":"b","true":"c","":"d"'],
  ['__proto__: {a: 1}\nconstructor: 2', '"__proto__":{"a":1},"constructor":2'],
  [`${base}live: {<<: *base, size: 2}`, `${merged},"live":{"region":"eu","size":2}`],
  [`${base}live: {size: 2, <<: *base}`, `${merged},"live":{"size":2,"region":"eu"}`],
  [
    `${base}o: &o {size: 3, x: y}\nlive:\n  <<: [*o, *base]`,
    `${merged},"o":{"size":3,"x":"y"},"live":{"size":3,"x":"y","region":"eu"}`,
  ],
  [`${base}live: {"<<": *base}`, `${merged},"live":{"<<":{"region":"eu","size":1}}`],
  ['a: &a [1]\nb: *a\na2: &a 2\nc: *a', '"a":[1],"b":[1],"a2":2,"c":2'],
  [`a: &a 1\nb: [${'*a, '.repeat(300)}]`, `"a":1,"b":[${Array(300).fill(1)}]`],
  ['t: |\n  two\n  lines\nf: >-\n  one\n  line', '"t":"two\\nlines\\n","f":"one line"'],
  ['\ufeffa: é\r\nb: "\\u263a"', '"a":"é","b":"☺"'],
];

function sAs(list: string): string {
  return `"s":${JSON.stringify(list.split(','))}`;
}

/** YAML that JSON cannot represent, and the reason. The second line is at fault. */
const inexact: readonly [yaml: string, reason: string][] = [
  ['a: 1\nb: .inf', 'the number .inf at line 2, which JSON cannot represent'],
  ['a: 1\nb: -.INF', 'the number -.INF at line 2, which JSON cannot represent'],
  ['a: 1\nb: [.nan]', 'the number .nan at line 2, which JSON cannot represent'],
  ['a: 1\nb: 1e400', 'the number 1e400 at line 2, which cannot be represented exactly'],
  ['a: 1\r\nb: -1e999', 'the number -1e999 at line 2, which cannot be represented exactly'],
  [`a: 1\nb: ${'9'.repeat(5000)}`, `the number ${'9'.repeat(40)}… at line 2, which cannot be represented exactly`],
  ['a: 1\nb: !!set {x, y}', 'the tag !!set at line 2'],
  ['a: 1\nb: !!set\n  ? x', 'the tag !!set at line 2'],
  ['a: 1\nb: !!omap [x: 1]', 'the tag !!omap at line 2'],
  ['a: 1\nb: !!pairs [x: 1]', 'the tag !!pairs at line 2'],
  ['a: 1\nb: !!binary aGVsbG8=', 'the tag !!binary at line 2'],
  ['a: 1\nb: !!timestamp 2026-01-02', 'the tag !!timestamp at line 2'],
  ['a: 1\nb: !secret x', 'the tag !secret at line 2'],
  ['a: 1\nb: !<tag:x.example,2026:y> x', 'the tag !<tag:x.example,2026:y> at line 2'],
  ['a: 1\nb: !!int x', 'the tag !!int at line 2'],
  ['a: 1\nb: !!map [x]', 'the tag !!map at line 2'],
  ['a: 1\n~: b', 'a key at line 2 that is null'],
  ['a: 1\n: b', 'a key at line 2 that is null'],
  ['a: 1\n[x]: b', 'a key at line 2 that is a list'],
  ['a: 1\n{x: y}: b', 'a key at line 2 that is an object'],
  ['a: 1\na: 2', 'the key "a" a second time at line 2'],
  ['1: a\n"1": b', 'the key "1" a second time at line 2'],
  ['a: &a {x: 1, y: {\n  <<: *a}}', 'the alias *a at line 2, which refers to itself'],
  ['a: &a [1,\n  *a]', 'the alias *a at line 2, which refers to itself'],
  ['a: 1\nb: *c', 'the alias *c at line 2, which has no anchor before it'],
  ['a: 1\n<<: 2', 'a merge key (<<) at line 2 whose value is not an object'],
  ['a: {b: 1}\n<<: [2]', 'a merge key (<<) at line 2 whose value is not an object'],
  ['a: 1\n---\nb: 2', 'at least two documents: the second starts at line 2'],
  ['a: 1\n--- # c\nb: 2\n---\nc: 3', 'at least two documents: the second starts at line 2'],
  [`a: ${'['.repeat(600)}${']'.repeat(600)}`, 'nested deeper than 500'],
  [`a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'nested deeper than 500'],
  [
    `a0: &a0 x\n${Array.from({ length: 600 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}]\n`).join('')}`,
    'nested deeper than 500',
  ],
  [
    `a0: &a0 x\n${Array.from({ length: 40 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]\n`).join('')}`,
    'is larger than 64 MiB, counting every alias',
  ],
  ['# nothing', 'is empty'],
];

const digits = '12345678901234567890';

describe.each([...ways, ...events].map((way) => [way[0], way] as const))('%s', (_, way) => {
  test.each(exact)('%j is sent as %s', async (yaml, fields) => {
    const { sent, stderr } = await sentBy(way, yaml);
    expect(sent, stderr).toContain(fields);
  });

  test.each(inexact)('%j is refused: it has %s', async (yaml, reason) => {
    const { code, stdout, sent, stderr } = await sentBy(way, yaml);
    expect({ code, stdout, sent }, stderr).toEqual({ code: 2, stdout: '', sent: undefined });
    expect(stderr).toContain(reason);
    expect(stderr).not.toMatch(/YAML\.parse|TypeError|call stack/);
  });
});

test.each(ways.map((way) => [way[0], way] as const))(
  '%s: an integer that would be rounded is refused',
  async (_, way) => {
    for (const long of [digits, `-${digits}`, '9007199254740993', '0xFFFFFFFFFFFFFFFF', `0${digits}`]) {
      const { code, sent, stderr } = await sentBy(way, `a: 1\nb: ${long}`);
      expect([code, sent, stderr]).toEqual([2, undefined, expect.stringContaining(`the number ${long} at line 2`)]);
    }
  },
);

test.each(events.map((way) => [way[0], way] as const))(
  '%s: an integer of any size is sent, as in JSON',
  async (_, way) => {
    const { sent, stderr } = await sentBy(way, `- {a: ${digits}, b: +0${digits}}\n- {c: [0xFFFFFFFFFFFFFFFF]}`);
    expect(sent, stderr).toContain(`"a":${digits},"b":${digits}`);
    expect(sent).toContain('"c":[18446744073709551615]');
  },
);

test.each(exact)('--dry-run shows what is sent for %j', async (yaml, fields) => {
  const { stdout } = await bodySentBy(['ws', 'create', '--dry-run', '-o', 'json', '--body', yaml]);
  expect(JSON.parse(stdout).body).toEqual(JSON.parse(`{${fields}}`));
});

describe('UTF-16 is refused by name', () => {
  const marked = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
  const kinds: readonly [string, (text: string) => Buffer][] = [
    ['little endian', marked],
    ['big endian', (text) => marked(text).swap16()],
    ['without a mark', (text) => Buffer.from(text, 'utf16le')],
    ['big endian without a mark', (text) => Buffer.from(text, 'utf16le').swap16()],
  ];
  const commands: readonly (readonly string[])[] = [
    ['ws', 'create', '--body'],
    ['ws', 'create', '-F'],
    ['api', 'v1/x', '-X', 'POST', '--body'],
    ['artifacts', 'remote-sources', 'create', '--body'],
    ['events', 'post', '--body'],
  ];
  test.each(kinds.flatMap(([kind, of]) => commands.map((argv) => [argv.join(' '), kind, argv, of] as const)))(
    '%s: %s',
    async (_, _kind, argv, of) => {
      for (const text of ['a: 1\n', '{"a":1}\n', '[{"a":1}]']) {
        const prefix = argv.at(-1) === '-F' ? 'a=@' : '@';
        for (const [given, stdin] of [
          [fileOf(of(text)).slice(1), undefined],
          ['-', of(text)],
        ] as const) {
          const ended = await bodySentBy(
            [...argv, prefix + given].map((one) => (one === '@-' ? '-' : one)),
            {
              cwd: folder,
              ...(stdin && { stdin }),
            },
          );
          expect([ended.code, ended.sent]).toEqual([2, undefined]);
          expect(ended.stderr).toMatch(/is UTF-16 text, not UTF-8.*Save it as UTF-8/s);
        }
      }
    },
  );
});
