/** The completion scripts: the files in completions/ are current, and `dtp completion` prints or installs them. */
import { mkdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { completionScript, type Shell } from '../../src/describe/completions/index.ts';
import { valuesOf } from '../../src/operations/field-types.ts';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { commandShortcuts, shortcuts } from '../../src/tree/nouns.ts';
import { argumentsOf, flagsOf } from '../../src/tree/operation-flags.ts';
import { kebab } from '../../src/tree/vocabulary.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { command, flag } from '../support/entries.ts';

const files: Readonly<Record<Shell, string>> = {
  bash: 'dtp.bash',
  zsh: '_dtp',
  fish: 'dtp.fish',
  powershell: 'dtp.ps1',
};
const shells = Object.keys(files) as Shell[];
const committed = (shell: Shell) =>
  readFileSync(resolve(import.meta.dirname, '../../completions', files[shell]), 'utf8');

test.each(shells)('the script for %s is current: npm run generate', async (shell) => {
  expect(await dtp(['completion', shell])).toEqual({ code: 0, stdout: committed(shell), stderr: '' });
});

test.each(shells)('%s knows every command, flag and known value of every operation', (shell) => {
  const script = committed(shell);
  const words = new Set(script.split(/[^\w.-]+/));
  for (const operation of Object.values(operations) as readonly Operation[]) {
    expect(script).toContain(operation.command.slice(0, -1).join(' '));
    const wanted = [
      ...operation.command,
      ...flagsOf(operation)
        .filter(({ name, label }) => label === `--${name}`)
        .flatMap(({ name, kind }) => [`--${name}`, ...(kind === 'boolean' ? [`--no-${name}`] : [])]),
      ...flagsOf(operation).flatMap((flag) => valuesOf(flag) ?? []),
    ];
    expect(wanted.filter((word) => !words.has(word))).toEqual([]);
  }
  // It is called, but never offered.
  expect(script.replaceAll(/(dtp|\$tool) __complete/g, '')).not.toContain('__complete');
});

test.each(shells)('%s knows the shortcuts of nouns and commands, and what is below them', (shell) => {
  const script = committed(shell);
  const words = new Set(script.split(/[^\w.-]+/));
  for (const name of [...Object.keys(shortcuts), ...Object.keys(commandShortcuts)]) expect(words).toContain(name);
  for (const path of ['tokens list', 'tags add', 'login'])
    expect([
      path,
      script.split('\n').some((line) => line.includes(path) && !/(ws|artifacts|auth) /.test(line)),
    ]).toEqual([path, true]);
});

test('a value with a space and a description with a line break are errors', () => {
  const tree = (choices: readonly string[], summary = '') =>
    command({
      commands: [command({ words: ['one'], summary, flags: [flag({ name: '--fine', value: 'a', choices })] })],
    });
  for (const shell of shells) {
    expect(completionScript(shell, tree(['b']))).toContain('--fine');
    expect(() => completionScript(shell, tree(['c d']))).toThrow('"c d"');
    expect(() => completionScript(shell, tree(['b'], 'two\nlines'))).toThrow('two');
  }
});

/** What can be checked without PowerShell. */
test('the PowerShell script has balanced brackets, and its table has the cells that the code reads', () => {
  const script = committed('powershell');
  const [, before, table, after] = /^(.*?)@'\n(.*?)\n'@\n(.*)$/s.exec(script) as RegExpExecArray;
  // Strings and patterns may contain other brackets.
  const code = `${before}${after}`.replace(/^\s*#.*$/gm, '').replace(/"'"|'"'|'(?:[^'\n]|'')*'|"[^"\n]*"/g, '');
  const open: string[] = [];
  const partner: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
  for (const [bracket] of code.matchAll(/[()[\]{}]/g)) {
    if (bracket in partner) expect(open.pop()).toBe(partner[bracket]);
    else open.push(bracket);
  }
  expect(open).toEqual([]);
  expect(code).not.toMatch(/['"]/);

  const rows = (table as string).split('\n').map((line) => line.split('\t'));
  expect(new Set(rows.map(([kind]) => kind))).toEqual(new Set(['@', 'c', 'f', 'a']));
  for (const [kind = '', ...cells] of rows)
    expect([kind, cells.length]).toEqual([kind, { '@': 1, c: 4, f: 4, a: 3 }[kind]]);
  expect(rows[0]).toEqual(['@', '']);
  expect(script).toMatch(/^Register-ArgumentCompleter -Native -CommandName dtp -ScriptBlock \{\n {4}param\(/m);
  // One row of each kind.
  expect(rows).toContainEqual(['c', 'tokens token', '', '', 'Tokens of a workspace (also: dtp tokens)']);
  expect(rows).toContainEqual([
    'f',
    '-w --workspace',
    'workspaces',
    '',
    "workspace to act on: id, name or slug; '' for the credential's own workspace",
  ]);
  expect(rows).toContainEqual(['f', '--error-format', 'words', 'auto text json', 'format of errors']);
  expect(rows).toContainEqual(['a', '1', 'workspace-tokens', '']);
});

test('every argument that is a namespace offers the names of namespaces', () => {
  const script = committed('bash');
  const places = (Object.values(operations) as readonly Operation[]).flatMap((operation) =>
    argumentsOf(operation).flatMap(([name], index) =>
      kebab(name) === 'namespace-name' ? [`'${operation.command.join(' ')} ${index + 1}'`] : [],
    ),
  );
  expect(places.length).toBeGreaterThan(8);
  const line = script.split('\n').find((one) => one.includes("*' --namespace'")) ?? '';
  expect(places.filter((place) => !line.includes(place))).toEqual([]);
});

test('DTP_OUTPUT does not change the script, but a flag does', async () => {
  const { stdout } = await dtp(['completion', 'bash'], { env: { DTP_OUTPUT: 'json' } });
  expect(stdout).toBe(committed('bash'));
  expect(JSON.parse((await dtp(['completion', 'bash', '-o', 'json'])).stdout)).toBe(committed('bash'));
  const cwd = temporaryFolder();
  expect(await dtp(['completion', 'zsh', '-O', '_dtp'], { cwd })).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
  expect(readFileSync(join(cwd, '_dtp'), 'utf8')).toBe(committed('zsh'));
});

test('a missing or unknown shell is an error', async () => {
  for (const argv of [['completion'], ['completion', 'tcsh'], ['completion', '--install']]) {
    const { code, stdout, stderr } = await dtp(argv);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toBe('');
  }
  expect((await dtp(['completion', 'tcsh'])).stderr).toContain('bash, zsh, fish or powershell');
});

async function install(shell: Shell, world: World & { readonly home: string }) {
  const { code, stdout, stderr } = await dtp(['completion', shell, '--install'], world);
  expect([code, stdout]).toEqual([0, '']);
  return stderr;
}

test.each([
  ['bash', '.local/share/bash-completion/completions/dtp', {}],
  ['bash', 'x/bash-completion/completions/dtp', { XDG_DATA_HOME: 'x' }],
  ['bash', 'b/completions/dtp', { BASH_COMPLETION_USER_DIR: 'b', XDG_DATA_HOME: 'x' }],
  ['zsh', '.local/share/zsh/site-functions/_dtp', {}],
  ['fish', '.config/fish/completions/dtp.fish', {}],
  ['fish', 'c/fish/completions/dtp.fish', { XDG_CONFIG_HOME: 'c' }],
  ['powershell', '.config/powershell/dtp.ps1', {}],
] as const)('%s is installed in %s', async (shell, path, places) => {
  const home = temporaryFolder();
  const env = Object.fromEntries(Object.entries(places).map(([name, value]) => [name, join(home, value)]));
  const file = join(home, path);
  const told = await install(shell, { home, env });
  expect(told).toContain(file);
  expect(readFileSync(file, 'utf8')).toBe(committed(shell));
  expect(statSync(file).mode & 0o777).toBe(0o644);
  // An earlier script is replaced.
  writeFileSync(file, 'an earlier one');
  await install(shell, { home, env });
  expect(readFileSync(file, 'utf8')).toBe(committed(shell));
});

test('on Windows, PowerShell has another folder, and paths contain colons', async () => {
  const home = temporaryFolder();
  const runtime = { version: 'v20.18.1', platform: 'win32' };
  expect(await install('powershell', { home, runtime })).toContain(join(home, 'Documents/PowerShell/dtp.ps1'));
  const env = { BASH_COMPLETION_USER_DIR: `${home}/a:b;${home}/c` };
  expect(await install('bash', { home, env, runtime })).toContain(join(home, 'a:b/completions/dtp'));
});

test('the output says what is left to do, and no file of the user is changed', async () => {
  const home = temporaryFolder();
  for (const name of ['.bashrc', '.zshrc']) writeFileSync(join(home, name), '# mine\n');
  expect(await install('bash', { home })).toContain(`. ${home}/.local/share/bash-completion/completions/dtp`);
  const zsh = await install('zsh', { home });
  const line = `fpath=(${home}/.local/share/zsh/site-functions $fpath)`;
  expect(zsh).toContain(line);
  expect(zsh).toContain('compinit');
  expect(await install('fish', { home })).toContain('Open a new shell to use them');
  expect(await install('powershell', { home })).toContain(`. '${home}/.config/powershell/dtp.ps1'`);
  for (const name of ['.bashrc', '.zshrc']) expect(readFileSync(join(home, name), 'utf8')).toBe('# mine\n');

  writeFileSync(join(home, '.zshrc'), `${line}\nautoload -Uz compinit && compinit\n`);
  expect(await install('zsh', { home })).not.toContain('fpath');
  const FPATH = `/usr/share/zsh:${home}/.local/share/zsh/site-functions`;
  writeFileSync(join(home, '.zshrc'), '');
  expect(await install('zsh', { home, env: { FPATH } })).not.toContain('fpath=');
  // A file without content, which is larger than any memory.
  truncateSync(join(home, '.zshrc'), 2 ** 40);
  expect(await install('zsh', { home })).toContain('fpath=');
});

test('a path with a space or a quote is one word in the line to add', async () => {
  const home = join(temporaryFolder(), "it's here");
  mkdirSync(home);
  const place = `'${home.replace("'", `'\\''`)}/.local/share/`;
  expect(await install('bash', { home })).toContain(`. ${place}bash-completion/completions/dtp'`);
  expect(await install('zsh', { home })).toContain(`fpath=(${place}zsh/site-functions' $fpath)`);
  expect(await install('powershell', { home })).toContain(`. '${home.replace("'", "''")}/.config/powershell/dtp.ps1'`);
});

test('a path that cannot be written is reported', async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, '.config/fish/completions'), { recursive: true });
  writeFileSync(join(home, 'target'), 'kept');
  symlinkSync(join(home, 'target'), join(home, '.config/fish/completions/dtp.fish'));
  const linked = await dtp(['completion', 'fish', '--install'], { home });
  expect([linked.code, linked.stdout, readFileSync(join(home, 'target'), 'utf8')]).toEqual([2, '', 'kept']);
  expect(linked.stderr).toContain('symbolic link');
  writeFileSync(join(home, '.local'), '');
  const blocked = await dtp(['completion', 'bash', '--install'], { home });
  expect([blocked.code, blocked.stdout]).toEqual([2, '']);
  expect(blocked.stderr).toContain(join(home, '.local/share/bash-completion'));
});
