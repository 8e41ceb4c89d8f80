/**
 * Documents that are pushed and pulled come back byte for byte: over `dtp serve`, in process, and through
 * skopeo.
 */
import { execFile, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filesOf, leftovers, sha, write } from '../support/artifacts.ts';
import { readGithubDocument } from '../support/github-document.ts';
import { dtp, home, type Served, serve } from '../support/process.ts';

const { folder, remove } = home();
let service: Served;
/** Over `dtp serve`, and in process. */
const ways = (): Readonly<Record<string, Readonly<Record<string, string>>>> => ({
  served: { DTP_BASE_URL: service.address, DTP_API_KEY: service.key },
  local: { DTP_PROFILE: 'local' },
});

const split = {
  'openapi.yaml': `openapi: 3.1.0
info: { title: Pets, version: 1.2.3, description: "Über pets" }
paths:
  /pets: { $ref: paths/pets.yaml }
  /pets/{id}: { $ref: './paths/pet%20by%20id.yml#/path' }
components: { schemas: { Pet: { $ref: 'schemas/pet.json' } } }
`,
  'paths/pets.yaml': "get: { responses: { '200': { $ref: '../responses/ok.yaml' } } }\n",
  'paths/pet by id.yml': "path: { get: { responses: { '200': { $ref: '../responses/ok.yaml#' } } } }\r\n",
  'responses/ok.yaml': "description: ok\ncontent: { a/b: { schema: { $ref: '../schemas/pet.json' } } }\n",
  'schemas/pet.json': '\ufeff{"$ref":"#/x","x":{"maximum":123456789012345678901234567890,"$ref":"deep/größe.json"}}',
  'schemas/deep/größe.json': '{"properties":{"$ref":{"type":"string"}},"more":{"$ref":"../pet.json"}}',
};

beforeAll(async () => {
  service = await serve(folder, ['--ephemeral']);
  write(join(folder, 'split'), { ...split, 'README.txt': 'not referred to', '.hidden': 'hidden' });
  mkdirSync(join(folder, 'github'));
  writeFileSync(join(folder, 'github', 'api.github.com.json'), readGithubDocument());
});

afterAll(async () => {
  await service.stop();
  remove();
});

const ok = async (argv: readonly string[], env: Readonly<Record<string, string>>) => {
  const { code, stdout, stderr } = await dtp(folder, ['artifacts', ...argv], { env });
  const result = JSON.parse(stdout);
  const { files = [] } = result;
  const isPush = argv[0] === 'push';
  const list = files.map((one: string) => `  ${one}\n`).join('');
  const own = basename(argv[1] ?? '');
  const single = own.endsWith('.json') && own !== files[0] ? `${own} as ${files[0]}` : files[0];
  const pushed = files.length === 1 ? `pushing ${single}\n` : `pushing ${counted(files, 'file')}:\n${list}`;
  expect([argv, code, stderr]).toEqual([argv, 0, isPush ? pushed : '']);
  return result;
};

const counted = ({ length }: readonly string[], noun: string) => `${length} ${noun}${length === 1 ? '' : 's'}`;

test.each(['served', 'local'])('a document of many files, and a large one, come back (%s)', async (way) => {
  const env = ways()[way] as Readonly<Record<string, string>>;
  const pushed = await ok(['push', 'split/openapi.yaml', '--namespace', 'pets', '--tag', 'v1', '--tag', 'v2'], env);
  expect(pushed).toMatchObject({
    reference: 'local/default/pets:v1',
    files: Object.keys(split).sort(),
    tags: ['v1', 'v2'],
    uploaded: pushed.size + 2,
  });
  for (const [reference, target] of [
    ['pets:v1', 'tag'],
    ['local/default/pets:v2', 'slugs'],
    [`pets@${pushed.digest}`, 'digest'],
  ] as const) {
    const into = join(folder, `${way}-${target}`);
    const pulled = await ok(['pull', reference, '-O', into], env);
    expect(filesOf(into)).toEqual(
      Object.fromEntries(
        Object.entries(split)
          .sort()
          .map(([name, text]) => [name, sha(text)]),
      ),
    );
    expect(pulled).toMatchObject({ digest: pushed.digest, folder: into, files: pushed.files });
    expect(pulled.bytes).toBe(Object.values(split).reduce((sum, text) => sum + Buffer.byteLength(text), 0));
  }
  const github = join('github', 'api.github.com.json');
  expect((await ok(['push', github, '--namespace', 'github'], env)).files).toEqual(['openapi.json']);
  await ok(['pull', 'github', '-O', `${way}-github`], env);
  const [there, back] = [join(folder, github), join(folder, `${way}-github`, 'openapi.json')];
  expect(readFileSync(back).equals(readFileSync(there))).toBe(true);
  expect(leftovers(folder)).toEqual([]);
});

