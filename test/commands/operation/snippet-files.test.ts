/** `--out-dir`: a file for each code sample, with a safe name, and nothing is overwritten. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { namesOf } from '../../../src/commands/operation/snippet-files.ts';
import { dtp, temporaryFolder, type World } from '../../support/context.ts';
import { service } from '../../support/function-service.ts';

const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1' };
const snippets = [
  { method: 'get', path: '/pets', operationId: 'listPets', language: 'go', code: 'package main\n\n' },
  { method: 'get', path: '/pets', operationId: 'listPets', language: 'curl', code: 'curl x' },
];

function get(cwd: string, flags: string, world: World = {}) {
  const { openSend, asked } = service(() => [200, { snippets }]);
  const argv = ['code-samples', 'get', '--registry-url', 'acme/main/pets', ...flags.split(' ')];
  return dtp(argv, { env, cwd, openSend, ...world }).then((ended) => ({ ...ended, asked }));
}

test('the files have the code, and the result has their names', async () => {
  const cwd = temporaryFolder();
  const ended = await get(cwd, '--out-dir samples/new');
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  const folder = join(cwd, 'samples/new');
  expect(JSON.parse(ended.stdout)).toEqual({ folder, files: ['listPets.go', 'listPets.sh'] });
  expect(readFileSync(join(folder, 'listPets.go'), 'utf8')).toBe('package main\n');
  expect(readFileSync(join(folder, 'listPets.sh'), 'utf8')).toBe('curl x\n');
  const shown = await get(cwd, '--out-dir samples/new --force', { tty: true });
  expect(shown).toMatchObject({ code: 0, stderr: expect.stringContaining('Wrote 2 files to samples/new\n') });
});

test.each(['-o raw', '-o ndjson', '-o yaml', '-o csv'])('they are written with %s too', async (format) => {
  const cwd = temporaryFolder();
  expect((await get(cwd, `--out-dir s ${format}`)).code).toBe(0);
  expect(readdirSync(join(cwd, 's')).sort()).toEqual(['listPets.go', 'listPets.sh']);
});

describe('nothing is written', () => {
  it('if one of the files exists, unless --force', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'listPets.sh'), 'mine');
    const ended = await get(cwd, '--out-dir .');
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('already exists');
    expect(readdirSync(cwd)).toEqual(['listPets.sh']);
    expect((await get(cwd, '--out-dir . --force')).code).toBe(0);
    expect(readFileSync(join(cwd, 'listPets.sh'), 'utf8')).toBe('curl x\n');
  });

  it('if the folder is a file: then nothing is sent either', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 's'), '');
    expect(await get(cwd, '--out-dir s')).toMatchObject({ code: 2, asked: [] });
    expect(await get(cwd, '--out-dir s/t')).toMatchObject({ code: 2 });
  });

  // Node's own recursive mkdir never returns there.
  it.skipIf(process.platform !== 'linux')('if the folder cannot have subfolders', async () => {
    expect(await get(temporaryFolder(), '--out-dir /proc/none/s')).toMatchObject({ code: 2, stdout: '' });
  });

  it('in a dry run', async () => {
    const cwd = temporaryFolder();
    expect(await get(cwd, '--out-dir s --dry-run')).toMatchObject({ code: 0, asked: [] });
    expect(existsSync(join(cwd, 's'))).toBe(false);
  });
});

test('names are safe and different', () => {
  const of = (operationId: unknown, language: unknown = 'go', more = {}) => ({
    operationId,
    language,
    ...more,
  });
  const all = [
    of('../../etc/passwd'),
    of('a b\u202e\n'),
    of('A-B'),
    of('con'),
    of('', 'python', { method: 'get', path: '/pets/{id}' }),
    of(undefined, undefined, { method: 3 }),
    of('x', '../../sh'),
    of('x', 'constructor'),
    of('x'.repeat(5000)),
    of('é'),
  ];
  expect([...namesOf(all).keys()]).toEqual([
    'etc-passwd.go',
    'a-b.go',
    'A-B-2.go',
    'snippet-con.go',
    'get-pets-id.py',
    'snippet.go',
    'x.sh',
    'x.constructor',
    `${'x'.repeat(100)}.go`,
    'snippet-2.go',
  ]);
});
