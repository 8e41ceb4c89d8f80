/**
 * The completions in real shells, with Tab pressed as a user would. A shell that is missing is skipped with a
 * message.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dtp, home } from '../support/process.ts';
import { openShell, type Shell, type ShellName, shellNames, whyNot } from '../support/shells.ts';

/**
 * A line typed with a Tab at its end, and the arguments that dtp is then run with. None of these completions may
 * need dtp.
 */
const known: readonly (readonly [typed: string, args: readonly string[]])[] = [
  ['dtp subsc', ['subscriptions']],
  ['dtp ws tok', ['ws', 'tokens']],
  ['dtp ws tokens cr', ['ws', 'tokens', 'create']],
  ['dtp --json ws --yes tok', ['--json', 'ws', '--yes', 'tokens']],
  ['dtp -o yaml --workspace=w_1 ws tokens del', ['-o', 'yaml', '--workspace=w_1', 'ws', 'tokens', 'delete']],
  ['dtp help artif', ['help', 'artifacts']],
  ['dtp help ws tok', ['help', 'ws', 'tokens']],
  ['dtp help exit', ['help', 'exit-codes']],
  ['dtp help topi', ['help', 'topics']],
  ['dtp completion fi', ['completion', 'fish']],
  // Flags, in front of and after commands and arguments.
  ['dtp --wor', ['--workspace']],
  ['dtp ws list --no-he', ['ws', 'list', '--no-headers']],
  ['dtp events search --no-succ', ['events', 'search', '--no-success']],
  ['dtp orgs get o_1 --connect', ['orgs', 'get', 'o_1', '--connect-timeout']],
  ['dtp orgs get --dry', ['orgs', 'get', '--dry-run']],
  // Known values, after a space and after =.
  ['dtp ws list --output nd', ['ws', 'list', '--output', 'ndjson']],
  ['dtp ws list --output=nd', ['ws', 'list', '--output=ndjson']],
  ['dtp -o nd', ['-o', 'ndjson']],
  ['dtp --color al', ['--color', 'always']],
  ['dtp ws list --error-format=te', ['ws', 'list', '--error-format=text']],
  ['dtp events search --type CI', ['events', 'search', '--type', 'CI_EXEC']],
  ['dtp orgs add-ons delete sdk', ['orgs', 'add-ons', 'delete', 'sdk_testing']],
  ['dtp orgs add-ons delete --yes sdk', ['orgs', 'add-ons', 'delete', '--yes', 'sdk_testing']],
  ['dtp config set words.d', ['config', 'set', 'words.docsite']],
  ['dtp config get ca', ['config', 'get', 'ca_cert']],
  ['dtp config set output nd', ['config', 'set', 'output', 'ndjson']],
  ['dtp config set ca_cert spec', ['config', 'set', 'ca_cert', 'spec.json']],
  // Files.
  ['dtp artifacts push spec', ['artifacts', 'push', 'spec.json']],
  ['dtp reports linting-url c --download two', ['reports', 'linting-url', 'c', '--download', 'two words.html']],
  ['dtp reports linting-url c --download=two', ['reports', 'linting-url', 'c', '--download=two words.html']],
  ['dtp reports linting-url c --download "two', ['reports', 'linting-url', 'c', '--download', 'two words.html']],
  ["dtp reports linting-url c --download='two", ['reports', 'linting-url', 'c', '--download=two words.html']],
  ['dtp reports linting-url c --download two\\ w', ['reports', 'linting-url', 'c', '--download', 'two words.html']],
  [
    'dtp code-samples preview --language go folder/in',
    ['code-samples', 'preview', '--language', 'go', 'folder/inner.yaml'],
  ],
  ['dtp ws list -O spec', ['ws', 'list', '-O', 'spec.json']],
  ['dtp ws create --body @spec', ['ws', 'create', '--body', '@spec.json']],
  ['dtp ws create --body=@spec', ['ws', 'create', '--body=@spec.json']],
  ['dtp ws create --body @two', ['ws', 'create', '--body', '@two words.html']],
  ['dtp ws create --body "@two', ['ws', 'create', '--body', '@two words.html']],
  ['dtp ws create --body @"two', ['ws', 'create', '--body', '@two words.html']],
  ['dtp ws create --body @folder/in', ['ws', 'create', '--body', '@folder/inner.yaml']],
  ['dtp ws create -F name=@spec', ['ws', 'create', '-F', 'name=@spec.json']],
  ['dtp ws create --field=name=@spec', ['ws', 'create', '--field=name=@spec.json']],
  // No values are known here, so nothing is offered, not even files.
  ['dtp ws list spec', ['ws', 'list', 'spec']],
  ['dtp ws tokens spec', ['ws', 'tokens', 'spec']],
  ['dtp ws create --name spec', ['ws', 'create', '--name', 'spec']],
  ['dtp ws create --body spec', ['ws', 'create', '--body', 'spec']],
  ['dtp ws create -f name=@spec', ['ws', 'create', '-f', 'name=@spec']],
  ['dtp ws list --fields=spec', ['ws', 'list', '--fields=spec']],
  ['dtp code-samples jobs get spec', ['code-samples', 'jobs', 'get', 'spec']],
  ['dtp ws list ', ['ws', 'list']],
  ['dtp nothing spec', ['nothing', 'spec']],
  // After -- comes another program's command line, whose words are not dtp flags.
  ['dtp dev -- subscriptions-tes', ['dev', '--', 'subscriptions-tester']],
  ['dtp dev -- cat spec', ['dev', '--', 'cat', 'spec.json']],
];

