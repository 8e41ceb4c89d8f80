/** The embedded service on a real document: GitHub's OpenAPI description, of 13 MB and over a thousand operations. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createReadStream, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { codeSamples } from '../src/service/handlers/code-samples.ts';

const path = createRequire(import.meta.url).resolve('@octokit/openapi/generated/api.github.com.json');
const schema_file = {
  name: 'api.github.com.json',
  size: statSync(path).size,
  open: () => createReadStream(path),
};

async function snippets(language: string): Promise<readonly { operationId: string; code: string }[]> {
  const input = { schema_file, language };
  const answer = (await codeSamples.generateCodeSamplePreview(input)) as { snippets: readonly never[] };
  return answer.snippets;
}

const has = (tool: string) => spawnSync(tool, ['--version']).status === 0;
for (const tool of ['python3', 'bash'])
  if (!has(tool)) process.stderr.write(`skipped: no ${tool} to read snippets with\n`);

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
  // Each call counted by a curl that only counts.
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
