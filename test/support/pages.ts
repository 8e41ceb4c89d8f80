/** The commands of the documents, run in the order of the page, in a terminal or a pipe, with an empty HOME. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { serve } from './process.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

/** A command of a page, and the output that the page shows below it. */
export interface PageStep {
  readonly line: string;
  readonly shown: string;
}

/** What a command printed, and its exit code. */
export interface RunStep {
  readonly text: string;
  readonly code: number;
}

/** Where the documents say that their user is, and which service and key they have. */
const [home, address, key] = ['/home/me', '127.0.0.1:8080', 'key.txt'];

const block = /^```(console|sh)\n(.*?)^```$/gms;

/** The steps of a page: all commands of console blocks, and those of sh blocks that start with dtp. */
export const stepsOf = (page: string): readonly PageStep[] =>
  [...page.matchAll(block)].flatMap(([, language, body = '']) =>
    language === 'console'
      ? [...body.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)].map(([, line = '', shown = '']) => ({ line, shown }))
      : [...body.matchAll(/^dtp .*/gm)].map(([line]) => ({ line, shown: '' })),
  );

/** The page with what its commands printed. */
export function pageWith(page: string, ran: readonly RunStep[]): string {
  let at = 0;
  return page.replace(block, (whole, language: string, body: string) => {
    if (language === 'sh') {
      at += [...body.matchAll(/^dtp /gm)].length;
      return whole;
    }
    const lines = [...body.matchAll(/^\$ .*$/gm)].map(([line]) => `${line}\n${ran[at++]?.text ?? ''}`);
    return `\`\`\`console\n${lines.join('')}\`\`\``;
  });
}

/** Replaces what differs between runs: ids, keys, digests, times, sizes and ports. */
export const fixedPage = (text: string): string =>
  text
    .replace(/https?:\/\/\S+|local:\S+/g, 'URL')
    .replace(/\bdtp_\w+|\b[0-9a-f]{8}(?:[0-9a-f-]*[0-9a-f])?\b/g, 'ID')
    .replace(/\d{4}-\d\d-\d\d(?:[T ][\d:.]+Z?)?/g, 'TIME')
    .replace(/just now|\d+ s ago|\d+ min ago/g, 'TIME')
    .replace(/[\d.,]+ (?:ms|s|min|bytes|kB)\b/g, 'N')
    .replace(/ {2,}/g, ' ');

/** Runs the steps in one shell. A terminal has 100 columns. */
export async function runPage(steps: readonly PageStep[], isTerminal: boolean): Promise<readonly RunStep[]> {
  const folder = mkdtempSync('/tmp/dtp-pages-');
  const own = join(folder, 'home');
  mkdirSync(own);
  const service = await serve(join(folder), ['--ephemeral']);
  try {
    mkdirSync(join(folder, 'bin'));
    const shim = join(folder, 'bin/dtp');
    writeFileSync(shim, `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'bin/dtp.cjs')}' "$@"\n`);
    chmodSync(shim, 0o755);
    const keyFile = join(folder, key);
    writeFileSync(keyFile, service.key);
    const real = service.address.replace('http://', '');
    const script = steps.map(({ line }, at) => {
      const typed = line.replaceAll(address, real).replaceAll(key, keyFile);
      return `printf '@@${at}\\n'; ${typed}\nprintf '@@end %d\\n' $?`;
    });
    writeFileSync(join(folder, 'steps.sh'), `cd '${own}'\n${script.join('\n')}\n`);
    const env = { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, HOME: own, LANG: 'C.UTF-8', TZ: 'UTC' };
    const text = isTerminal ? await inTerminal(folder, env) : await inPipe(folder, env);
    return steps.map((_, at) => {
      const [, printed = '', code = '-1'] = new RegExp(`^@@${at}\\n(.*?)@@end (\\d+)$`, 'ms').exec(text) ?? [];
      const seen = printed.replaceAll(own, home).replaceAll(real, address).replaceAll(keyFile, key);
      return { text: seen.replace(/[ \t]+$/gm, '').replace(/\n*$/, printed === '' ? '' : '\n'), code: Number(code) };
    });
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

async function inPipe(folder: string, env: Readonly<Record<string, string>>): Promise<string> {
  await run('bash', ['-c', `bash '${folder}/steps.sh' >'${folder}/out' 2>&1 </dev/null`], { env });
  return readFileSync(join(folder, 'out'), 'utf8');
}

async function inTerminal(folder: string, env: Readonly<Record<string, string>>): Promise<string> {
  const tmux = async (...argv: readonly string[]) =>
    (await run('tmux', ['-S', join(folder, 'tmux'), '-u', ...argv], { encoding: 'utf8', maxBuffer: 1 << 26 })).stdout;
  const words = Object.entries({ ...env, TERM: 'xterm-256color' }).map(([name, value]) => `${name}='${value}'`);
  const line = `env -i ${words.join(' ')} bash '${folder}/steps.sh'; tmux -S '${folder}/tmux' wait-for -S ended; cat`;
  await tmux('-f', '/dev/null', 'new-session', '-d', '-x', '100', '-y', '2000', '-s', 'page', line);
  await tmux('wait-for', 'ended');
  const text = await tmux('capture-pane', '-p', '-J', '-t', 'page');
  await tmux('kill-server');
  return text;
}
