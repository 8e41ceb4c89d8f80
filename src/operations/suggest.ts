/** The document's Suggest table. */
import { operation } from './operation.ts';
import { session } from './shared.ts';

/** Where the embedded service simplifies. */
const rules = 'rules stand in for a language model';

export const suggestOpenAPI = operation({
  id: 'suggestOpenAPI',
  command: ['suggest', 'openapi'],
  summary: 'Get an overlay that improves an API description',
  method: 'POST',
  path: '/v1/suggest/openapi',
  input: {
    'x-session-id': session,
    schema: {
      in: 'part',
      kind: 'file',
      document: true,
      required: true,
      help: 'API description, with the files it refers to',
    },
    opts: { in: 'part', kind: 'json', record: 'SuggestOptsOld', help: 'Options' },
  },
  result: 'bytes',
  deprecated: 'suggest from-summary',
  timeout: 300,
  effect: 'read',
  simplified: rules,
});

export const suggest = operation({
  id: 'suggest',
  command: ['suggest', 'from-summary'],
  summary: 'Get an overlay from a summary of an API description',
  method: 'POST',
  path: '/v1/suggest/openapi_from_summary',
  input: {
    'x-session-id': session,
    body: {
      in: 'body',
      kind: 'json',
      required: true,
      record: 'SuggestRequestBody',
      help: 'Summary, kind of suggestion, diagnostics',
    },
  },
  result: 'bytes',
  timeout: 300,
  effect: 'read',
  simplified: rules,
});

export const suggestItems = operation({
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
      help: 'Prompt and items',
    },
  },
  result: 'list',
  timeout: 300,
  effect: 'read',
  simplified: rules,
});

export const suggestOpenAPIRegistry = operation({
  id: 'suggestOpenAPIRegistry',
  command: ['suggest', 'registry'],
  summary: 'Get an overlay that improves a document in the registry',
  method: 'POST',
  path: '/v1/suggest/openapi/{namespace_name}/{revision_reference}',
  input: {
    'x-session-id': session,
    namespace_name: { in: 'path', kind: 'string', required: true, help: 'Namespace name' },
    revision_reference: { in: 'path', kind: 'string', required: true, help: 'Tag or digest' },
    body: { in: 'body', kind: 'json', record: 'SuggestRequestBody', help: 'Kind of suggestion, diagnostics' },
  },
  result: 'bytes',
  timeout: 300,
  effect: 'read',
  simplified: rules,
});
