/** A repository from somebody else: no path in it makes a command read, write, send or wait for something outside. */
import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findCi, offerCi } from '../../src/commands/init/ci.ts';
import type { Setup } from '../../src/commands/init/setup.ts';
import { attacks, canary, type HostileFolder, hostileFolder, inside } from '../support/hostile-folder.ts';
import { env, run } from '../support/hostile-run.ts';
import { filesReadLocally, filesSent, filesWritten, folders, type PathUse } from '../support/path-table.ts';

describe.each(Object.entries(filesSent))('%s', (name, use) => {
  test.each(attacks)('does not send %s', async (_, path, words) => {
    const folder = await hostileFolder();
    const { code, stdout, stderr, sent } = await run(folder, use(path));
    expect([code, stdout], stderr).toEqual([2, '']);
    expect(stderr.replaceAll('\\"', '"')).toMatch(words);
    expect(sent + stdout + stderr).not.toContain(canary);
  });

  test('suggests - for a pipe only if that sends standard input', async () => {
    const folder = await hostileFolder();
    const { stderr } = await run(folder, use('pipe'));
    const [, dash] = /To read standard input, pass (@?-)/.exec(stderr) ?? [];
    expect(dash ?? null, stderr).toBe(name in expectedDash ? expectedDash[name] : '-');
    if (dash === undefined || withoutMark.includes(name)) return;
    const argv = use('pipe').argv.map((word) => word.replace(/@?\bpipe\b/, dash));
    const stdin = readFileSync(join(folder.cwd, 'real.json'), 'utf8');
    const piped = await run(folder, { argv, stdin });
    expect(piped.sent, piped.stderr).toContain(inside);
  });

  test('sends a file, and the target of a link inside', async () => {
    const folder = await hostileFolder();
    for (const path of ['real.json', 'link-in.json', join(folder.cwd, 'real.json')])
      await expectSent(folder, use(path), inside);
  });

  test('sends a file outside whose path was typed', async () => {
    await expectSent(await hostileFolder(), use('../outside/secret.json'), canary);
  });

  async function expectSent(folder: HostileFolder, path: PathUse, mark: string) {
    const { stderr, sent } = await run(folder, path);
    expect(stderr).not.toMatch(/because the link|own files|is not a file|outside of/);
    if (!withoutMark.includes(name)) expect(sent, stderr).toContain(mark);
  }
});

/** What reads standard input, if it is not `-`. Null if nothing does. */
const expectedDash: Readonly<Record<string, '@-' | null>> = { '--field': '@-', 'artifacts push file': null };

/** These do not accept the document, or do not send its title, or need a registry. */
const withoutMark = [
  'suggest from-summary file',
  'suggest from-summary file of --schema',
  'artifacts push file',
  '--method-paths',
];

describe.each(Object.entries(filesReadLocally))('%s', (name, use) => {
  // An argument is wrong usage, and can be standard input. The others are settings of a service.
  const isArgument = name === 'data import file';
  test.each(attacks.filter(([, path]) => path !== 'hard-own.json'))('does not use %s', async (_, path, words) => {
    const { code, stderr, sent } = await run(await hostileFolder(), use(path));
    expect([code, sent], stderr).toEqual([isArgument ? 2 : 3, '']);
    expect(stderr).toMatch(words);
    if (!isArgument) expect(stderr).not.toContain('standard input');
  });
});

test('NODE_EXTRA_CA_CERTS is never waited for', async () => {
  const folder = await hostileFolder();
  for (const [, path] of attacks)
    await run(folder, { argv: ['ws', 'list', '--ca-cert', certificate], env: { NODE_EXTRA_CA_CERTS: path } });
});

const certificate = join(import.meta.dirname, '../support/tls/ca.pem');

describe.each(Object.entries(filesWritten))('%s', (name, use) => {
  /** With data, if that is written. */
  const filledFolder = async () => {
    const folder = await hostileFolder();
    if (name === 'data export file') await run(folder, { argv: ['ws', 'list', '--base-url', 'local:'] });
    return folder;
  };
  const targets = [
    'link-out.json',
    'link-link.json',
    'dangling',
    'up/outside/new.json',
    'link-own.json',
    'hard-own.json',
  ];
  test.each([...targets, 'pipe', 'link-pipe', 'device', 'descriptor', 'socket', 'folder'])(
    'writes nothing outside through %s',
    async (path) => {
      const folder = await filledFolder();
      const before = folder.snapshot();
      const { code, stderr } = await run(folder, use(path));
      expect(folder.snapshot()).toBe(before);
      // A hard link is replaced by a new file, except by lines that are appended.
      if (path !== 'hard-own.json' || use(path).env) expect(stderr).toMatch(/^(error|warning):|"error"/);
      if (!use(path).env && path !== 'hard-own.json') expect(code).toBe(2);
    },
  );

  test('writes a new file, also in a linked folder inside, and a file outside whose path was typed', async () => {
    const folder = await filledFolder();
    symlinkSync('folder', join(folder.cwd, 'link-folder'));
    for (const path of ['new.json', 'link-folder/new.json', '../outside/typed.json']) {
      const { stderr } = await run(folder, use(path));
      expect(existsSync(join(folder.cwd, path)), stderr).toBe(true);
    }
  });
});

