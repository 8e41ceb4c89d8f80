/** Every flag and argument that takes several values: an unknown one among them is named, refused or sent, never dropped. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rootCommand, runnableBelow } from '../../src/tree/tree.ts';
import { write } from '../support/artifacts.ts';
import { dtp, temporaryFolder } from '../support/context.ts';
import { service } from '../support/function-service.ts';

const pets = 'openapi: 3.1.0\npaths: {/pets: {get: {operationId: listPets}, post: {}}}\n';
const row = { operationId: 'listPets', method: 'get', path: '/pets', language: 'go', code: 'x' };
const env = {
  DTP_BASE_URL: 'https://api.example.test',
  DTP_API_KEY: 'k-1',
  DTP_WORKSPACE_ID: 'w_1',
  DTP_ERROR_FORMAT: 'text',
};

const samples = ['code-samples', 'preview', 'pets.yaml', '--language', 'go'];
const get = ['code-samples', 'get', '--registry-url', 'r'];
const job = ['code-samples', 'jobs', 'create', 'pets.yaml', '--language', 'go', '--wait'];
const remote = ['artifacts', 'remote-sources', 'create'];
const docsite = ['codehost', 'configure', 'docsite-repo'];

/**
 * The command line, a valid value, and what happens to the value `nosuch` after it. `partial`: it is named, and the
 * command exits with 14. `refused`: nothing is sent. `sent`: it may be valid, so the service gets both.
 */
type Case = readonly [
  argv: readonly string[],
  valid: string,
  outcome: 'partial' | 'refused' | 'sent',
  commas?: 'split',
];

const cases: Readonly<Record<string, Case>> = {
  'artifacts push --include': [['artifacts', 'push', 'pets.yaml', 'n', '--dry-run'], 'pets.yaml', 'refused'],
  'artifacts push --tag': [['artifacts', 'push', 'pets.yaml', 'n', '--dry-run'], 'v1', 'sent'],
  'artifacts remote-sources create --inputs': [remote, '{"registry_url":"a/b/c"}', 'refused'],
  'artifacts remote-sources create --overlays': [remote, '{"registry_url":"a/b/c"}', 'refused'],
  'artifacts tags add --tag': [['artifacts', 'tags', 'add', 'n', '--revision-digest', 'sha256:a'], 'v1', 'sent'],
  'code-samples get --operation-ids': [get, 'listPets', 'partial', 'split'],
  'code-samples get --method-paths': [get, '{"method":"GET","path":"/pets"}', 'partial'],
  'code-samples get --language': [get, 'go', 'partial', 'split'],
  'code-samples jobs create --operation-ids': [job, 'listPets', 'partial', 'split'],
  'code-samples preview --operation-ids': [samples, 'listPets', 'partial', 'split'],
  'codehost configure docsite-repo --overlays': [docsite, 'a.yaml', 'sent'],
  'dev --fail': [['dev', '--ephemeral'], '*=500', 'refused'],
  'dev --drop': [['dev', '--ephemeral'], '*=after-request', 'refused'],
  'events queue drop id': [['events', 'queue', 'drop', '--yes'], '', 'refused'],
  'help command': [['help'], 'ws', 'refused'],
  'mcp --tools': [['mcp'], 'ws_list', 'refused'],
  'mcp --root': [['mcp'], '.', 'refused'],
  'orgs add-ons create --add-ons': [['orgs', 'add-ons', 'create', '--yes'], 'webhooks', 'sent', 'split'],
  'schema command': [['schema'], 'ws', 'refused'],
  'serve --fail': [['serve', '--ephemeral'], '*=500', 'refused'],
  'serve --drop': [['serve', '--ephemeral'], '*=after-request', 'refused'],
  'serve --allow-host': [['serve', '--ephemeral', '--behind-proxy'], 'a.example', 'refused'],
  'suggest from-summary --diagnostics': [['suggest', 'from-summary'], '{}', 'refused'],
  'suggest items --items': [['suggest', 'items', '--dry-run'], 'one', 'sent'],
  'suggest openapi --diagnostics': [['suggest', 'openapi', '--schema', 'pets.yaml'], '{}', 'refused'],
  'suggest registry --diagnostics': [['suggest', 'registry', 'n'], '{}', 'refused'],
  'ws feature-flags set --feature-flags': [['ws', 'feature-flags', 'set', '--yes'], 'webhooks', 'sent', 'split'],
};

/** `-F`, `-f` and `-H` set what the user names. Only their form can be wrong. */
const isAssignment = (name: string) => / --(field|raw-field|header)$/.test(name);

const all = runnableBelow(rootCommand).flatMap(({ words, flags, arguments: given }) =>
  [...flags.filter(({ isEarlier }) => !isEarlier), ...given].flatMap(({ name, repeatable }) =>
    repeatable ? [`${words.join(' ')} ${name}`] : [],
  ),
);

