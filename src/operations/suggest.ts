/** Declares the operations of the API's Suggest table. */
import { defineOperation } from './operation.ts';
import { session } from './shared.ts';

/** The limitation of the embedded service. */
const rules = 'fixed rules replace the language model';

export const suggestOpenAPI = defineOperation({
  id: 'suggestOpenAPI',
  command: ['suggest', 'openapi'],
  summary: 'Suggest an overlay for an API document',
  method: 'POST',
  path: '/v1/suggest/openapi',
  operand: 'schema',
  input: {
    'x-session-id': session,
    schema: {
      in: 'part',
      kind: 'file',
      document: true,
      required: true,
      help: 'API document, with the files it refers to',
    },
    opts: { in: 'part', kind: 'json', record: 'SuggestOptsOld', help: 'options' },
  },
  result: 'bytes',
  deprecated: true,
  timeout: 300,
  effect: 'read',
  simplified: rules,
});

export const suggest = defineOperation({
  id: 'suggest',
  command: ['suggest', 'from-summary'],
  summary: 'Suggest an overlay from the summary of an API document',
  method: 'POST',
  path: '/v1/suggest/openapi_from_summary',
  input: {
    'x-session-id': session,
    body: {
      in: 'body',
      kind: 'json',
      required: true,
      record: 'SuggestRequestBody',
      help: 'summary, kind of suggestion and diagnostics',
    },
  },
  result: 'bytes',
  flow: 'summary',
  timeout: 300,
  effect: 'read',
  simplified: rules,
});

export const suggestItems = defineOperation({
  id: 'suggestItems',
  command: ['suggest', 'items'],
  summary: 'Get one suggestion for each item',
  method: 'POST',
  path: '/v1/suggest/items',
  input: {
    body: {
      in: 'body',
      kind: 'json',
      required: true,
      record: 'SuggestItemsRequestBody',
      help: 'prompt and items',
    },
  },
  result: 'list',
  timeout: 300,
  effect: 'read',
  simplified: rules,
  isPerItem: true,
});

export const suggestOpenAPIRegistry = defineOperation({
  id: 'suggestOpenAPIRegistry',
  command: ['suggest', 'registry'],
  summary: 'Suggest an overlay for a document in the registry',
  method: 'POST',
  path: '/v1/suggest/openapi/{namespace_name}/{revision_reference}',
  input: {
    'x-session-id': session,
    namespace_name: { in: 'path', kind: 'string', required: true, help: 'namespace name' },
    revision_reference: { in: 'path', kind: 'string', required: true, help: 'tag or digest' },
    body: {
      in: 'body',
      kind: 'json',
      record: 'SuggestRequestBody',
      help: 'kind of suggestion and diagnostics',
    },
  },
  result: 'bytes',
  workspace: 'credential',
  timeout: 300,
  effect: 'read',
  simplified: rules,
});