describe.each(Object.entries(folders))('%s', (_, use) => {
  test.each(['up', 'up/outside', 'to-outside', 'to-outside/new'])('does not use the folder %s', async (path) => {
    const folder = await hostileFolder();
    symlinkSync('../outside', join(folder.cwd, 'to-outside'));
    writeFileSync(join(folder.outside, '.dtp.json'), '{}');
    writeFileSync(join(folder.outside, 'openapi.json'), '{}');
    const before = folder.snapshot();
    const { code, stderr, sent } = await run(folder, use(path));
    expect(code, stderr).not.toBe(0);
    expect(stderr).toMatch(/because the link|it is not a folder|not found|does not exist/);
    expect([folder.snapshot(), sent]).toEqual([before, '']);
  });
});

test.skipIf(process.geteuid?.() !== 0)('a repository of another user works (needs root to make one)', async () => {
  const folder = await hostileFolder();
  for (const name of ['', '.git', 'real.json', 'folder']) chownSync(join(folder.cwd, name), 12_345, 12_345);
  const { sent: body, stderr } = await run(folder, { argv: ['ws', 'create', '--body', '@real.json'] });
  expect(body, stderr).toContain(inside);
  await run(folder, {
    argv: ['ws', 'list', '-O', 'folder/out.json'],
    env: { DTP_OUTPUT_FILE: 'log.ndjson' },
  });
  expect(existsSync(join(folder.cwd, 'folder/out.json'))).toBe(true);
  expect(readFileSync(join(folder.cwd, 'log.ndjson'), 'utf8')).toContain('"code":"ok"');
});

test('a body from a file cannot name a file outside to send', async () => {
  const folder = await hostileFolder();
  const body = (file: string) => JSON.stringify({ data: { type: 'linting' }, file });
  for (const path of ['../outside/secret.json', join(folder.outside, 'secret.json'), 'link-out.json']) {
    writeFileSync(join(folder.cwd, 'body.json'), body(path));
    const { code, sent, stderr } = await run(folder, { argv: ['reports', 'upload', '--body', '@body.json'] });
    expect([code, sent], stderr).toEqual([2, '']);
    expect(stderr).toContain(`outside of ${folder.cwd}`);
  }
  writeFileSync(join(folder.cwd, 'body.json'), body('real.json'));
  expect((await run(folder, { argv: ['reports', 'upload', '--body', '@body.json'] })).sent).toContain(inside);
});

test('artifacts push sends a linked document outside only with --include', async () => {
  const folder = await hostileFolder();
  const push = (path: string, ...more: string[]) =>
    run(folder, {
      argv: [
        'artifacts',
        'push',
        path,
        '--namespace',
        'pets',
        '--dry-run',
        '--organization-slug',
        'a',
        '--workspace-slug',
        'w',
        ...more,
      ],
    });
  const refused = await push('link-out.json');
  expect([refused.code, refused.stdout]).toEqual([2, '']);
  expect(refused.stderr).toContain('add: --include link-out.json, or pass its real path');
  const included = await push('link-out.json', '--include', 'link-out.json');
  expect(included.code, included.stderr).toBe(0);
  // A file of dtp is never sent.
  for (const path of ['link-own.json', 'hard-own.json']) {
    const own = await push(path, '--include', path);
    expect(own.code, own.stderr).toBe(2);
    expect(own.stderr).toContain("one of dtp's own files");
  }
});

test('outside of a repository, the current folder is the boundary', async () => {
  const { home, outside, ...rest } = await hostileFolder();
  mkdirSync(join(home, 'plain'));
  symlinkSync('../outside/secret.json', join(home, 'plain', 'body.json'));
  const folder = { ...rest, home, outside, cwd: join(home, 'plain') };
  const refused = await run(folder, { argv: ['ws', 'create', '--body', '@body.json'] });
  expect([refused.code, refused.sent], refused.stderr).toEqual([2, '']);
  const typed = await run(folder, { argv: ['ws', 'create', '--body', '@../outside/secret.json'] });
  expect(typed.sent, typed.stderr).toContain(canary);
});

test('a pipe outside whose path was typed is read', async () => {
  const bin = join(import.meta.dirname, '../../bin/dtp.cjs');
  const { home, cwd } = await hostileFolder();
  const line = `'${process.execPath}' '${bin}' --base-url http://127.0.0.1:1 ws create --dry-run --body @<(echo '{"name":"a","organization_id":"o"}')`;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', line], {
    cwd,
    env: { HOME: home, PATH: process.env.PATH ?? '', DTP_API_KEY: 'k' },
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  expect(stdout).toContain('"organization_id": "o"');
});

test('dtp init writes no CI job through a link', async () => {
  const folder = await hostileFolder();
  const { cwd, outside, home } = folder;
  mkdirSync(join(outside, 'workflows'));
  symlinkSync('../outside', join(cwd, '.github'));
  const before = folder.snapshot();
  const settings = { stored: {}, values: { base_url: { value: env.DTP_BASE_URL, source: 'DTP_BASE_URL' } } };
  const setup = {
    invocation: { context: { cwd, home, env }, settings, log: {} },
    given: { flags: { ci: 'write' } },
  } as unknown as Setup;
  await expect(findCi(setup).then((place) => offerCi(setup, place))).rejects.toThrow(
    /because the link \S+\.github leads to/,
  );
  expect(folder.snapshot()).toBe(before);
});
