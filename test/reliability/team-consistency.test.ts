/**
 * Clients that work at random on two servers with one database: each server shows every acknowledged write at once, and
 * of requests that contradict each other, exactly one is acknowledged.
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, test as each, expect } from 'vitest';
import type { Answer } from '../support/embedded-service.ts';
import { randomOf, rounds, seed } from '../support/random.ts';
import { repeated, send } from '../support/send-again.ts';
import { hasTeam, openTeam, type Team } from '../support/team.ts';

const CLIENTS = 20;
const OPERATIONS = rounds(100, 500);
const test = each.skipIf(!hasTeam);

let team: Team;
beforeAll(async () => {
  if (hasTeam) team = await openTeam();
});
afterAll(() => team?.remove());

type Sent = Parameters<typeof send>[3];
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const manifestOf = (note: string): string =>
  JSON.stringify({ schemaVersion: 2, mediaType: MANIFEST, layers: [], annotations: { note } });

const withKey = (sent: Sent = {}): Sent => ({ ...sent, headers: { 'x-api-key': team.key, ...sent.headers } });

/** Sends to the load balancer. */
const call = (method: string, path: string, sent?: Sent): Promise<Answer> =>
  send(team.address, method, path, withKey(sent));
const post = (path: string, json: unknown) => call('POST', path, { json });

interface Named {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
}

/** Reads what each server has with a slug, in a list that other clients change. */
async function withSlug(path: string, slug: string): Promise<readonly string[]> {
  const lists = team.services.map(async ({ address }) => {
    const all: readonly Named[] = (await send(address, 'GET', path, withKey())).json;
    return all.filter((one) => one.slug === slug).map(({ name }) => name);
  });
  const [one = [], other = []] = await Promise.all(lists);
  expect(other).toEqual(one);
  return one;
}

/** Reads from each server itself. They must agree. */
async function read(path: string, sent: Sent = {}): Promise<Answer> {
  const [one, other] = await Promise.all(team.services.map(({ address }) => send(address, 'GET', path, withKey(sent))));
  const shown = ({ status, text, headers: { location } }: Answer) => [status, text, location?.replace(/:\d+/, '')];
  if (!one || !other) throw new Error('there are no two services');
  expect(shown(other)).toEqual(shown(one));
  return one;
}

/** Sends requests at once to the servers in turn. Returns the one that was acknowledged; the others must be refused. */
async function winner(count: number, request: (at: number) => Parameters<typeof send>): Promise<number> {
  const answers = await Promise.all(Array.from({ length: count }, (_, at) => send(...request(at))));
  const statuses = answers.map(({ status }) => status);
  const won = statuses.flatMap((status, at) => (status < 300 ? [at] : []));
  expect([won.length, ...statuses.filter((status) => status >= 300)]).toEqual([1, ...Array(count - 1).fill(409)]);
  return won[0] ?? -1;
}
const server = (at: number): string => team.services[at % team.services.length]?.address ?? '';

/** What a client knows to be stored. */
interface Known {
  readonly name: string;
  readonly random: () => number;
  count: number;
  readonly workspace: string;
  slug: string;
  readonly events: Map<string, object>;
  readonly tokens: Map<string, string>;
  readonly publishing: Map<string, string>;
  readonly items: Map<string, string>;
  readonly urls: Map<string, string>;
  readonly tags: Map<string, string>;
}

const anyOf = <T>({ random }: Known, values: Iterable<T>): T | undefined => {
  const all = [...values];
  return all[Math.floor(random() * all.length)];
};
const fresh = (known: Known): string => `${known.name}-${known.count++}`;
const of = ({ workspace }: Known): string => `/v1/workspace/${workspace}`;
const event = (id: string, note: string) => ({ id, execution_id: id, note });
const repository = ({ name }: Known, path: string) => `/v1/oci/v2/local/default/${name}/${path}`;
const tokenNames = async (known: Known) =>
  new Map<string, string>((await read(`${of(known)}/tokens`)).json.map((one: Named) => [one.name, one.id]));

async function checkEvent(known: Known, id: string): Promise<void> {
  const { json } = await read(`${of(known)}/events?execution_id=${id}`);
  expect(json).toEqual([expect.objectContaining(known.events.get(id) ?? {})]);
}

