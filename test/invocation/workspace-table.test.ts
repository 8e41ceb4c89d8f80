/** Every operation with every selection of a workspace acts on the selected workspace, on none, or is not sent. */
import { describe, expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import {
  listRequestLine,
  runRecorded,
  selectionSources,
  workspaceKinds,
  workspaceNames,
} from '../support/recorded-workspaces.ts';
import { type Reply, validateRequestLine } from '../support/two-workspaces.ts';
import type { Row } from '../support/wire.ts';
import { firstRows } from '../support/wire-subjects.ts';

const ofKind = (kind: string) => firstRows.filter(({ id }) => workspaceKinds.get(id) === kind);

test('every operation is of one of three kinds', () => {
  const counts = ['named', 'credential', 'none'].map((kind) => ofKind(kind).length);
  expect([Object.keys(operations).length, ...counts]).toEqual([77, 16, 46, 15]);
  // These ignore the selection, although their service may be different for each workspace.
  expect(ofKind('none').map(({ id }) => id)).toEqual([
    'validateApiKey',
    'getUser',
    'getCodeSamples',
    'generateCodeSamplePreview',
    'getOrganizations',
    'createOrganization',
    'getOrganization',
    'getWorkspaces',
    'createWorkspace',
    'suggestOpenAPI',
    'suggest',
    'suggestItems',
    'getSchemaStoreItem',
    'createSchemaStoreItem',
    'create',
  ]);
});

/** The requests of a command, without those that find out whose the credential is, what a name means, or a token. */
const actsIn = (asked: readonly string[], { path }: Row) =>
  asked.filter(
    (line) =>
      line.endsWith(` ${path}`) ||
      !(
        [validateRequestLine, listRequestLine].includes(line) ||
        (line.endsWith('/artifacts/preflight') && path.startsWith('/v1/oci/'))
      ),
  );
const requestLine = ({ method, path }: Row) => `${method} ${path}`;
const actsOn = (id: string) => new RegExp(`/workspace/${id}(/|\\?|$)|[?&]workspace_id=${id}(&|$)`);

const sources = ['-w', 'DTP_WORKSPACE_ID', 'profile'] as const;
const selections = sources.flatMap((source) =>
  (['w_1', 'w_2'] as const).flatMap((id) => [
    { source, id, value: id, isName: false },
    { source, id, value: workspaceNames[id], isName: true },
  ]),
);

describe.each(selections)('$source selects $value', ({ source, id, value, isName }) => {
  const selection = selectionSources[source](value);
  // A variable for an id is never a name.
  const means = isName && source === 'DTP_WORKSPACE_ID' ? value : id;

  test.each(ofKind('named').map((row) => [row.id, row] as const))('%s is sent to it', async (_, row) => {
    const { code, stderr, asked } = await runRecorded(row, selection);
    expect(code, stderr).toBe(0);
    const sent = actsIn(asked, row);
    expect(sent.length).toBeGreaterThan(0);
    for (const line of sent) expect(line).toMatch(actsOn(means));
  });

  test.each(ofKind('credential').map((row) => [row.id, row] as const))(
    means === 'w_1' ? '%s is sent' : '%s is refused',
    async (_, row) => {
      const { code, stdout, stderr, asked } = await runRecorded(row, selection);
      const sent = actsIn(asked, row);
      if (means === 'w_1') expect([code, sent], stderr).toEqual([0, [requestLine(row)]]);
      else expect([code, stdout, sent], stderr).toEqual([2, '', []]);
      expect(stderr.includes('belongs to workspace "w_1"')).toBe(means !== 'w_1');
    },
  );

  test.each(ofKind('none').map((row) => [row.id, row] as const))('%s ignores it', async (_, row) => {
    const { code, stderr, asked } = await runRecorded(row, selection);
    expect([code, asked], stderr).toEqual([0, [requestLine(row)]]);
  });
});

describe('no workspace is selected', () => {
  test.each(ofKind('named').map((row) => [row.id, row] as const))('%s is not sent', async (_, row) => {
    const { code, stderr, asked } = await runRecorded(row, {});
    expect([code, asked], stderr).toEqual([3, []]);
  });

  test.each([...ofKind('credential'), ...ofKind('none')].map((row) => [row.id, row] as const))(
    '%s is sent',
    async (_, row) => {
      const { code, stderr, asked } = await runRecorded(row, {});
      expect([code, actsIn(asked, row)], stderr).toEqual([0, [requestLine(row)]]);
    },
  );
});

/** Replies of validateApiKey that do not say whose the credential is, and the exit code of a command that stops. */
const silent: readonly (readonly [reply: Reply, code: number])[] = [
  [[404, '{"message":"no such path"}'], 6],
  [[200, '{"account_type_v2":"free"}'], 12],
];

/** The distribution endpoint needs slugs, which otherwise come from validateApiKey. */
const withSlugs = (row: Row): Row =>
  row.path.startsWith('/v1/oci/') && !row.argv.includes('--organization-slug')
    ? { ...row, argv: [...row.argv, '--organization-slug', 'acme', '--workspace-slug', 'pets'] }
    : row;

describe.each(silent)('validateApiKey answers %j', (reply, exit) => {
  test.each(ofKind('credential').map((row) => [row.id, withSlugs(row)] as const))(
    '%s stops with -w, and is sent with a warning for other sources',
    async (_, row) => {
      for (const source of ['-w', 'DTP_WORKSPACE_ID', 'profile', '.dtp.json'] as const) {
        const { code, stdout, stderr, asked } = await runRecorded(row, selectionSources[source]('w_2'), reply);
        if (source === '-w') {
          expect([code, stdout, asked], stderr).toEqual([exit, '', [validateRequestLine]]);
          expect(stderr).toContain('because -w selects "w_2"');
        } else {
          const sent = asked.filter((line) => line === requestLine(row));
          expect([source, code, sent.length], stderr).toEqual([source, 0, 1]);
          // Several requests are checked once.
          expect(asked.filter((line) => line === validateRequestLine)).toHaveLength(1);
          expect(stderr.match(/warning: .* dtp could not check that the credential belongs to it: /g)).toHaveLength(1);
        }
      }
    },
  );
});

describe('dtp api', () => {
  const words = { 'config/config.json': '{"profiles":{"default":{"words.codehost":"github"}}}' };
  test.each(ofKind('credential').map((row) => [row.id, row] as const))('%s as a path is refused', async (_, row) => {
    const argv = ['api', '-X', row.method, row.path];
    const { code, asked } = await runRecorded({ ...row, argv }, { flags: ['-w', 'w_2'] });
    expect([code, asked]).toEqual([2, [validateRequestLine]]);
  });

  test.each(ofKind('none').map((row) => [row.id, row] as const))('%s as a path ignores -w', async (_, row) => {
    const { code, asked } = await runRecorded(
      { ...row, argv: ['api', '-X', row.method, row.path] },
      { flags: ['-w', 'w_2'] },
    );
    expect([code, asked]).toEqual([0, [requestLine(row)]]);
  });

  test.each(['/v1/github/action?org=acme&repo=pets', '/v1/codehost/action?org=acme&repo=pets'])(
    '%s is known by the word of the deployment too',
    async (path) => {
      const row = { argv: ['api', path], reply: [200, '{}'] } as const;
      const { code, stderr, asked } = await runRecorded(row, { flags: ['-w', 'w_2'], files: words });
      expect([code, asked], stderr).toEqual([2, [validateRequestLine]]);
    },
  );
});
