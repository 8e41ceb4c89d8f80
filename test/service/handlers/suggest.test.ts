/** The embedded service's suggestions: overlays and items made by fixed rules. */
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { isReply } from '../../../src/service/handler.ts';
import { suggest } from '../../../src/service/handlers/suggest.ts';
import {
  anyScope,
  file,
  PETSTORE,
  pushDocument,
  refusal,
  serviceScope,
  serviceSocket,
  textOf,
} from '../../support/service-scope.ts';

interface Overlay {
  readonly overlay: string;
  readonly info: object;
  readonly actions: readonly { readonly target: string; readonly update: Record<string, unknown> }[];
}

const session = { 'x-session-id': 'any' };

async function overlay(answer: unknown): Promise<Overlay> {
  expect(isReply(answer) && answer.headers).toEqual({ 'content-type': 'application/octet-stream' });
  return parse(await textOf(answer));
}

const ofDocument = async (opts?: object, schema = PETSTORE) =>
  overlay(
    await suggest.suggestOpenAPI({ ...session, schema: file(schema), ...(opts && { opts }) }, anyScope()),
  );

const byTarget = ({ actions }: Overlay) =>
  Object.fromEntries(actions.map(({ target, update }) => [target, update]));

test('what a document lacks is filled in, what it has stays', async () => {
  const made = await ofDocument();
  expect(made).toMatchObject({
    overlay: '1.0.0',
    info: { title: expect.any(String), version: expect.any(String) },
  });
  expect(byTarget(made)).toEqual({
    '$["paths"]["/pets"]["post"]': {
      summary: 'Create pet',
      description: 'Create pet: `POST /pets`.',
      tags: ['pets'],
    },
    '$["paths"]["/pets/{petId}"]["get"]': {
      operationId: 'getPet',
      summary: 'Get pet',
      description: 'Get pet: `GET /pets/{petId}`.',
      tags: ['pets'],
    },
  });
  expect(await ofDocument()).toEqual(made);
});

test('method-names suggests names alone', async () => {
  const made = byTarget(await ofDocument({ suggestion_type: 'method-names' }));
  expect(made['$["paths"]["/pets/{petId}"]["get"]']).toEqual({
    operationId: 'getPet',
    'x-method-name': 'get',
    'x-group': 'pets',
  });
  expect(made['$["paths"]["/pets"]["get"]']).toEqual({ 'x-method-name': 'list', 'x-group': 'pets' });
});

test('diagnostics-only keeps to the places that are named', async () => {
  const at = (...path: string[]) => ({ message: 'm', type: 't', path });
  const only = (...diagnostics: object[]) =>
    ofDocument({ suggestion_type: 'diagnostics-only', diagnostics }).then(byTarget);
  expect(await only(at('paths', '/pets/{petId}', 'get', 'summary'))).toEqual({
    '$["paths"]["/pets/{petId}"]["get"]': { summary: 'Get pet' },
  });
  expect(Object.keys(await only(at('paths', '/pets')))).toEqual(['$["paths"]["/pets"]["post"]']);
  // An overlay needs an action: this one changes nothing.
  expect(await only()).toEqual({ $: {} });
  const bad = { suggestion_type: 'diagnostics-only', diagnostics: [{ path: 'paths' }] };
  expect(await refusal(() => ofDocument(bad))).toMatch(/^422 diagnostics\[0\]\.path/);
});

test('no two operations get the same id', async () => {
  const schema =
    'openapi: 3.0.0\npaths: { "/a/{x}": { get: {} }, "/v2/a/{y}": { get: {} }, /b: { get: { operationId: getA2 } } }';
  const made = await ofDocument({ suggestion_type: 'method-names' }, schema);
  expect(made.actions.map(({ update }) => update.operationId)).toEqual(['getA', 'getA3', undefined]);
});

test('a document that does not parse is refused', async () => {
  expect(await refusal(() => ofDocument(undefined, '{'))).toMatch(/^422 schema does not parse/);
});

