/** Declares the operations of the API's CodeSamples table. */
import { apiDocument, defineOperation, defineOwn, type Field, inPath, inRequiredQuery } from './operation.ts';

/** The fields of CodeSampleSchemaInput. The API document requires this form, but does not list its fields. */
const form = {
  schema_file: { in: 'part', wanted: true, ...apiDocument },
  language: { in: 'part', kind: 'string', record: 'CodeLanguage', wanted: true, help: 'language of the code samples' },
  package_name: { in: 'part', kind: 'string', help: 'SDK package name' },
  sdk_class_name: { in: 'part', kind: 'string', help: 'SDK class name' },
  operation_ids: { in: 'part', kind: 'string', many: true, help: 'only these operations' },
} as const satisfies Record<string, Field>;

/** The limitations of the embedded service. */
const some = 'only TypeScript and Python samples call the SDK';
const clocked = 'takes 1 s; only TypeScript and Python call the SDK';

const columns = ['operationId', 'method', 'path', 'language', 'code'] as const;
const snippets = { result: 'list', rows: 'snippets', columns, ends: ['partial'] } as const;

export const getCodeSamples = defineOperation('GET /v1/code_sample', {
  command: ['code-samples', 'get'],
  summary: 'Get code samples for a document in the registry',
  input: {
    registry_url: inRequiredQuery('registry URL of the document'),
    operation_ids: { in: 'query', kind: 'string', many: true, help: 'only these operations' },
    method_paths: {
      in: 'query',
      kind: 'json',
      many: true,
      isMethodPaths: true,
      help: 'only these operations, each as {"method":"get","path":"/pets"}',
    },
    languages: {
      in: 'query',
      kind: 'string',
      record: 'CodeLanguage',
      many: true,
      help: 'only these languages, such as go,python',
    },
  },
  ...snippets,
  simplified: some,
});

export const generateCodeSamplePreview = defineOperation('POST /v1/code_sample/preview', {
  command: ['code-samples', 'preview'],
  summary: 'Generate code samples for a document',
  operand: 'schema_file',
  input: form,
  ...snippets,
  timeout: 300,
  effect: 'read',
  simplified: some,
});

export const generateCodeSamplePreviewAsync = defineOwn('POST /v1/code_sample/preview/async', {
  command: ['code-samples', 'jobs', 'create'],
  summary: 'Start a job that generates code samples for a document',
  operand: 'schema_file',
  input: form,
  names: 'job_id',
  timeout: 300,
  flow: 'wait',
  ends: ['partial'],
  simplified: clocked,
});

export const getCodeSamplePreviewAsync = defineOwn('GET /v1/code_sample/preview/async/{jobID}', {
  command: ['code-samples', 'jobs', 'get'],
  summary: 'Get the code samples of a job',
  input: { jobID: inPath('job id') },
  ...snippets,
  flow: 'wait',
  simplified: clocked,
  pending: 202,
  notes: ['While the job is running, this command prints its status and exits with 8.'],
});
