/**
 * The embedded service on a real document: GitHub's OpenAPI description, with 13 MB and more than a thousand
 * operations.
 */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { codeLanguages } from '../../src/operations/records.ts';
import { documentOverlay } from '../../src/service/documents/overlay.ts';
import { codeSamples } from '../../src/service/handlers/code-samples.ts';
import { readGithubDocument } from '../support/github-document.ts';
import { anyScope, jsonOf } from '../support/service-scope.ts';

const content = readGithubDocument();
const schema_file = {
  name: 'api.github.com.json',
  size: content.byteLength,
  open: () => Readable.from([content]),
};

test.each(codeLanguages)('every operation has a code sample in %s', async (language) => {
  const reply = await codeSamples.generateCodeSamplePreview({ schema_file, language }, anyScope());
  const { snippets } = await jsonOf(reply);
  const create = snippets.find(({ operationId }: { operationId: string }) => operationId === 'issues/create');
  expect(snippets).toHaveLength(1223);
  expect(create.code).toContain('https://api.github.com/repos/OWNER/REPO/issues');
});

test("method names do not repeat their group's name, and each exists once", () => {
  const { paths } = JSON.parse(content.toString());
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