test('a summary of a document will do', async () => {
  const operation = {
    method: 'GET',
    path: '/users/{id}/posts',
    operation_id: '',
    description: '',
    tags: ['blog'],
  };
  const body = {
    oas_summary: { info: {}, operations: [operation] },
    suggestion_type: 'all',
    diagnostics: [],
  };
  const made = await overlay(await suggest.suggest({ ...session, body }, anyScope()));
  expect(byTarget(made)).toEqual({
    '$["paths"]["/users/{id}/posts"]["get"]': {
      operationId: 'listUserPosts',
      description: 'List user posts: `GET /users/{id}/posts`.',
    },
  });
});

test.each([
  [[], /^422 body/],
  [{}, /^422 oas_summary\.operations/],
  [{ oas_summary: { operations: 7 } }, /^422 oas_summary\.operations/],
  [{ oas_summary: { operations: [{}] } }, /^422 oas_summary\.operations\[0\]/],
])('the summary %j is refused', async (body, message) => {
  expect(await refusal(() => suggest.suggest({ ...session, body }, anyScope()))).toMatch(message);
});

test('items get one suggestion each', async () => {
  const items = ['GET /users/{id}', 'delete_old user', 'listHTTPServers', ''];
  const ask = (prompt: string) => suggest.suggestItems({ body: { prompt, items } });
  expect(ask('tidy')).toEqual(['Get User', 'Delete Old User', 'List Http Servers', '']);
  expect(ask('in camelCase')).toEqual(['getUser', 'deleteOldUser', 'listHttpServers', '']);
  expect(ask('snake_case')).toEqual(['get_user', 'delete_old_user', 'list_http_servers', '']);
  expect(suggest.suggestItems({ body: { prompt: 'p', items: [] } })).toEqual([]);
});

test.each([
  [{ items: ['a'] }, /^422 prompt/],
  [{ prompt: 'p' }, /^422 items/],
  [{ prompt: 'p', items: [1] }, /^422 items/],
])('the items %j are refused', async (body, message) => {
  expect(await refusal(() => suggest.suggestItems({ body }))).toMatch(message);
});

test('a document of the registry will do, by tag or digest', async () => {
  const { scope, stranger } = serviceScope();
  const digest = await pushDocument(scope, 'local/default/pets', PETSTORE, 'v1');
  const ask = (revision_reference: string, as = scope, namespace_name = 'pets') =>
    suggest.suggestOpenAPIRegistry({ ...session, namespace_name, revision_reference }, as);
  expect(await overlay(await ask('v1'))).toEqual(await ofDocument());
  expect(await overlay(await ask(digest))).toEqual(await ofDocument());
  expect(await refusal(() => ask('v2'))).toMatch(/^404/);
  expect(await refusal(() => ask('v1', scope, 'dogs'))).toMatch(/^404/);
  expect(await refusal(() => ask('v1', stranger))).toMatch(/^404/);
});

test('over a socket: a form, a summary and items', async () => {
  const { ask, send } = await serviceSocket();
  const form = new FormData();
  form.set('schema', new Blob([PETSTORE]), 'openapi.yaml');
  form.set('opts', JSON.stringify({ suggestion_type: 'method-names' }));
  const answer = await ask('POST', '/v1/suggest/openapi', form, session);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
  expect(parse(await answer.text()).overlay).toBe('1.0.0');
  expect((await ask('POST', '/v1/suggest/openapi', form)).status).toBe(400);
  const summary = { oas_summary: { operations: [{ method: 'get', path: '/a' }] } };
  const made = await send('POST', '/v1/suggest/openapi_from_summary', summary, session);
  expect(parse(await made.text()).actions).toHaveLength(1);
  const items = await send('POST', '/v1/suggest/items', { prompt: 'p', items: ['get /a', 'b'] });
  expect(items.headers.get('dtp-simplified')).toBe('rules stand in for a language model');
  expect(await items.json()).toEqual(['Get A', 'B']);
});
