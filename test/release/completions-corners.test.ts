/** Completions in shells with unusual settings, and for a command tree with names that dtp does not have. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completionScript } from '../../src/describe/completions/index.ts';
import { argument, command, flag } from '../support/entries.ts';
import { home } from '../support/process.ts';
import { committed, openShell, type Shell, shellNames, whyNot } from '../support/shells.ts';

const bashIsAbsent = whyNot('bash') !== undefined;

describe('bash with other options', () => {
  const { folder, remove } = home();
  let shell: Shell;
  beforeAll(async () => {
    if (bashIsAbsent) return;
    writeFileSync(join(folder, 'two words.json'), '');
    shell = await openShell('bash', folder);
    const answers = {
      workspaces: 'de:86\tDefault\nab:12\tOther one\n',
      tags: 'v1\tsha256:f5\n',
      digests: 'sha256:f5\tv1\n',
    };
    for (const [kind, text] of Object.entries(answers)) writeFileSync(join(folder, 'said', kind), text);
  });
  afterAll(async () => {
    await shell?.close();
    remove();
  });

  test
    .skipIf(bashIsAbsent)
    .each([
      'COMP_WORDBREAKS=" <>;|&("',
      'COMP_WORDBREAKS=" "',
      'shopt -u hostcomplete',
      'set -u',
      'set -f',
      'set -o posix',
      'IFS=,',
      'shopt -s failglob',
      'shopt -s nullglob',
      'shopt -s nocasematch extglob',
      'LC_ALL=C',
    ])('%s', async (mood) => {
    shell.type(`${mood}\r`);
    for (const [typed, last] of [
      ['dtp ws list --output=nd', '--output=ndjson'],
      ['dtp ws create --body @tw', '@two words.json'],
      ['dtp ws create --body=@tw', '--body=@two words.json'],
      ['dtp ws list -O tw', 'two words.json'],
      ['dtp ws list -O=tw', '-O=tw'],
      ['dtp --ca-cert=tw', '--ca-cert=two words.json'],
      ['dtp artifacts pull pets:v', 'pets:v1'],
      ['dtp artifacts pull pets@sha256:', 'pets@sha256:f5'],
      ['dtp ws get --workspace=de:', '--workspace=de:86'],
      ['dtp ws tok', 'tokens'],
    ] as const)
      expect([mood, (await shell.enter(`${typed}\t`)).args.at(-1)]).toEqual([mood, last]);
    shell.type('exec bash --noprofile -i\r');
  });

  test.skipIf(bashIsAbsent)('Alt-* inserts all of them, without descriptions', async () => {
    const { args } = await shell.enter('dtp ws get -w \u001b*');
    expect(args.toSorted()).toEqual(['-w', 'ab:12', 'de:86', 'get', 'ws']);
    expect((await shell.enter('dtp ws list \u001b*')).args).toEqual(['ws', 'list']);
    expect((await shell.enter('dtp --color=\u001b*')).args).toEqual(['--color=always', 'auto', 'never']);
  });

  test.skipIf(bashIsAbsent)('in the middle of a command line, and after other commands on the line', async () => {
    // Ctrl-A, Alt-F twice: after `dtp ws`.
    const { args } = await shell.enter(
      'dtp tok --yes\u0001\u001bf\u001bf\u0002\u0002\u0002ws \u0005\u0001\u001bf\u001bf\u001bf\t',
    );
    expect(args).toEqual(['ws', 'tokens', '--yes']);
    expect((await shell.enter('A=1 dtp ws tok\t')).args).toEqual(['ws', 'tokens']);
    expect((await shell.enter('true; dtp ws tok\t')).args).toEqual(['ws', 'tokens']);
    expect((await shell.enter('dtp ws list > out.json --outp\t')).args.at(-1)).toMatch(/^--output/);
    expect((await shell.enter('dtp artifacts tags list > tw\t')).args).toEqual(['artifacts', 'tags', 'list']);
  });
});

/** Aliases are only completed when typed. A word that only one shell could complete is offered by no shell. */
const group = ['workspace-things'];
const tree = command({
  flags: [flag({ name: '--loud', type: 'boolean', help: "tell: it's [all] of $HOME and `more`" })],
  commands: [
    command({
      words: group,
      aliases: ['ws', 'wt'],
      summary: 'Things: "quoted"',
      commands: [
        command({
          words: [...group, 'show'],
          aliases: ['view'],
          arguments: [argument({ name: 'what' })],
          flags: [flag({ name: '--deep', value: 'level', help: 'how: deep' })],
        }),
        command({
          words: [...group, 'paint'],
          arguments: [argument({ name: 'colour', choices: ['red', 'green'] })],
        }),
      ],
    }),
    command({ words: ['qq-hidden'], isHidden: true }),
  ],
});

