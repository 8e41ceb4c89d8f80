/** A printed command means the same when it is pasted, whatever the strings in it are and wherever they come from. */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { showingOf } from '../../src/commands/service/page-showing.ts';
import { readLine } from '../../src/tree/line.ts';
import { hastyClock } from '../support/clocks.ts';
import { dtp, temporaryFolder } from '../support/context.ts';
import { service } from '../support/function-service.ts';
import { healthyResponse } from '../support/hints/run.ts';
import { base, type PastedPlace } from '../support/pasted-answers.ts';
import { pastedPlaces } from '../support/pasted-places.ts';
import { isUnprintable, pastedStrings } from '../support/pasted-strings.ts';
import { pastingShells } from '../support/pasting.ts';
import { randomOf } from '../support/random.ts';

interface Printed {
  readonly place: string;
  readonly text: string;
  readonly line: string;
}

/** The commands in what a command printed: those of a JSON error, those at the end of its hint, and those of notes. */
function commandsIn(stderr: string): readonly string[] {
  const texts = stderr.split('\n').flatMap((line) => {
    if (!line.startsWith('{"error"')) return [line];
    const { hint = '', next = [] } = JSON.parse(line).error;
    return [hint, ...next.map(({ command }: { readonly command: string }) => `: ${command}`)];
  });
  return texts.flatMap((text) => {
    const [, command] = /(?:^|: )((?:dtp|chmod) .*)$/.exec(text) ?? [];
    const [, flag] = / (--(?:page-token|include)[ =].*)$/.exec(text) ?? [];
    return command ?? (flag === undefined ? [] : `dtp ${flag}`);
  });
}

async function printedIn(place: PastedPlace, text: string): Promise<readonly Printed[]> {
  const home = temporaryFolder();
  place.prepare?.(text, home);
  const { openSend } = service((request) => place.answer?.(text, request) ?? healthyResponse(request));
  const selected = { DTP_BASE_URL: base, DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' };
  const { code, stderr } = await dtp(place.argv(text), {
    home,
    cwd: place.cwd?.(text, home) ?? home,
    openSend,
    clock: hastyClock,
    own: 'w_1',
    ...place.world,
    env: { ...(!place.isBare && selected), NO_COLOR: '1', DTP_ERROR_FORMAT: 'json', ...place.env?.(text) },
  });
  if (code === 1) throw new Error(`${place.name} with ${JSON.stringify(text)}: ${stderr}`);
  return commandsIn(stderr).map((line) => ({ place: place.name, text, line }));
}

/** A folder with the program `dtp`, which records its arguments, and with files that a pattern would find. */
function folderWith(program: string): { readonly cwd: string; readonly bin: string } {
  const cwd = temporaryFolder();
  const bin = join(cwd, 'bin');
  mkdirSync(bin);
  for (const name of ['--base-url=x', '-y', 'a', 'a1', 'b', 'FILE']) writeFileSync(join(cwd, name), '');
  for (const name of ['dtp', 'chmod', 'curl']) {
    writeFileSync(join(bin, name), program);
    chmodSync(join(bin, name), 0o755);
  }
  return { cwd, bin };
}

const recorder = `#!/bin/sh\n{ printf '%s\\0' "$#" "\${0##*/}" "$@"; } >> "$CALLS"\n`;

/** Pastes lines into a shell. Returns the words of each program that it has run. */
function paste(argv: readonly string[], lines: readonly string[]): readonly (readonly string[])[] {
  const { cwd, bin } = folderWith(recorder);
  const [program = '', ...flags] = argv;
  const calls = join(cwd, 'calls');
  writeFileSync(join(cwd, 'script'), `${lines.join('\n')}\n`);
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: cwd, CALLS: calls };
  execFileSync(program, [...flags, join(cwd, 'script')], { cwd, env });
  const all = readFileSync(calls, 'utf8').split('\0').slice(0, -1);
  const found: string[][] = [];
  for (let at = 0; at < all.length; at += Number(all[at]) + 2) found.push(all.slice(at + 1, at + 2 + Number(all[at])));
  return found;
}

const isInstalled = (program: string): boolean => spawnSync(program, ['-c', 'exit 0']).error === undefined;
const shells = pastingShells.filter(({ argv: [program] }) => {
  if (isInstalled(program)) return true;
  process.stdout.write(`${program} is not installed, so nothing is pasted into it\n`);
  return false;
});

/** The words of a pasted command that contain the string, or stand for it. */
function faultIn(argv: readonly string[], { place, text }: Printed, plain: readonly (readonly string[])[]) {
  const { roles } = readLine(argv.slice(1));
  const urls = argv.slice(1).filter((word, at) => {
    const role = roles[at];
    return role !== undefined && 'flag' in role && role.flag.name === '--base-url' && word !== '--base-url';
  });
  if (urls.some((url) => ![base, 'URL'].includes(url))) return `sends the key to ${urls}`;
  const isFixed = (words: readonly string[]) => words.join('\0') === argv.join('\0');
  if (plain.some(isFixed) || isFixed(['dtp', 'config', 'explain']) || argv.at(-1) === '--help') return undefined;
  const carriers = plain.flat().filter((word) => word.includes(mark));
  const whole = carriers.map((word) => word.replaceAll(mark, () => text));
  const isWhole = (word: string) =>
    word.endsWith(`/${text}/.dtp.json`) ||
    word === `./${text}` ||
    whole.some((one) => word === one || word.endsWith(`=${one}`) || (/^-\w/.test(word) && word.slice(2) === one));
  if (argv.some(isWhole) || argv.some((word) => /(^|=)(VALUE|COMMAND)$/.test(word))) return undefined;
  return `${place}: ${JSON.stringify(text)} is not one word of ${JSON.stringify(argv)}`;
}

