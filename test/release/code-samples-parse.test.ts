/**
 * Code samples in the languages that do not run here, C# and Swift, follow the grammar and have the strings of the
 * request.
 */
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { snippetsOf } from '../../src/service/documents/snippets.ts';
import type { ExpectedRequest } from '../support/expected-request.ts';
import { githubOperations } from '../support/github-document.ts';
import { secrets } from '../support/hard-operations.ts';
import { type Parsed, parserOf } from '../support/sample-grammars.ts';

const address = 'https://samples.example';
const { document, all } = githubOperations(address);

const samplesIn = (language: string): readonly string[] => {
  const samples = snippetsOf(document, { languages: [language] }).map(({ code }) => code);
  expect(samples).toHaveLength(all.length);
  return samples;
};

const isJson = (text: string, value: unknown): boolean => {
  try {
    return isDeepStrictEqual(JSON.parse(text), value);
  } catch {
    return false;
  }
};

const isForm = (text: string, pairs: unknown): boolean => isDeepStrictEqual([...new URLSearchParams(text)], pairs);

/** What of the request is not in the strings of the code. */
function missingStrings({ strings }: Parsed, { method, path, headers, body }: ExpectedRequest, index: number) {
  const has = (text: string) => strings.includes(text);
  const isSecret = (value: string) => Object.values(secrets).some((secret) => value.includes(secret));
  const missing: string[] = [];
  if (!has(method)) missing.push(method);
  const [url = ''] = `${address}/s${index}${path}`.split(/(?<=[?&]k%26ey=)/);
  if (!has(url)) missing.push(url);
  for (const [name, value] of Object.entries(headers)) {
    // Some clients write the type of such a form themselves.
    if (value.startsWith('multipart/')) continue;
    if (!strings.some((one) => one.toLowerCase() === name)) missing.push(name);
    const isBuilt = isSecret(value) || /^Basic /.test(value);
    if (!isBuilt && !has(value)) missing.push(`${name}: ${value}`);
  }
  if (!body) return missing;
  if ('json' in body && !strings.some((one) => isJson(one, body.json))) missing.push('JSON');
  if ('pairs' in body && !strings.some((one) => isForm(one, body.pairs))) missing.push('form');
  if ('bytes' in body && !has(Buffer.from(body.bytes).toString()) && !has('FILE')) missing.push('bytes');
  if ('parts' in body)
    for (const [name, value] of body.parts) {
      const isThere = (text: string) =>
        strings.some((one) => one === text || one.includes(`\r\n${text}\r\n`) || one.includes(`name="${text}"`));
      for (const text of [name, typeof value === 'string' ? value : 'FILE'])
        if (!isThere(text) && !strings.some((one) => one.includes(`filename="${text}"`))) missing.push(text);
    }
  return missing;
}

test.each(['csharp', 'swift'] as const)(
  'all samples in %s follow the grammar, and have the strings of the request',
  async (language) => {
    const parse = await parserOf(language);
    const faults = samplesIn(language).flatMap((code, index) => {
      const parsed = parse(code);
      const { expected } = all[index] as { expected: ExpectedRequest };
      const missing = missingStrings(parsed, expected, index).map((text) => `missing: ${text}`);
      return [...parsed.faults, ...missing].map(
        (fault) => `s${index} ${expected.method} ${expected.path.slice(0, 60)}: ${fault}`,
      );
    });
    expect(faults).toEqual([]);
  },
);

test.each([
  ['csharp', 'var a = "x\ny";'],
  ['csharp', 'var a = "\\q";'],
  ['csharp', 'f(;'],
  ['swift', 'let a = "x\ny"'],
  ['swift', 'let a = "\\b"'],
  ['swift', 'let a = "x \\(y)"'],
  ['swift', 'print("a"'],
] as const)('the grammar of %s refuses %j', async (language, code) => {
  const parse = await parserOf(language);
  expect(parse(code).faults).not.toEqual([]);
});
