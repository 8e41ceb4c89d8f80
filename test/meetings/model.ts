/** What the other commands do, and what must then be visible. */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { eventActions } from './model-events.ts';
import {
  type Action,
  type Draw,
  document,
  idsOf,
  locks,
  notFound,
  one,
  see,
  sorted,
  type Value,
} from './model-world.ts';

const names = ['pets', 'Orders 2', 'ünï', 'no', '007', '-x'];
const nameOf = (draw: Draw) => `${names[draw(names.length)]}${draw(1e6)}`;
const until = '2031-01-31T12:00:00.000Z';

/** The actions by what they do. Each draws its own arguments, also those that must be refused. */
export const actions: Readonly<Record<string, Action>> = {
  ...eventActions,
  createWorkspace: ({ workspaces }, draw) => {
    const name = nameOf(draw);
    return { argv: ['ws', 'create', `--name=${name}`], after: ({ id }) => workspaces.set(id, name) };
  },
  renameWorkspace: ({ workspaces }, draw) => {
    const id = one(workspaces.keys(), draw);
    const name = nameOf(draw);
    return id === undefined
      ? undefined
      : { argv: ['ws', 'update', '-w', id, `--name=${name}`], after: () => workspaces.set(id, name) };
  },
  seeWorkspaces: ({ workspaces }) =>
    see(['ws', 'list'], (rows) =>
      expect(sorted(rows.map((row: Value) => `${row.id} ${row.name}`))).toEqual(
        expect.arrayContaining(sorted([...workspaces].map(([id, name]) => `${id} ${name}`))),
      ),
    ),
  seeWorkspace: ({ workspaces }, draw) => {
    const [id, name] = one(workspaces, draw) ?? [];
    return id === undefined
      ? { argv: ['ws', 'get', '-w', 'ws_none'], code: notFound }
      : see(['ws', 'get', '-w', id], (value) => expect(value).toMatchObject({ id, name }));
  },
  createToken: ({ tokens }, draw) => {
    const name = nameOf(draw);
    return { argv: ['ws', 'tokens', 'create', `--name=${name}`], after: ({ id }) => tokens.set(id, name) };
  },
  deleteToken: ({ tokens }, draw) => {
    const id = one(tokens.keys(), draw);
    return id === undefined
      ? undefined
      : { argv: ['ws', 'tokens', 'delete', '--yes', '--', id], after: () => tokens.delete(id) };
  },
  seeTokens: ({ tokens }) =>
    see(['ws', 'tokens', 'list'], (rows) => {
      // One token is there from the beginning.
      expect(rows).toHaveLength(tokens.size + 1);
      expect(idsOf(rows)).toEqual(expect.arrayContaining(sorted(tokens.keys())));
    }),
  invite: ({ team }, draw) => {
    const email = `user${draw(3)}@example.test`;
    return {
      argv: ['ws', 'team', 'grant', email],
      after: ({ relationship }) => team.set(relationship.user_id, email),
    };
  },
  revoke: ({ team }, draw) => {
    const id = one(team.keys(), draw);
    return id === undefined
      ? { argv: ['ws', 'team', 'revoke', 'nobody', '--yes'], code: notFound }
      : { argv: ['ws', 'team', 'revoke', id, '--yes'], after: () => team.delete(id) };
  },
  seeTeam: ({ team }) =>
    see(['ws', 'team', 'list'], ({ users }) =>
      expect(sorted(users.map(({ email }: Value) => email).filter((email: string) => /^user\d/.test(email)))).toEqual(
        sorted(new Set(team.values())),
      ),
    ),
  setFlags: ({ flags }, draw) => {
    const wanted = ['webhooks', 'schema_registry'].filter(() => draw(2) === 1);
    const chosen = wanted.length > 0 ? wanted : ['webhooks'];
    return {
      argv: ['ws', 'feature-flags', 'set', ...chosen.flatMap((flag) => ['--feature-flags', flag])],
      after: () => {
        flags.clear();
        for (const flag of chosen) flags.add(flag);
      },
    };
  },
  seeFlags: ({ flags }) =>
    see(['ws', 'feature-flags', 'get'], (value) =>
      expect(idsOf(value.feature_flags ?? [], 'feature_flag')).toEqual(sorted(flags)),
    ),
  setWebhook: (world, draw) => {
    const url = `https://hooks.example.test/${draw(3)}`;
    return {
      argv: ['ws', 'settings', 'update', '--webhook-url', url],
      after: () => {
        world.webhook = url;
      },
    };
  },
  seeSettings: (world) =>
    see(['ws', 'settings', 'get'], (value) => expect(value.webhook_url || undefined).toBe(world.webhook)),
  createOrganization: ({ organizations }, draw) => {
    const name = `Org ${draw(1e6)}`;
    return { argv: ['orgs', 'create', '--name', name, '--yes'], after: ({ id }) => organizations.set(id, name) };
  },
  seeOrganizations: ({ organizations }) =>
    see(['orgs', 'list'], (rows) => expect(idsOf(rows)).toEqual(expect.arrayContaining(sorted(organizations.keys())))),
  startTrial: (world) => ({
    argv: ['orgs', 'free-trial', 'create', '--yes'],
    ...(world.isTrial && { code: 7 }),
    after: () => {
      world.isTrial = true;
    },
  }),
  buyAddOn: ({ addOns }, draw) => {
    const name = ['webhooks', 'snippet_ai'][draw(2)] as string;
    return { argv: ['orgs', 'add-ons', 'create', '--add-ons', name, '--yes'], after: () => addOns.add(name) };
  },
  cancelAddOn: ({ addOns }, draw) => {
    const name = one(addOns, draw);
    return name === undefined
      ? undefined
      : { argv: ['orgs', 'add-ons', 'delete', name, '--yes'], after: () => addOns.delete(name) };
  },
  seeAddOns: ({ addOns }) =>
    see(['orgs', 'add-ons', 'list'], (value) => expect(sorted(value.add_ons ?? [])).toEqual(sorted(addOns))),
  createPublishingToken: ({ publishing }, draw) => {
    const lock = locks[draw(2)] as string;
    return {
      argv: [
        ...['publishing-tokens', 'create', '--lock-id', lock, '--target-resource', 'document'],
        ...['--valid-until', until, '--name', 'docs'],
      ],
      after: ({ id }) => publishing.set(id, lock),
    };
  },
  deletePublishingToken: ({ publishing }, draw) => {
    const id = one(publishing.keys(), draw);
    return id === undefined
      ? { argv: ['publishing-tokens', 'get', 'none'], code: notFound }
      : { argv: ['publishing-tokens', 'delete', id, '--yes'], after: () => publishing.delete(id) };
  },
  seePublishingTokens: ({ publishing }) =>
    see(['publishing-tokens', 'list'], (rows) => expect(idsOf(rows)).toEqual(sorted(publishing.keys()))),
  seePublishingTarget: ({ publishing }, draw) => {
    const [id, lock] = one(publishing, draw) ?? [];
    return id === undefined ? undefined : see(['publishing-tokens', 'target', id], (value) => expect(value).toBe(lock));
  },
  link: ({ linked }, draw) => {
    const owner = ['acme', 'pets'][draw(2)] as string;
    return {
      argv: ['codehost', 'access', 'link', '--installation-id', '42', '--codehost-org', owner],
      after: () => linked.add(owner),
    };
  },
  seeAccess: ({ linked }, draw) => {
    const owner = ['acme', 'pets'][draw(2)] as string;
    const argv = ['codehost', 'access', 'check', '--org', owner, '--repo', 'sdk'];
    return linked.has(owner) ? { argv } : { argv, code: notFound };
  },
  uploadReport: ({ reports }, draw) => {
    const html = `<title>${draw(5)}</title>`;
    const type = ['linting', 'changes'][draw(2)] as string;
    const checksum = createHash('md5').update(html).digest('hex');
    return {
      argv: ['reports', 'upload', '--type', type, '--file', 'report.html'],
      files: { 'report.html': html },
      after: () => reports.set(`${type} ${checksum}`, html),
    };
  },
  seeReport: ({ reports }, draw) => {
    const checksum = createHash('md5')
      .update(`<title>${draw(5)}</title>`)
      .digest('hex');
    const type = ['linting', 'changes'][draw(2)] as string;
    const argv = ['reports', `${type}-url`, checksum];
    return reports.has(`${type} ${checksum}`)
      ? see(argv, ({ url }) => expect(url).toBeTruthy())
      : { argv, code: notFound };
  },
  storeSchema: ({ schemas }, draw) => {
    const text = document(draw(9));
    return {
      argv: [
        ...['schema-store', 'create', '--spec', 'openapi.yaml', '--format', 'yaml', '--package', 'pets'],
        ...['--sdk-class', 'Pets', '--yes'],
      ],
      files: { 'openapi.yaml': text },
      after: ({ id }) => schemas.set(id, text),
    };
  },
  seeSchema: ({ schemas }, draw) => {
    const [id, text] = one(schemas, draw) ?? [];
    return id === undefined
      ? undefined
      : see(['schema-store', 'get', '--id', id], (value) => expect(value.spec).toBe(text));
  },
  shorten: (_, draw) => {
    const url = `https://pets.example.test/${draw(100)}`;
    return see(['short-urls', 'create', '--url', url], (value) => expect(value.full_url).toBe(url));
  },
  seeUsage: ({ events }) =>
    see(['orgs', 'usage', 'get'], ({ usage }) => expect((usage ?? []).length).toBe(events.size > 0 ? 1 : 0)),
  preview: (_, draw) => ({
    argv: ['code-samples', 'preview', 'openapi.yaml', '--language', ['go', 'curl'][draw(2)] as string],
    files: { 'openapi.yaml': document(draw(3)) },
    after: ({ snippets }) => expect(idsOf(snippets, 'operationId')).toEqual(['listPets']),
  }),
  suggest: () => ({
    argv: ['suggest', 'openapi', 'openapi.yaml', '--suggestion-type', 'method-names'],
    files: { 'openapi.yaml': document(1) },
    after: ({ overlay }) => expect(overlay).toBe('1.0.0'),
  }),
  whoami: () => see(['auth', 'validate'], (value) => expect(value.workspace_id).toBeTruthy()),
};