const operations: Readonly<Record<string, (known: Known) => Promise<unknown>>> = {
  'post events': async (known) => {
    const made = [event(fresh(known), 'a'), event(fresh(known), 'b')];
    expect((await post(`${of(known)}/events`, made)).status).toBe(204);
    for (const one of made) known.events.set(one.id, one);
    await checkEvent(known, made[1]?.id ?? '');
  },
  'post an event again': async (known) => {
    const one = anyOf(known, known.events.values());
    if (one) expect((await post(`${of(known)}/events`, [one])).status).toBe(204);
  },
  'post an event with other content': async (known) => {
    const id = anyOf(known, known.events.keys());
    if (!id) return;
    const sent = [event(fresh(known), 'not stored'), event(id, 'changed')];
    expect((await post(`${of(known)}/events`, sent)).status).toBe(409);
    await checkEvent(known, id);
    expect((await read(`${of(known)}/events?execution_id=${sent[0]?.id}`)).json).toEqual([]);
  },
  'post one event twice at once': async (known) => {
    const one = event(fresh(known), 'twice');
    const answers = await Promise.all(
      [0, 1].map((at) => send(server(at), 'POST', `${of(known)}/events`, withKey({ json: [one] }))),
    );
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    known.events.set(one.id, one);
    await checkEvent(known, one.id);
  },
  'post different events with one id at once': async (known) => {
    const id = fresh(known);
    const won = await winner(3, (at) => [
      server(at),
      'POST',
      `${of(known)}/events`,
      withKey({ json: [event(id, `${at}`)] }),
    ]);
    known.events.set(id, event(id, `${won}`));
    await checkEvent(known, id);
  },
  'rename the workspace': async (known) => {
    const slug = fresh(known);
    expect((await post(`${of(known)}/details`, { slug })).status).toBe(204);
    known.slug = slug;
    expect((await read(of(known))).json.slug).toBe(slug);
  },
  'create workspaces with one slug at once': async (known) => {
    const slug = fresh(known);
    const won = await winner(3, (at) => [
      server(at),
      'POST',
      '/v1/workspace',
      withKey({ json: { name: `${at}`, slug } }),
    ]);
    expect(await withSlug('/v1/workspaces', slug)).toEqual([`${won}`]);
  },
  'create organizations with one slug at once': async (known) => {
    const slug = fresh(known);
    const won = await winner(2, (at) => [
      server(at),
      'POST',
      '/v1/organization',
      withKey({ json: { name: `${at}`, slug } }),
    ]);
    expect(await withSlug('/v1/organizations', slug)).toEqual([`${won}`]);
  },
  'change settings': async (known) => {
    const value = fresh(known);
    expect((await call('PUT', `${of(known)}/settings`, { json: { note: value } })).status).toBe(204);
    expect((await read(`${of(known)}/settings`)).json.note).toBe(value);
  },
  'create a token': async (known) => {
    const name = fresh(known);
    expect((await post(`${of(known)}/tokens`, { name })).status).toBe(204);
    const id = (await tokenNames(known)).get(name);
    known.tokens.set(name, id ?? 'missing');
    expect([...(await tokenNames(known)).keys()].sort()).toEqual([...known.tokens.keys()].sort());
  },
  'delete a token': async (known) => {
    const name = anyOf(known, known.tokens.keys());
    if (!name) return;
    expect((await call('DELETE', `${of(known)}/tokens/${known.tokens.get(name)}`)).status).toBe(204);
    known.tokens.delete(name);
    expect([...(await tokenNames(known)).keys()].sort()).toEqual([...known.tokens.keys()].sort());
  },
  'create a publishing token': async (known) => {
    const name = fresh(known);
    const times = { valid_until: '2099-01-01T00:00:00Z' };
    const { json } = await post('/v1/publishing-tokens', {
      target_id: 't',
      target_resource: 'document',
      token_name: name,
      ...times,
    });
    known.publishing.set(json.id, name);
    expect((await read(`/v1/publishing-tokens/${json.id}`)).json.token_name).toBe(name);
  },
  'delete a publishing token': async (known) => {
    const id = anyOf(known, known.publishing.keys());
    if (!id) return;
    expect((await call('DELETE', `/v1/publishing-tokens/${id}`)).status).toBe(200);
    known.publishing.delete(id);
    expect((await read(`/v1/publishing-tokens/${id}`)).status).toBe(404);
  },
  'store a document': async (known) => {
    const spec = JSON.stringify({ openapi: '3.1.0', info: { title: fresh(known) } });
    const { json } = await post('/v1/schema_store', { spec, packageName: 'p', sdkClassname: 'C', format: 'json' });
    known.items.set(json.id, spec);
    expect((await read('/v1/schema_store', { json: { id: json.id } })).json.spec).toBe(spec);
  },
  'shorten a URL twice at once': async (known) => {
    const url = `https://docs.example/${fresh(known)}`;
    const answers = await Promise.all(
      [0, 1].map((at) => send(server(at), 'POST', '/v1/short_urls', withKey({ json: { url } }))),
    );
    const [path, other] = answers.map(({ json }) => new URL(json.short_url).pathname);
    expect(other).toBe(path);
    known.urls.set(path ?? '', url);
    expect(await read(path ?? '')).toMatchObject({ status: 302, headers: { location: url } });
  },
  'push a tag': async (known) => {
    // A tag that exists moves.
    const tag = anyOf(known, ['one', 'two', 'three']) ?? '';
    const manifest = manifestOf(fresh(known));
    const sent = { body: manifest, headers: { 'content-type': MANIFEST } };
    expect((await call('PUT', repository(known, `manifests/${tag}`), sent)).status).toBe(201);
    known.tags.set(tag, manifest);
    await checkTag(known, tag);
  },
  'push a tag from two clients at once': async (known) => {
    const [tag, both] = ['contested', [manifestOf(fresh(known)), manifestOf(fresh(known))]];
    const sent = (at: number) => withKey({ body: both[at] ?? '', headers: { 'content-type': MANIFEST } });
    const path = repository(known, `manifests/${tag}`);
    const answers = await Promise.all(both.map((_, at) => send(server(at), 'PUT', path, sent(at))));
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    const { text } = await read(path, { headers: { accept: MANIFEST } });
    expect(both).toContain(text);
    known.tags.set(tag, text);
  },
  'delete a tag': async (known) => {
    const tag = anyOf(known, known.tags.keys());
    if (!tag) return;
    expect((await call('DELETE', repository(known, `manifests/${tag}`))).status).toBe(202);
    known.tags.delete(tag);
    await checkTag(known, tag);
  },
};

