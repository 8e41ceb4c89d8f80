/** The story's code sample and suggestion steps. */
import { expect } from 'vitest';
import type { Step } from './step.ts';

const form = ['--schema-file', 'petstore.yaml', '--language', 'typescript'];
const operationsOf = (value: { snippets: { operationId: string }[] }) =>
  value.snippets.map((one) => one.operationId).sort();

export const samples: readonly Step[] = [
  {
    says: 'code samples of a document',
    id: 'generateCodeSamplePreview',
    argv: () => ['code-samples', 'preview', ...form, '--operation-ids', 'getPet'],
    record: 'UsageSnippets',
    check: (value) => {
      expect(operationsOf(value)).toEqual(['getPet']);
      // The names were stored with the document.
      expect(value.snippets[0].code).toContain('import { Pets } from "@acme/pets";');
    },
  },
  {
    says: 'a job starts',
    id: 'generateCodeSamplePreviewAsync',
    argv: () => ['code-samples', 'jobs', 'create', ...form],
    check: (value, state) => Object.assign(state, { job: value.job_id }),
  },
  {
    says: 'an unknown job',
    id: 'getCodeSamplePreviewAsync',
    argv: () => ['code-samples', 'jobs', 'get', 'none'],
    code: 6,
  },
  {
    says: 'code samples from the registry',
    id: 'getCodeSamples',
    argv: ({ org_slug, workspace_slug }) => [
      'code-samples',
      'get',
      '--registry-url',
      `registry.example.test/${org_slug}/${workspace_slug}/pets:stable`,
      '--languages',
      'go',
      '--languages',
      'python',
      '--method-paths',
      '{"method":"get","path":"/pets"}',
    ],
    record: 'UsageSnippets',
    check: (value) =>
      expect(value.snippets.map((one: { language: string }) => one.language).sort()).toEqual(['go', 'python']),
  },
  {
    says: 'an overlay for a document',
    id: 'suggestOpenAPI',
    argv: () => ['suggest', 'openapi', '--schema', 'petstore.yaml', '--suggestion-type', 'method-names'],
    check: (value) => expect(value.overlay).toBe('1.0.0'),
  },
  {
    says: 'an overlay from a summary',
    id: 'suggest',
    argv: () => [
      'suggest',
      'from-summary',
      '--suggestion-type',
      'method-names',
      '--diagnostics',
      '[]',
      '--oas-summary',
      '{"info":{"title":"Pets","summary":"","description":"","version":"1","license":{}},"operations":[{"method":"get","path":"/pets","operation_id":"","description":"","tags":[]}]}',
    ],
    check: (value) => expect(JSON.stringify(value)).toContain('/pets'),
  },
  {
    says: 'one suggestion for each item',
    id: 'suggestItems',
    argv: () => ['suggest', 'items', '--prompt', 'name these', '--items', 'get /pets', '--items', 'post /pets'],
    check: (value) => expect(value).toHaveLength(2),
  },
  {
    says: 'an overlay for a revision',
    id: 'suggestOpenAPIRegistry',
    argv: () => ['suggest', 'registry', 'pets', 'stable', '--session-id', 's-1'],
    check: (value) => expect(value.overlay).toBe('1.0.0'),
  },
  {
    says: 'the job finishes eventually',
    waits: true,
    id: 'getCodeSamplePreviewAsync',
    argv: ({ job }) => ['code-samples', 'jobs', 'get', job as string],
    record: 'UsageSnippets',
    check: (value) => expect(operationsOf(value)).toEqual(['createPet', 'getPet', 'listPets']),
  },
];