/** What dtp returns for a completion, and with which arguments it is called. */
const asked: readonly (readonly [typed: string, args: readonly string[], call: readonly string[]])[] = [
  ['dtp ws get -w de', ['ws', 'get', '-w', 'de:86'], ['workspaces', '']],
  ['dtp ws get --workspace=de:', ['ws', 'get', '--workspace=de:86'], ['workspaces', '']],
  ['dtp --profile st', ['--profile', 'staging one'], ['profiles', '']],
  ['dtp config use "st', ['config', 'use', 'staging one'], ['profiles', '']],
  [
    'dtp --profile "staging one" -w w_2 --base-url=u ws tokens delete t',
    ['--profile', 'staging one', '-w', 'w_2', '--base-url=u', 'ws', 'tokens', 'delete', 't_1'],
    ['--profile', 'staging one', '--workspace', 'w_2', '--base-url', 'u', 'workspace-tokens', ''],
  ],
  ['dtp publishing-tokens get p', ['publishing-tokens', 'get', 'p_1'], ['publishing-tokens', '']],
  ['dtp artifacts tags list pe', ['artifacts', 'tags', 'list', 'pets'], ['namespaces', '']],
  [
    'dtp artifacts push spec.json --namespace pe',
    ['artifacts', 'push', 'spec.json', '--namespace', 'pets'],
    ['namespaces', 'spec.json'],
  ],
  [
    'dtp artifacts push spec.json --namespace pets --tag v',
    ['artifacts', 'push', 'spec.json', '--namespace', 'pets', '--tag', 'v1.0'],
    ['tags', 'pets'],
  ],
  [
    'dtp artifacts manifests get pets sha256:f',
    ['artifacts', 'manifests', 'get', 'pets', 'sha256:f5f8'],
    ['revisions', 'pets'],
  ],
  [
    'dtp artifacts tags add pets --revision=sha256:',
    ['artifacts', 'tags', 'add', 'pets', '--revision=sha256:f5f8'],
    ['digests', 'pets'],
  ],
  ['dtp artifacts pull pe', ['artifacts', 'pull', 'pets'], ['namespaces', '']],
  ['dtp artifacts pull pets:v', ['artifacts', 'pull', 'pets:v1.0'], ['tags', 'pets']],
  ['dtp artifacts pull "pets:v', ['artifacts', 'pull', 'pets:v1.0'], ['tags', 'pets']],
  ['dtp artifacts pull pets@sha', ['artifacts', 'pull', 'pets@sha256:f5f8'], ['digests', 'pets']],
];

const answersByKind: Readonly<Record<string, string>> = {
  workspaces: 'de:86\tDefault\nab:12\tOther one\n',
  profiles: 'local\tlocal:\nstaging one\thttps://staging.example.com\n',
  namespaces: 'pets\t\nowners\t\n',
  tags: 'v1.0\tsha256:f5f8\nlatest\tsha256:f5f8\n',
  digests: 'sha256:f5f8\tv1.0, latest\n',
  revisions: 'v1.0\tsha256:f5f8\nsha256:f5f8\tv1.0\n',
  'workspace-tokens': 't_1\tci\n',
  'publishing-tokens': 'p_1\tnpm\n',
};