test.skipIf(whyNot('zsh') !== undefined)('zsh with the script sourced, not found by name', async () => {
  const { folder, remove } = home();
  const shell = await openShell('zsh', folder);
  try {
    for (const how of [
      `source ${committed}/_dtp`,
      `cd ${committed} && . ./_dtp`,
      `source <(cat ${committed}/_dtp)`,
      `eval "$(cat ${committed}/_dtp)"`,
    ]) {
      shell.type(`compdef -d dtp; unfunction _dtp; ${how}\r`);
      expect((await shell.enter('dtp ws tok\t')).args).toEqual(['ws', 'tokens']);
    }
  } finally {
    await shell.close();
    remove();
  }
});

describe.each(shellNames)('%s, with another tree', (name) => {
  const isAbsent = whyNot(name) !== undefined;
  const { folder, remove } = home();
  let shell: Shell;
  beforeAll(async () => {
    if (isAbsent) return;
    const scripts = join(folder, 'scripts');
    mkdirSync(scripts);
    writeFileSync(join(scripts, 'dtp.bash'), completionScript('bash', tree));
    writeFileSync(join(scripts, '_dtp'), completionScript('zsh', tree));
    writeFileSync(join(scripts, 'dtp.fish'), completionScript('fish', tree));
    shell = await openShell(name, folder, scripts);
  });
  afterAll(async () => {
    await shell?.close();
    remove();
  });

  test.skipIf(isAbsent).each([
    ['dtp wo', ['workspace-things']],
    ['dtp w', ['workspace-things']],
    ['dtp wt', ['wt']],
    ['dtp ws pa', ['ws', 'paint']],
    ['dtp wt vie', ['wt', 'view']],
    ['dtp wt view --de', ['wt', 'view', '--deep']],
    ['dtp ws paint gr', ['ws', 'paint', 'green']],
    ['dtp workspace-things paint red gr', ['workspace-things', 'paint', 'red', 'gr']],
    ['dtp --lo', ['--loud']],
    ['dtp qq', ['qq']],
  ])('%s', async (typed, args) => {
    expect((await shell.enter(`${typed}\t`)).args).toEqual(args);
  });

  // bash shows words only.
  if (!name.startsWith('bash'))
    test.skipIf(isAbsent)('descriptions are displayed unchanged', async () => {
      shell.type('dtp --\t\t');
      await shell.see("tell: it's [all] of $HOME and `more`");
      await shell.clear();
    });
});

test.skipIf(whyNot('fish') !== undefined)('fish does not offer a file as the home folder of a user', () => {
  const { folder, remove } = home();
  for (const name of ['~root', '~x y', 'plain']) writeFileSync(join(folder, name), '');
  const script = 'source $argv[1]; __dtp_files $argv[2]; echo end';
  const offered = (typed: string) =>
    execFileSync('fish', ['-N', '-c', script, join(committed, 'dtp.fish'), typed], {
      cwd: folder,
      encoding: 'utf8',
      env: { HOME: folder, PATH: process.env.PATH },
    }).split('\n');
  expect(offered('')).toEqual(expect.arrayContaining(['./~root', './~x y', 'plain']));
  expect(offered('none')).toEqual(['end', '']);
  // To fish, the word on the command line is a home folder.
  expect(offered('~roo').join()).toMatch(/^~root/);
  remove();
});