test('a folder is pushed with everything that is not hidden, and the second push sends nothing', async () => {
  const env = ways().served as Readonly<Record<string, string>>;
  const first = await ok(['push', 'split', '--namespace', 'folder'], env);
  expect(first.files).toEqual(['README.txt', ...Object.keys(split).sort()]);
  const second = await ok(['push', 'split', '--namespace', 'folder', '--tag', 'again'], env);
  expect(second).toMatchObject({ digest: first.digest, uploaded: 0 });
  await ok(['pull', 'folder:again'], env);
  const { '.hidden': _, ...shown } = filesOf(join(folder, 'split'));
  expect(filesOf(join(folder, 'folder'))).toEqual(shown);
});

test('the service reads what was pushed: the list of revisions has its title and version', async () => {
  const env = ways().served as Readonly<Record<string, string>>;
  await ok(['push', 'split/openapi.yaml', '--namespace', 'read'], env);
  const { items } = await ok(['revisions', 'list', 'read'], env);
  expect(items[0].contents_metadata).toMatchObject({
    title: 'Pets',
    version: '1.2.3',
    type: 'OPENAPI_BUNDLE',
  });
});

const isAbsent = spawnSync('skopeo', ['--version']).status !== 0;
if (isAbsent) process.stderr.write('skipped: push and pull with a real client, because skopeo is not installed\n');

/** As root, skopeo keeps a cache outside of every folder that can be given to it, so it runs as another user. */
const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

function skopeo(work: string, ...argv: readonly string[]): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    HOME: work,
    TMPDIR: work,
    XDG_RUNTIME_DIR: work,
    XDG_DATA_HOME: work,
  };
  return new Promise((done) => {
    const options = { env, cwd: work, ...user };
    execFile('skopeo', ['--insecure-policy', '--tmpdir', work, ...argv], options, (error, out, err) =>
      done(error ? `${error.code}: ${err}` : out),
    );
  });
}

test.skipIf(isAbsent)('skopeo copies what dtp pushed, and dtp pulls what skopeo pushed', async () => {
  const env = ways().served as Readonly<Record<string, string>>;
  const { folder: work, remove: clean } = home();
  if (user.uid !== undefined) chownSync(work, user.uid, user.gid);
  try {
    const pushed = await ok(['push', 'split/openapi.yaml', '--namespace', 'between', '--tag', 'v1'], env);
    const at = (name: string) => `docker://${new URL(service.address).host}/local/default/${name}`;
    const from = ['--src-tls-verify=false', '--src-creds', `x:${service.key}`];
    const to = ['--dest-tls-verify=false', '--dest-creds', `x:${service.key}`];
    for (const [place, back] of [
      [`dir:${join(work, 'dir')}`, 'from-dir'],
      [`oci:${join(work, 'oci')}:v1`, 'from-oci'],
    ] as const) {
      expect(await skopeo(work, 'copy', ...from, at('between:v1'), place)).toMatch(/^Getting image source/);
      expect(await skopeo(work, 'copy', ...to, place, at(`${back}:v1`))).toMatch(/^Getting image source/);
      const pulled = await ok(['pull', `${back}:v1`, '-O', back], env);
      expect(pulled).toMatchObject({ digest: pushed.digest, files: pushed.files });
      const { 'README.txt': _, '.hidden': __, ...referred } = filesOf(join(folder, 'split'));
      expect(filesOf(join(folder, back))).toEqual(referred);
    }
    writeFileSync(join(work, 'done'), '');
  } finally {
    clean();
  }
});
