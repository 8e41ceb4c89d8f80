/** 2,000 random values as YAML, compared with PyYAML. YAML 1.1 and 1.2 read them alike. */
import { spawnSync } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDocument } from '../../src/input/files.ts';
import { seed } from '../support/random.ts';

const python = ['python3', '/usr/bin/python3'].find((one) => spawnSync(one, ['-c', 'import yaml']).status === 0);
if (!python) process.stdout.write('skipped: no Python with the package yaml (python3-yaml)\n');

/** Loads each document, and writes it in two styles of PyYAML. */
const program = `
import json, sys, yaml
Loader, Dumper = [getattr(yaml, 'C' + name, getattr(yaml, name)) for name in ['SafeLoader', 'SafeDumper']]
def both(text):
    value = yaml.load(text, Loader)
    dumped = lambda **style: yaml.dump(value, None, Dumper, **style)
    return [value, dumped(allow_unicode=True), dumped(default_flow_style=True, width=40)]
print(json.dumps([both(text) for text in json.load(sys.stdin)]))
`;

const words = fc.constantFrom(
  'eu',
  'a b',
  'x:y',
  'http://x.example/#a',
  "it's",
  'say "hi"',
  'été',
  '漢字',
  '-x',
  'a#b',
  '',
);
const string = fc.oneof(words, fc.string({ maxLength: 12 }), fc.string({ unit: 'grapheme', maxLength: 6 }));
const scalar = fc.oneof(
  string.map((one) => JSON.stringify(one)),
  // In single quotes, only the quote is special. A line break would be folded.
  string
    .filter((one) => !/[^\x20-\x7e\u00c0-\u024f\u4e00-\u9fff]/.test(one))
    .map((one) => `'${one.replaceAll("'", "''")}'`),
  fc.maxSafeInteger().map(String),
  fc.integer({ min: 0, max: 255 }).map((one) => `0x${one.toString(16)}`),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((one) => one.toFixed(3)),
  fc.constantFrom(
    'true',
    'False',
    'null',
    '~',
    'plain',
    'two words',
    'a-b',
    '!!str 12',
    '!!str true',
    '!!float 1.5',
    '!!int "7"',
  ),
);
const key = fc.constantFrom('a', 'b', 'c', '"d e"', "'f'", 'g-h', 'region', 'size');

/** A value in flow style, so that it fits everywhere. */
const { flow } = fc.letrec((tie) => ({
  flow: fc.oneof({ maxDepth: 3, withCrossShrink: true }, scalar, tie('list'), tie('map')),
  list: fc.array(tie('flow'), { maxLength: 4 }).map((all) => `[${all.join(', ')}]`),
  map: fc
    .uniqueArray(fc.tuple(key, tie('flow')), { maxLength: 4, selector: ([name]) => name })
    .map((all) => `{${all.map(([name, value]) => `${name}: ${value}`).join(', ')}}`),
}));
const map = fc.uniqueArray(fc.tuple(key, flow), { maxLength: 4, selector: ([name]) => name });

/** Fields, with anchors, aliases, merge keys, block scalars and comments. */
const document = fc
  .tuple(map, map, flow, fc.array(words, { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([base, own, value, lines, isFirst]) => {
    const fields = own.map(([name, one]) => `  ${name}: ${one}\n`).join('');
    const merge = `  <<: ${isFirst ? '*base' : '[*base, {region: eu, size: 2}]'}\n`;
    const block = lines.map((line) => `  x${line}\n`).join('');
    return [
      `base: &base {${base.map(([name, one]) => `${name}: ${one}`).join(', ')}}\n`,
      `live: # comment\n${isFirst ? merge + fields : fields + merge}`,
      `value: &v ${value}\nagain: [*v, *v]\n`,
      `literal: |\n${block}folded: >-\n${block}`,
    ].join('');
  });

test.skipIf(!python)(`2,000 values (seed ${seed})`, { timeout: 600_000 }, async () => {
  const texts = fc.sample(document, { seed, numRuns: 2000 });
  const input = JSON.stringify(texts);
  const { stdout, stderr } = spawnSync(String(python), ['-c', program], {
    input,
    maxBuffer: 2 ** 28,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const answers = JSON.parse(stdout) as readonly [unknown, string, string][];
  expect(answers).toHaveLength(2000);
  const wrong: unknown[] = [];
  for (const [index, [value, block, flowStyle]] of answers.entries())
    for (const text of [texts[index] ?? '', index % 2 === 0 ? block : flowStyle]) {
      const decoded = await parseDocument(text, '--body');
      if (!isDeepStrictEqual(decoded, value)) wrong.push({ text, decoded, value });
    }
  expect(wrong).toEqual([]);
});
