/** What commands for events and the registry do, and what must then be visible. */
import { expect } from 'vitest';
import { type Action, document, idsOf, locks, notFound, one, see, sorted, type Value } from './model-world.ts';

export const eventActions: Readonly<Record<string, Action>> = {
  postEvents: ({ events }, draw) => {
    const rows = Array.from({ length: 1 + draw(4) }, () => {
      const n = draw(40);
      return {
        ...{ id: `e${n}`, execution_id: 'run-1', interaction_type: 'TARGET_GENERATE', success: n % 3 !== 0 },
        ...{ local_started_at: '2026-01-31T12:00:00.000Z', created_at: `2026-01-31T12:00:${10 + n}.000Z` },
        ...{ generate_target: 'go', generate_gen_lock_id: locks[n % 2] as string },
      };
    });
    return {
      argv: ['events', 'post', '--no-fill', '--body', '@events.json'],
      files: { 'events.json': JSON.stringify(rows) },
      after: ({ delivered }) => {
        expect(delivered).toBe(rows.length);
        for (const { id, success, generate_gen_lock_id: lock } of rows) events.set(id, { success, lock });
      },
    };
  },
  seeEvents: ({ events }) => see(['events', 'search'], (rows) => expect(idsOf(rows)).toEqual(sorted(events.keys()))),
  seeFailures: ({ events }) =>
    see(['events', 'search', '--no-success'], (rows) =>
      expect(idsOf(rows)).toEqual(sorted([...events].flatMap(([id, { success }]) => (success ? [] : [id])))),
    ),
  seeEvent: ({ events }, draw) => {
    const id = one(events.keys(), draw);
    return id === undefined
      ? { argv: ['events', 'get', 'nothing'], code: notFound }
      : see(['events', 'get', id], (value) => expect([value].flat()[0].id).toBe(id));
  },
  seeEventsOfTarget: ({ events }, draw) => {
    const lock = locks[draw(2)] as string;
    const expected = [...events].flatMap(([id, event]) => (event.lock === lock ? [id] : []));
    return see(['events', 'list', lock], (rows) => expect(idsOf(rows)).toEqual(sorted(expected)));
  },
  seeTargets: ({ events }) =>
    see(['events', 'targets', 'list'], (rows) =>
      expect(idsOf(rows)).toEqual(sorted(new Set([...events.values()].map(({ lock }) => lock)))),
    ),
  push: ({ namespaces }, draw) => {
    const name = ['a', 'b.c'][draw(2)] as string;
    const tag = ['v1', 'v2'][draw(2)] as string;
    const isArchived = namespaces.get(name)?.isArchived === true;
    return {
      argv: ['artifacts', 'push', 'openapi.yaml', `${name}:${tag}`],
      files: { 'openapi.yaml': document(draw(3)) },
      ...(isArchived && { code: 7 }),
      after: ({ digest }) => {
        const namespace = namespaces.get(name) ?? { isPublic: false, isArchived: false, tags: new Map() };
        namespace.tags.set(tag, digest);
        namespaces.set(name, namespace);
      },
    };
  },
  tag: ({ namespaces }, draw) => {
    const [name, namespace] = one(namespaces, draw) ?? [];
    const digest = namespace && one(namespace.tags.values(), draw);
    if (name === undefined || digest === undefined || namespace?.isArchived) return undefined;
    return {
      argv: ['artifacts', 'tags', 'add', name, '--revision-digest', digest, '--tags', 'stable'],
      after: () => namespace?.tags.set('stable', digest),
    };
  },
  seeTags: ({ namespaces }, draw) => {
    const [name, namespace] = one(namespaces, draw) ?? [];
    if (name === undefined) return { argv: ['artifacts', 'tags', 'list', 'none'], code: notFound };
    return see(['artifacts', 'tags', 'list', name], ({ items }) =>
      expect(sorted(items.map((item: Value) => `${item.name} ${item.revision_digest}`))).toEqual(
        sorted([...(namespace?.tags ?? [])].map(([tag, digest]) => `${tag} ${digest}`)),
      ),
    );
  },
  seeRevisions: ({ namespaces }, draw) => {
    const [name, namespace] = one(namespaces, draw) ?? [];
    if (name === undefined) return undefined;
    return see(['artifacts', 'revisions', 'list', name, '--all'], ({ items }) =>
      expect(idsOf(items, 'digest')).toEqual(expect.arrayContaining(sorted(new Set(namespace?.tags.values())))),
    );
  },
  publish: ({ namespaces }, draw) => {
    const [name, namespace] = one(namespaces, draw) ?? [];
    const isPublic = draw(2) === 1;
    if (name === undefined || namespace === undefined) return undefined;
    return {
      argv: ['artifacts', 'namespaces', 'set-visibility', name, isPublic ? '--public' : '--no-public', '--yes'],
      after: () => {
        namespace.isPublic = isPublic;
      },
    };
  },
  archive: ({ namespaces }, draw) => {
    const [name, namespace] = one(namespaces, draw) ?? [];
    const isArchived = draw(2) === 1;
    if (name === undefined || namespace === undefined) return undefined;
    return {
      argv: ['artifacts', 'namespaces', 'archive', name, ...(isArchived ? ['--yes'] : ['--no-archived'])],
      after: () => {
        namespace.isArchived = isArchived;
      },
    };
  },
  seeNamespaces: ({ namespaces }) =>
    see(['artifacts', 'namespaces', 'list'], ({ items }) =>
      expect(
        sorted(items.map((item: Value) => `${item.name} ${item.public === true} ${Boolean(item.archived_at)}`)),
      ).toEqual(sorted([...namespaces].map(([name, { isPublic, isArchived }]) => `${name} ${isPublic} ${isArchived}`))),
    ),
};
