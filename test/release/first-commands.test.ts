/**
 * The commands that a newcomer tries first, typed into a terminal: at 80 and 120 columns, with and without
 * color, and piped.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { home } from '../support/process.ts';

const hasTmux = (() => {
  try {
    return execFileSync('tmux', ['-V'], { encoding: 'utf8' }).startsWith('tmux');
  } catch {
    return false;
  }
})();
if (!hasTmux) process.stderr.write('skipped: tmux is not installed, so there is no terminal to type into\n');

const { folder, remove } = home();
/** What is typed, its exit code, and what a person looks for. */
const steps: readonly (readonly [line: string, code: number, ...shown: readonly RegExp[]])[] = [
  ['dtp', 0, /^Start:/m, /^ {2}auth +Log in/m],
  ['dtp --version', 0, /^\d+\.\d+\.\d+$/m],
  ['dtp ws', 2, /Commands:/, /needs a command/],
  ['dtp ws list', 0, /^NAME +SLUG +ID/m, /just now|min ago/],
  ['dtp ws current', 0, /^ {2}Name +Default$/m],
  [
    'dtp workspaces tokens create --name ci',
    0,
    /^✔ Created token ci \([0-9a-f]{8}\)$/m,
    /^ {2}\S{40,}$/m,
    /dtp ws tokens list -o json$/m,
  ],
  ['dtp tokens ls', 0, /^ci +[0-9a-f]{8} /m],
  ['dtp events post --interaction-type CI_EXEC --no-success', 0, /^✔ Delivered 1 event /m],
  ['dtp events search', 0, /^✘ just now +CI_EXEC$/m],
  ['dtp events search --chart', 0, /▒+ +1, 1 failed/],
  ['dtp artifacts push openapi.yaml --namespace pets', 0, /^✔ Pushed pets:latest {2}1 file, /m],
  ['dtp artifacts tags list pets', 0, /^latest +sha256:/m],
  ['dtp artifacts pull pets -O copy', 0, /^✔ Pulled pets to .* 1 file, /m],
  ['dtp doctor', 0, /ok +credential/],
  ['dtp auth status', 0, /^(✔|ok) The embedded service needs no login$/m, /^Workspace +default \(/m],
  ['dtp config explain', 0, /^profile +local +DTP_PROFILE/m],
  ['dtp ws lst', 2, /unknown command "dtp ws lst"/, /try: dtp ws list/],
  ['dtp events search -o jsn', 2, /try: dtp events search -o json/],
  ['dtp ws tokens delete nope --yes', 6, /No token has the id or name "nope"/, /try: dtp ws tokens list/],
  ['dtp ws tokens delete --no-input', 2, /missing argument: TOKEN-ID/, /try: dtp ws tokens delete/],
];

/** Sentences may be longer than a line; tables and pages may not. */
const sentences = /^(error:|✔ | {2}|warning:|[\w.]+: \d+ bytes)/;

describe.skipIf(!hasTmux).each([
  [80, {}],
  [120, {}],
  [80, { NO_COLOR: '1' }],
])('at %i columns with %j', (columns, more) => {
  const work = join(folder, `work-${columns}-${Object.keys(more).length}`);
  const tmux = (...argv: readonly string[]): string =>
    execFileSync('tmux', ['-S', join(work, 'tmux'), '-u', ...argv], { encoding: 'utf8' });

  beforeAll(() => {
    mkdirSync(join(work, 'bin'), { recursive: true });
    const bin = resolve(import.meta.dirname, '../../bin/dtp.cjs');
    writeFileSync(join(work, 'bin/dtp'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`);
    chmodSync(join(work, 'bin/dtp'), 0o755);
    writeFileSync(join(work, 'openapi.yaml'), 'openapi: 3.1.0\ninfo: { title: Pets, version: "1" }\npaths: {}\n');
    const env = {
      HOME: work,
      PATH: `${join(work, 'bin')}:${process.env.PATH}`,
      DTP_PROFILE: 'local',
      ...more,
    };
    const words = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    // -i: without the environment of the tests, such as CI.
    const shell = [
      'env',
      '-i',
      ...words,
      'TERM=xterm-256color',
      'LANG=C.UTF-8',
      'PS1=$ ',
      'bash',
      '--norc',
      '--noprofile',
    ];
    const quoted = shell.map((word) => `'${word}'`).join(' ');
    tmux('-f', '/dev/null', 'new-session', '-d', '-x', String(columns), '-y', '150', '-c', work, quoted);
  });
  afterAll(() => {
    tmux('kill-server');
  });

  let count = 0;
  /** The screen once the command has exited: as plain text, with wrapped lines joined, and with its colors. */
  async function typed(line: string): Promise<{ code: number; text: string; colored: string }> {
    const mark = `ended-${++count}`;
    tmux('send-keys', '-l', `clear; ${line}; echo ${mark} $?`);
    tmux('send-keys', 'Enter');
    const ended = new RegExp(`^${mark} (\\d+)$`, 'm');
    for (;;) {
      const text = tmux('capture-pane', '-p', '-J');
      const [found, code] = ended.exec(text) ?? [];
      if (found === undefined) {
        await new Promise((done) => setTimeout(done, 50));
        continue;
      }
      const colored = tmux('capture-pane', '-p', '-e');
      return { code: Number(code), text: text.slice(0, text.indexOf(found)), colored };
    }
  }

  test('each step shows what is expected, and fits the width', async () => {
    for (const [line, code, ...shown] of steps) {
      const ended = await typed(line);
      expect([line, ended.code, ended.text]).toEqual([line, code, expect.anything()]);
      for (const words of shown) expect(ended.text, line).toMatch(words);
      // A path is never broken.
      for (const one of ended.text.split('\n').map((text) => text.trimEnd()))
        if ((!sentences.test(one) && !one.includes(work)) || line === 'dtp')
          expect(one.length, `${line}\n${one}`).toBeLessThanOrEqual(columns);
      // Bold, faint, red, green and yellow are readable on light and dark backgrounds.
      const codes = ended.colored
        .split(String.fromCharCode(27))
        .slice(1)
        .flatMap((text) => (/^\[([\d;]*)m/.exec(text)?.[1] ?? 'no color').split(';'));
      const plain = ['', '0', '1', '2', '22', '31', '32', '33', '39', '49'];
      expect(
        codes.filter((one) => !plain.includes(one)),
        line,
      ).toEqual([]);
      if ('NO_COLOR' in more)
        expect(
          codes.filter((one) => /^3\d$|^[12]$/.test(one)),
          line,
        ).toEqual([]);
    }
  });

  test('in a pipe the same commands print JSON', async () => {
    for (const line of ['dtp ws list', 'dtp ws current', 'dtp tokens ls', 'dtp events search', 'dtp doctor']) {
      const { code, text } = await typed(`${line} | ${process.execPath} -e 'JSON.parse(fs.readFileSync(0))'`);
      expect([line, code, text.trim()]).toEqual([line, 0, '']);
    }
  });
});

afterAll(remove);