async function checkTag(known: Known, tag: string): Promise<void> {
  const { status, text, headers } = await read(repository(known, `manifests/${tag}`), {
    headers: { accept: MANIFEST },
  });
  const manifest = known.tags.get(tag);
  if (manifest === undefined) expect(status).toBe(404);
  else expect([text, headers['docker-content-digest']]).toEqual([manifest, digestOf(manifest)]);
}

/** Compares everything that the client knows. */
async function checkAll(known: Known): Promise<void> {
  for (const id of known.events.keys()) await checkEvent(known, id);
  const all: Named[] = (await read(`${of(known)}/events`)).json;
  expect(all.map(({ id }) => id).sort()).toEqual([...known.events.keys()].sort());
  expect(await tokenNames(known)).toEqual(known.tokens);
  for (const [id, name] of known.publishing)
    expect((await read(`/v1/publishing-tokens/${id}`)).json.token_name).toBe(name);
  for (const [id, spec] of known.items) expect((await read('/v1/schema_store', { json: { id } })).json.spec).toBe(spec);
  for (const [path, url] of known.urls) expect((await read(path)).headers.location).toBe(url);
  for (const tag of ['one', 'two', 'three', 'contested']) await checkTag(known, tag);
}

async function begin(name: string, at: number): Promise<Known> {
  const { id, slug } = (await post('/v1/workspace', { name })).json;
  const nothing = () => ({ events: new Map(), tokens: new Map(), publishing: new Map(), items: new Map() });
  const known = { name, random: randomOf(seed + at), count: 0, workspace: id, slug };
  return { ...known, ...nothing(), urls: new Map(), tags: new Map() };
}

test(`${CLIENTS} clients with ${OPERATIONS} operations each: two servers agree with the model`, async () => {
  const client = async (at: number) => {
    const known = await begin(`client-${at}`, at);
    const done: string[] = [];
    for (let number = 0; number < OPERATIONS; number++) {
      const name = anyOf(known, Object.keys(operations)) ?? '';
      done.push(name);
      await operations[name]?.(known).catch((error: Error) => {
        error.message = `client ${at}, operation ${number}, ${name}: ${error.message}`;
        throw error;
      });
    }
    await checkAll(known);
    return done;
  };
  const start = performance.now();
  const done = await Promise.all(Array.from({ length: CLIENTS }, (_, at) => client(at)));
  const seconds = ((performance.now() - start) / 1000).toFixed();
  process.stdout.write(
    `${done.flat().length} operations in ${seconds} s, ${repeated()} requests repeated after a 503\n`,
  );
  expect(new Set(done.flat())).toEqual(new Set(Object.keys(operations)));
});
