/** The story's report, short URL and schema store steps. */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { Step } from './step.ts';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const lint = '<title>lint</title>';
const changes = '<title>changes</title>';

const fetched = async (url: string) => (await fetch(url)).text();

export const reports: readonly Step[] = [
  {
    says: 'a lint report is uploaded',
    id: 'uploadReport',
    writes: { name: 'lint.html', text: () => lint },
    argv: () => ['reports', 'upload', '--type', 'linting', '--file', 'lint.html'],
    check: (value, state) => {
      expect(value.url).toContain('http');
      state.checksum = md5(lint);
    },
  },
  {
    says: 'its URL serves it',
    id: 'getLintingReportSignedUrl',
    argv: ({ checksum }) => ['reports', 'linting-url', checksum as string],
    check: async (value, state) => {
      expect(await fetched(value.url)).toBe(lint);
      state.signed = value.url;
    },
  },
  {
    says: 'a change report is uploaded',
    id: 'uploadReport',
    writes: { name: 'changes.html', text: () => changes },
    argv: () => ['reports', 'upload', '--data', '{"type":"changes"}', '--file', 'changes.html'],
  },
  {
    says: 'and served',
    id: 'getChangesReportSignedUrl',
    argv: () => ['reports', 'changes-url', md5(changes)],
    check: async (value) => expect(await fetched(value.url)).toBe(changes),
  },
  {
    says: 'an unknown one is not found',
    id: 'getChangesReportSignedUrl',
    argv: () => ['reports', 'changes-url', md5(lint)],
    code: 6,
  },
  {
    says: 'a URL is shortened, and the short URL leads there',
    id: 'create',
    argv: ({ signed }) => ['short-urls', 'create', '--url', signed as string],
    record: 'ShortURL',
    check: async (value, state) => {
      expect(value.full_url).toBe(state.signed);
      expect(await fetched(value.short_url)).toBe(lint);
    },
  },
  {
    says: 'a schema is stored',
    id: 'createSchemaStoreItem',
    argv: () => [
      'schema-store',
      'create',
      '--spec',
      'petstore.yaml',
      '--format',
      'yaml',
      '--package-name',
      '@acme/pets',
      '--sdk-classname',
      'Pets',
      '--yes',
    ],
    record: 'SchemaStoreItem',
    check: (value, state) => Object.assign(state, { schema: value.id, spec: value.spec }),
  },
  {
    says: 'and read back',
    id: 'getSchemaStoreItem',
    argv: ({ schema }) => ['schema-store', 'get', '--id', schema as string],
    record: 'SchemaStoreItem',
    check: (value, state) => expect(value.spec).toBe(state.spec),
  },
];
