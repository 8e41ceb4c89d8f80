/**
 * The embedded service on a real document: GitHub's OpenAPI description, with 13 MB and more than a thousand
 * operations.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { documentOverlay } from '../../src/service/documents/overlay.ts';
import { codeSamples } from '../../src/service/handlers/code-samples.ts';
import { anyScope, jsonOf } from '../support/service-scope.ts';

const path = createRequire(import.meta.url).resolve('@octokit/openapi/generated/api.github.com.json');
const schema_file = {
  name: 'api.github.com.json',
  size: statSync(path).size,
  open: () => createReadStream(path),
};

async function snippets(language: string): Promise<readonly { operationId: string; code: string }[]> {
  const input = { schema_file, language };
  const { snippets } = await jsonOf(await codeSamples.generateCodeSamplePreview(input, anyScope()));
  return snippets;
}

const has = (tool: string) => spawnSync(tool, ['--version']).status === 0;
for (const tool of ['python3', 'bash'])
  if (!has(tool)) process.stderr.write(`skipped: ${tool} is not installed, so snippets are not parsed\n`);

test('every operation has a snippet in TypeScript that parses', async () => {
  const all = await snippets('typescript');
  expect(all.length).toBeGreaterThan(1000);
  const bad = all.filter(({ code }) => {
    try {
      new Function(`return async () => {${code}}`);
      return false;
    } catch {
      return true;
    }
  });
  expect(bad).toEqual([]);
});

test.skipIf(!has('python3'))('every snippet in Python parses', async () => {
  const all = await snippets('python');
  const program = 'import ast, json, sys\nfor code in json.load(sys.stdin): ast.parse(code)\nprint("all")';
  const input = JSON.stringify(all.map(({ code }) => code));
  expect(execFileSync('python3', ['-c', program], { input, encoding: 'utf8' })).toBe('all\n');
});

test.skipIf(!has('bash'))('every snippet for curl is one shell command', async () => {
  const all = await snippets('curl');
  const input = all.map(({ code }) => code).join('\n');
  // Each call is counted by a fake curl.
  const count = 'n=0; curl() { n=$((n+1)); }; eval "$(cat)"; echo $n';
  expect(execFileSync('bash', ['-c', count], { input, encoding: 'utf8' })).toBe(`${all.length}\n`);
});

test.each(['go', 'java', 'csharp', 'ruby', 'swift'])(
  'every operation has a snippet in %s',
  async (language) => {
    const all = await snippets(language);
    const create = all.find(({ operationId }) => operationId === 'issues/create');
    expect(all.length).toBeGreaterThan(1000);
    expect(create?.code).toContain('https://api.github.com/repos/OWNER/REPO/issues');
  },
);

test("method names do not repeat their group's name, and each exists once", () => {
  const { paths } = JSON.parse(readFileSync(path, 'utf8'));
  const overlay = parse(documentOverlay({ paths }, { type: 'method-names', diagnostics: [] }));
  const names = new Map<string, { 'x-method-name': string; 'x-group': string }>(
    overlay.actions.map(({ target, update }: { target: string; update: never }) => [target, update]),
  );
  expect(names.get('$["paths"]["/repos/{owner}/{repo}/issues"]["post"]')).toEqual({
    'x-method-name': 'create',
    'x-group': 'issues',
  });
  expect(names.get('$["paths"]["/advisories"]["get"]')).toEqual({
    'x-method-name': 'listGlobal',
    'x-group': 'security-advisories',
  });
  const full = [...names.values()].map((one) => `${one['x-group']}.${one['x-method-name']}`);
  expect(new Set(full).size).toBe(full.length);
});
