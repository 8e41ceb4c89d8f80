/** Declares the operations of the API's Suggest table. */
import { apiDocument, defineOperation, defineOwn, inBody, inPath, session } from './operation.ts';

/** What all suggestions share. The embedded service has no language model. */
const suggestion = { timeout: 300, effect: 'read', simplified: 'fixed rules replace the language model' } as const;

export const suggestOpenAPI = defineOperation('POST /v1/suggest/openapi', {
  command: ['suggest', 'openapi'],
  summary: 'Suggest an overlay for an API document',
  operand: 'schema',
  input: {
    'x-session-id': session,
    schema: { in: 'part', required: true, ...apiDocument },
    opts: { in: 'part', kind: 'json', record: 'SuggestOptsOld', help: 'options' },
  },
  result: 'bytes',
  deprecated: true,
  ...suggestion,
});

export const suggest = defineOperation('POST /v1/suggest/openapi_from_summary', {
  command: ['suggest', 'from-summary'],
  summary: 'Suggest an overlay from the summary of an API document',
  input: { 'x-session-id': session, body: inBody('SuggestRequestBody', 'summary, kind of suggestion and diagnostics') },
  result: 'bytes',
  flow: 'summary',
  ...suggestion,
});

export const suggestItems = defineOperation('POST /v1/suggest/items', {
  command: ['suggest', 'items'],
  summary: 'Get one suggestion for each item',
  input: { body: inBody('SuggestItemsRequestBody', 'prompt and items') },
  result: 'list',
  ...suggestion,
  isPerItem: true,
});

export const suggestOpenAPIRegistry = defineOwn('POST /v1/suggest/openapi/{namespace_name}/{revision_reference}', {
  command: ['suggest', 'registry'],
  summary: 'Suggest an overlay for a document in the registry',
  input: {
    'x-session-id': session,
    namespace_name: inPath('namespace name'),
    revision_reference: inPath('tag, or digest (4 characters of it are enough, if unique)'),
    body: { in: 'body', kind: 'json', record: 'SuggestRequestBody', help: 'kind of suggestion and diagnostics' },
  },
  result: 'bytes',
  ...suggestion,
});