const mark = 'plain1';
const perPlace = 24;

test('a command that is pasted has the words that were meant, in every place and every shell', async () => {
  const random = randomOf(11);
  const printed: Printed[] = [];
  const plain = new Map<string, readonly Printed[]>();
  for (const place of pastedPlaces) {
    const own = await printedIn(place, mark);
    expect(own.map(({ line }) => line).join('\n'), place.name).toContain(mark);
    plain.set(place.name, own);
    const some = pastedStrings.filter((text) => place.takes?.(text));
    for (let count = 0; count < perPlace; count++)
      printed.push(...(await printedIn(place, some[Math.floor(random() * some.length)] ?? '')));
  }
  const lines = printed.map(({ line }) => line);
  const read = shells.map(({ argv }) => paste(argv, lines));
  for (const [at, { name }] of shells.entries())
    expect(read[at], `${name} reads what ${shells[0]?.name} reads`).toEqual(read[0]);
  expect(read[0]).toHaveLength(lines.length);
  const words = new Map<string, readonly (readonly string[])[]>();
  for (const [name, own] of plain)
    words.set(
      name,
      paste(
        ['dash'],
        own.map(({ line }) => line),
      ),
    );
  const faults = printed.flatMap((one, at) => faultIn(read[0]?.[at] ?? [], one, words.get(one.place) ?? []) ?? []);
  process.stdout.write(
    `commands printed: ${lines.length}, in ${pastedPlaces.length} places; shells: ${shells.length}\n`,
  );
  expect(faults).toEqual([]);
}, 600_000);

test('a curl command that is pasted sends the body and the headers that were meant', async () => {
  const some = pastedStrings.filter((text) => text !== '' && !text.includes('\0') && !/\p{Cs}/u.test(text));
  const typed: string[] = [];
  const lines: string[] = [];
  for (const text of some) {
    const argv = ['api', '-X', 'POST', '/v1/x', `--raw-field=name=${text}`, '--header=x-note: a', '--curl'];
    const { code, stdout } = await dtp(argv, { env: { DTP_BASE_URL: base, DTP_API_KEY: 'k-1' } });
    if (code !== 0) continue;
    typed.push(text);
    lines.push(stdout.trim());
  }
  expect(typed.length).toBeGreaterThan(250);
  for (const { name, argv } of shells) {
    const sent = paste(argv, lines).map((words) => JSON.parse(words[words.indexOf('--data-binary') + 1] ?? ''));
    expect(sent, name).toEqual(typed.map((one) => ({ name: one })));
  }
}, 600_000);

test('a command that the page shows can be pasted', () => {
  const texts = pastedStrings.filter(
    (text) => !isUnprintable(text) && !['', '.', '..', '--'].includes(text) && !/^--?[vy]/.test(text),
  );
  const lines = texts.flatMap((text) => {
    const url = `${base}/v1/artifacts/namespaces/${encodeURIComponent(text)}/tags`;
    const shown = showingOf('key').commands({ method: 'GET', url, headers: {} });
    return shown.filter(({ name }) => name === 'dtp').map(({ line }) => line);
  });
  for (const { name, argv } of shells) {
    const words = paste(argv, lines).map((one) => one.filter((word) => word !== '--'));
    expect(words, name).toEqual(texts.map((text) => ['dtp', 'artifacts', 'tags', 'list', text]));
  }
});

/** Listens on loopback, and counts the requests. */
async function listen(answer: (path: string) => unknown) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer(request.url ?? '')));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, close: () => server.close() };
}

test('no command that is pasted sends anything to another service', async () => {
  const other = await listen(() => []);
  const texts = pastedStrings
    .filter((text) => text.includes('--base-url=') && !text.includes('\0') && !/\p{Cs}/u.test(text))
    .map((text) => text.replaceAll('http://evil.test', other.url))
    .slice(0, 8);
  let text = '';
  const own = await listen((path) =>
    path.endsWith('/workspaces') ? [text, 'w_2'].map((id) => ({ id, name: 'twice' })) : [],
  );
  const tool = `#!/bin/sh\nexec '${process.execPath}' '${resolve(import.meta.dirname, '../../bin/dtp.cjs')}' "$@"\n`;
  const { cwd, bin } = folderWith(tool);
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: cwd, DTP_BASE_URL: own.url, DTP_API_KEY: 'k-1' };
  const run = (file: string, argv: readonly string[]) =>
    new Promise<string>((done) => {
      execFile(file, argv, { cwd, env }, (_error, _stdout, stderr) => done(stderr));
    });
  const lines: string[] = [];
  for (text of texts)
    for (const argv of [
      ['ws', 'get', '-w', 'twice'],
      ['events', 'get', '--error-format=json', '-w', 'w_2', '--', text],
      ['ws', 'tokns', 'list', '--', text],
      ['config', 'use', '--', text],
    ])
      lines.push(...commandsIn(await run(join(bin, 'dtp'), argv)));
  expect(lines.length).toBeGreaterThan(16);
  own.requests.length = 0;
  for (const { argv } of shells) {
    const [program = '', ...flags] = argv;
    writeFileSync(join(cwd, 'script'), `${lines.join('\n')}\n`);
    await run(program, [...flags, join(cwd, 'script')]);
  }
  expect([other.requests, own.requests.length > 20]).toEqual([[], true]);
  await run(join(bin, 'dtp'), ['ws', 'list', `--base-url=${other.url}`]);
  expect(other.requests).toHaveLength(1);
  own.close();
  other.close();
}, 600_000);
