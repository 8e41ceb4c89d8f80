/** A fresh store with two workspaces in two organizations, and a clock that the test sets. */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { type Caller, isReply, Refusal, type Reply, type Scope } from '../../src/service/handler.ts';
import { listen } from '../../src/service/http/listen.ts';
import { distribution } from '../../src/service/registry/distribution.ts';
import { createService } from '../../src/service/service.ts';
import { openShares } from '../../src/service/shares.ts';
import { firstKey, seed } from '../../src/service/tenancy/seed.ts';
import { addOrganization, addWorkspace } from '../../src/service/tenancy/tenants.ts';
import { openInProcessWorker } from './document-worker.ts';
import { freshStore } from './fresh-store.ts';

export const START = '2025-03-01T10:00:00.000Z';

export function serviceScope(file = ':memory:', worker = openInProcessWorker()) {
  const store = freshStore(file);
  let time = Date.parse(START);
  const now = () => new Date(time);
  seed(store, now());
  const first = firstKey(store);
  const row = store.get('SELECT organization_id FROM workspaces WHERE id = ?', first.workspaceId);
  const userId = String(store.get('SELECT id FROM users')?.id);
  const organization = addOrganization(store, {}, { name: 'Other', slug: 'other', userId, now: now() });
  const made = {
    name: 'Elsewhere',
    slug: 'elsewhere',
    organizationId: String(organization.id),
    userId,
    now: now(),
  };
  const workspace = addWorkspace(store, {}, made);
  const caller: Caller = {
    workspaceId: first.workspaceId,
    organizationId: String(row?.organization_id),
    userId,
  };
  const share = openShares(Date.now)('test');
  const scope: Scope = { store, worker, share, now, base: 'http://127.0.0.1:9', caller };
  const stranger: Scope = {
    ...scope,
    caller: { workspaceId: String(workspace.id), organizationId: String(organization.id), userId },
  };
  const wait = (ms: number) => {
    time += ms;
  };
  return { scope, stranger, first, wait };
}

/** For handlers that do not read the store. */
export const anyScope = (): Scope => serviceScope().scope;

/** `fetch` whose JSON answers have type any, so that tests can inspect them. */
export const request = fetch as unknown as (
  url: string | URL,
  init?: RequestInit,
  // biome-ignore lint/suspicious/noExplicitAny: data from the wire has no type
) => Promise<Omit<Response, 'json'> & { readonly json: () => Promise<any> }>;

/**
 * The same over a real socket, until the test ends. `ask` sends the key of the first workspace unless given
 * another one.
 */
export async function serviceSocket(worker = openInProcessWorker()) {
  const opened = serviceScope();
  const { scope, first } = opened;
  const clock = { now: () => scope.now().getTime() };
  const { address, close } = await listen(createService(scope.store, clock, worker), { port: 0 });
  onTestFinished(async () => {
    await close();
  });
  const ask = (method: string, path: string, body?: string | FormData, headers: Record<string, string> = {}) =>
    request(new URL(path, address), {
      method,
      headers: { 'x-api-key': first.key, ...headers },
      ...(body !== undefined && { body }),
    });
  const send = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
    ask(method, path, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
  return { ...opened, address, ask, send };
}

export const file = (content: string | Uint8Array, name = 'openapi.yaml') => {
  const bytes = Buffer.from(content);
  return {
    name,
    size: bytes.byteLength,
    open: async function* () {
      for (let at = 0; at < bytes.byteLength; at += 65_536) {
        // As from a socket, other requests have turns in between.
        await nextTurn();
        yield bytes.subarray(at, at + 65_536);
      }
    },
  };
};

/** The status and message of the error. */
export async function refusal(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Refusal) return `${error.status} ${error.message}`;
    throw error;
  }
  return 'not rejected';
}

export async function bytesOf(answer: unknown): Promise<Buffer> {
  if (!isReply(answer)) throw new Error('no reply');
  const pieces: Uint8Array[] = [];
  if (answer.body instanceof Uint8Array) pieces.push(answer.body);
  else for await (const piece of answer.body) pieces.push(piece);
  return Buffer.concat(pieces);
}

export const textOf = async (answer: unknown): Promise<string> => (await bytesOf(answer)).toString('utf8');

/** The records of a short list, which a handler returns as JSON. */
export const listIn = ({ body }: Reply): Record<string, unknown>[] => JSON.parse(String(body));

export const jsonOf = async (answer: unknown) => JSON.parse(await textOf(answer));

export const sha256 = (content: string | Uint8Array): string =>
  `sha256:${createHash('sha256').update(content).digest('hex')}`;

/** One request of an OCI client; `address` may have a query. Without a caller, the request is anonymous. */
export function registryCall(scope: Scope, caller: Caller | undefined) {
  return (
    method: string,
    address: string,
    content: string | Uint8Array = '',
    headers: Record<string, string> = {},
  ): Promise<Reply> => {
    const { pathname, searchParams } = new URL(address, 'http://localhost/');
    const request = {
      method,
      path: pathname,
      query: searchParams,
      headers: { accept: '*/*', ...headers },
      body: file(content).open(),
    };
    return distribution(request, { ...scope, caller, admit: () => scope });
  };
}

/** Pushes a document as an OCI client does. Returns the manifest's digest. */
export async function pushDocument(scope: Scope, repository: string, content: string | Uint8Array, tag = 'latest') {
  const call = registryCall(scope, scope.caller);
  const digest = sha256(content);
  await call('POST', `/v2/${repository}/blobs/uploads/?digest=${digest}`, content);
  const manifest = JSON.stringify({ schemaVersion: 2, layers: [{ mediaType: 'application/zip', digest }] });
  const reply = await call('PUT', `/v2/${repository}/manifests/${tag}`, manifest);
  if (reply.status !== 201) throw new Error(await textOf(reply));
  return sha256(manifest);
}

export const PETSTORE = `openapi: 3.1.0
info: { title: Pets, version: 1.2.3, description: All about pets }
servers: [{ url: https://pets.example/v1/ }]
security: [{ key: [] }]
paths:
  /pets:
    get:
      operationId: listPets
      summary: List pets
      description: Lists them.
      tags: [pets]
      parameters: [{ $ref: '#/components/parameters/limit' }]
      responses: { '200': { description: ok } }
    post:
      operationId: createPet
      requestBody:
        content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } }
      responses: { '201': { description: made } }
  /pets/{petId}:
    get:
      responses: { '200': { description: ok } }
components:
  parameters:
    limit: { name: limit, in: query, required: true, schema: { type: integer, default: 20 } }
  schemas:
    Pet:
      type: object
      required: [name, owner, indoor]
      properties:
        name: { type: string, example: "Rex's" }
        indoor: { type: boolean }
        owner: { $ref: '#/components/schemas/Owner' }
    Owner:
      type: object
      properties: { pets: { type: array, items: { $ref: '#/components/schemas/Pet' } } }
  securitySchemes: { key: { type: http, scheme: bearer } }
`;