describe.each(shellNames)('%s', (name: ShellName) => {
  const why = whyNot(name);
  if (why !== undefined) process.stderr.write(`skipped: completions in ${name}, because ${why}\n`);
  const { folder, remove } = home();
  let shell: Shell;

  beforeAll(async () => {
    if (why !== undefined) return;
    mkdirSync(join(folder, 'folder'));
    for (const file of ['spec.json', 'two words.html', 'folder/inner.yaml']) writeFileSync(join(folder, file), '');
    mkdirSync(join(folder, 'bin'));
    writeFileSync(join(folder, 'bin/subscriptions-tester'), '#!/bin/sh\n', { mode: 0o755 });
    shell = await openShell(name, folder);
  });
  beforeEach(() => {
    for (const [kind, text] of Object.entries(answersByKind)) writeFileSync(join(folder, 'said', kind), text);
  });
  afterAll(async () => {
    await shell?.close();
    remove();
  });

  test.skipIf(why !== undefined).each(known)('%s', async (typed, args) => {
    expect(await shell.enter(`${typed}\t`)).toEqual({ args, asked: [] });
  });

  test.skipIf(why !== undefined).each(asked)('%s', async (typed, args, call) => {
    const pressed = await shell.enter(`${typed}\t`);
    expect(pressed.args).toEqual(args);
    expect(pressed.asked).toContainEqual(['__complete', ...call]);
  });

  test.skipIf(why !== undefined)(
    'a value from the service is inserted as a string, whatever it means to a shell',
    async () => {
      const hostile = '$(touch hit);`touch hit` \'x\' "y" & *';
      writeFileSync(join(folder, 'said/namespaces'), `${hostile}\t\n`);
      const { args } = await shell.enter('dtp artifacts tags list \t');
      expect([args.at(-1), existsSync(join(folder, 'hit'))]).toEqual([hostile, false]);
    },
  );

  test.skipIf(why !== undefined)('a word that the shell has yet to expand is not sent to dtp', async () => {
    const { args, asked } = await shell.enter('dtp -w "$HOME" ws tokens delete t\t');
    expect([args.at(-1), asked]).toEqual(name === 'fish' ? ['t_1', expect.anything()] : ['t', []]);
  });

  test.skipIf(why !== undefined)('several values are listed with their descriptions', async () => {
    shell.type('dtp ws get -w \t\t');
    await shell.see(/ab:12 .*Other one/);
    await shell.clear();
  });

  test.skipIf(why !== undefined)('if dtp fails or is missing, nothing is offered and nothing is printed', async () => {
    const file = join(folder, 'bin/dtp');
    for (const broken of ['#!/bin/sh\necho oh no >&2\nexit 3\n', undefined]) {
      const whole = readFileSync(file, 'utf8');
      if (broken === undefined) rmSync(file);
      else writeFileSync(file, broken);
      await shell.clear();
      shell.type('dtp ws get -w \tEND');
      const shown = await shell.see('END');
      await shell.clear();
      writeFileSync(file, whole, { mode: 0o755 });
      expect(shown.trimEnd()).toBe('> dtp ws get -w END');
    }
  });

  test.skipIf(why !== undefined)('the real dtp: an id of the embedded service', async () => {
    const real = resolve(import.meta.dirname, '../../bin/dtp.cjs');
    const env = ['config', 'data', 'state'].map((one) => `DTP_${one.toUpperCase()}_DIR=${join(folder, one)}`);
    const line = `#!/bin/sh\nexec env ${env.join(' ')} ${process.execPath} ${real} "$@"\n`;
    writeFileSync(join(folder, 'real'), line, { mode: 0o755 });
    rmSync(join(folder, 'said/workspaces'));
    // A cached value is fast on any machine.
    const { stdout } = await dtp(folder, ['__complete', '--profile', 'local', 'workspaces', '--fresh']);
    const [id = ''] = stdout.split('\n')[1]?.split('\t') ?? [];
    const { args } = await shell.enter(`dtp --profile local ws get -w ${id.slice(0, 3)}\t`);
    expect(args).toEqual(['--profile', 'local', 'ws', 'get', '-w', id]);
    expect(id).toMatch(/^[\da-f-]{36}$/);
  });
});