test('the table has every flag and argument that takes several values', () => {
  const others = ['dev command'];
  expect(all.filter((name) => !isAssignment(name) && !others.includes(name)).sort()).toEqual(Object.keys(cases).sort());
});

const wrong = (name: string, valid: string) => {
  if (valid.startsWith('{"method"')) return '{"method":"get","path":"nosuch"}';
  return name.endsWith('--allow-host') ? 'nosuch:80' : 'nosuch';
};

async function run(argv: readonly string[]) {
  const cwd = write(temporaryFolder(), { 'pets.yaml': pets });
  const bodies: string[] = [];
  const { openSend } = service(({ body, url }) => {
    bodies.push(decodeURIComponent(url));
    if (body && !('open' in body)) bodies.push(Buffer.from(body).toString());
    return url.includes('/auth/') ? [200, { workspace_id: 'w_1' }] : [200, { snippets: [row], job_id: 'j_1' }];
  });
  const ended = await dtp(argv, { cwd, home: cwd, env, openSend, stdin: '' });
  return { ...ended, sent: bodies.join('\n') + (argv.includes('--dry-run') ? ended.stdout : '') };
}

describe.each(Object.entries(cases))('%s', (name, [argv, valid, outcome, commas]) => {
  const flag = /--\S+$/.exec(name)?.[0];
  const unknown = wrong(name, valid);
  const several = [valid, unknown].filter(Boolean);
  const end = argv[0] === 'dev' ? ['--', 'true'] : [];
  const lines = [[...several.flatMap((one) => (flag ? [flag, one] : [one])), ...end]];
  if (commas) lines.push([String(flag), several.join(',')]);
  test.each(lines.map((words) => [words]))('%j: nothing is dropped', async (words) => {
    const { code, stdout, stderr, sent } = await run([...argv, ...words]);
    if (outcome === 'refused') {
      expect([stdout, sent.includes('nosuch')], stderr).toEqual(['', false]);
      expect([2, 6]).toContain(code);
      expect(stderr).toMatch(/nosuch|JSON/);
    } else if (outcome === 'partial') {
      expect(code, stderr).toBe(14);
      expect(stdout).toContain('listPets');
      expect(stderr).toMatch(/no code sample for (operation|language) "(get )?nosuch"/);
    } else {
      expect(code, stderr).toBe(0);
      for (const value of several) expect(sent).toMatch(new RegExp(`"${value}"`));
    }
  });
});

test.each(all.filter(isAssignment))('%s: a value without a name is refused', async (name) => {
  const words = name.split(' ');
  const flag = words.pop() ?? '';
  const { code } = await run([...words, flag, flag === '--header' ? 'a: b' : 'a=b', flag, 'nosuch']);
  expect(code).toBe(2);
});

test.each(['json', 'yaml', 'csv', 'tsv', 'ndjson', 'table', 'toon'])(
  '--fields names an unknown field in %s',
  async (format) => {
    const { stderr } = await run([...samples, '-o', format, '--fields', 'path,nosuch']);
    expect(stderr).toContain('no field "nosuch" in the result');
  },
);

describe('must stay', () => {
  test.each(['json', 'csv', 'ndjson'])('all values are found: exit 0, as %s', async (format) => {
    const line = [...samples, '--operation-ids', 'listPets', '-o', format];
    const { code, stdout } = await run(line);
    expect([code, stdout]).toEqual([0, expect.stringContaining('listPets')]);
    expect(stdout).toBe((await run([...samples, '-o', format])).stdout);
    const { stdout: none } = await run([...line, '--limit', '1']);
    expect(none).toBe(stdout);
  });

  test('code samples that do not say what they are for are not judged', async () => {
    const { openSend } = service(() => [200, { snippets: [{ code: 'x' }] }]);
    const cwd = write(temporaryFolder(), { 'pets.yaml': pets });
    const { code } = await dtp([...samples, '--operation-ids', 'nosuch'], { cwd, home: cwd, env, openSend });
    expect(code).toBe(0);
  });

  test('an empty list exits with 0, with a note, and --out-dir writes what there is', async () => {
    const { openSend } = service(() => [200, { snippets: [] }]);
    const cwd = write(temporaryFolder(), { 'pets.yaml': pets });
    const { code, stderr } = await dtp([...get, '--operation-ids', 'a,b'], { cwd, home: cwd, env, openSend });
    expect([code, stderr]).toEqual([0, 'the response has no code sample for operation "a", operation "b"\n']);
    const written = await run([...samples, '--operation-ids', 'listPets,b', '--out-dir', join(cwd, 'out')]);
    expect([written.code, written.stdout]).toEqual([14, expect.stringContaining('listPets.go')]);
  });
});
