/** Runs a command in a state, then each command that it suggests, each in a copy of that state. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { readLine } from '../../../src/cli/suggest/command-line.ts';
import { ExitCode } from '../../../src/errors.ts';
import { harmOf } from '../../../src/operations/effect.ts';
import { allOperations } from '../../../src/operations/index.ts';
import { findTemplate } from '../../../src/operations/paths.ts';
import type { HttpRequest } from '../../../src/request/http.ts';
import { openSend as openRealSend } from '../../../src/transport/send.ts';
import { wordsOf } from '../../../src/tree/nouns.ts';
import { type Reply, service } from '../answering.ts';
import { dtp, type Ended, hastyClock, type World, wallClock } from '../context.ts';
import { programOf } from '../program.ts';
import { commandsIn, shellWords } from './extract.ts';

export { openRealSend };

export const base = 'https://api.example.test';

/** A credential, a workspace and a repository, all in variables. */
export const complete = {
  DTP_BASE_URL: base,
  DTP_API_KEY: 'k-1',
  DTP_WORKSPACE_ID: 'w_1',
  DTP_ORGANIZATION_SLUG: 'acme',
  DTP_WORKSPACE_SLUG: 'main',
} as const;

export interface Place {
  readonly home: string;
  readonly cwd: string;
}

/** The state in which a command prints hints. */
export interface State {
  readonly name: string;
  /** The command line, or its words. */
  readonly line: string | readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly world?: World;
  /** Makes files in the home and the working folder. */
  readonly prepare?: (place: Place) => void | Promise<void>;
  /** The answer while the state lasts. If it returns undefined, the service is well. */
  readonly answer?: (request: HttpRequest) => Reply | Error | undefined;
  /** The answer to what is suggested, if the service recovers or the user did what the hint says. */
  readonly later?: (request: HttpRequest) => Reply | Error | undefined;
  /** Works in the home folder. */
  readonly inHome?: true;
  /** Ends with Ctrl-C. */
  readonly lasts?: true;
  /** Uses the real network on loopback. */
  readonly isReal?: true;
  /** Values for placeholders, in addition to the usual ones. */
  readonly fill?: Readonly<Record<string, string>>;
}

const record = {
  id: 'x_1',
  name: 'x',
  slug: 'x',
  email: 'ann@example.com',
  job_id: 'j_1',
  status: 'done',
  url: 'https://x.example/1',
  short_url: 'https://x.example/2',
  auth_token: 't-1',
  access_token: 't-1',
  workspace_id: 'w_1',
  workspace_slug: 'main',
  org_slug: 'acme',
  digest: `sha256:${'a'.repeat(64)}`,
  generation_allowed: true,
};

/** The answer of a service that is well. */
export function wellAnswer({ method, url }: HttpRequest): Reply {
  const { pathname } = new URL(url);
  const operation = findTemplate(pathname.split('/'))?.operations.get(method);
  const json = { 'content-type': 'application/json' };
  if (!operation) return [200, record, json];
  const { result, rows } = operation;
  if (result === 'none') return [204];
  if (result === 'text') return [200, 'text'];
  const one = operation.id === 'getWorkspaces' ? { ...record, id: 'w_1' } : record;
  if (result === 'list') return [200, rows === undefined ? [one] : { [rows]: [one] }, json];
  return [200, rows === undefined ? one : { ...one, [rows]: [one] }, json];
}

const program = programOf();

/** What a person would type for a placeholder. */
const usual: Readonly<Record<string, string>> = {
  ID: 'w_1',
  URL: base,
  FILE: 'sample.html',
  NAME: 'acme',
  REF: 'pets:v1',
  VALUE: 'w_1',
  STRING: 'acme',
  NUMBER: '3',
  TIME: '5s',
  FORMAT: 'json',
  EXPRESSION: '@',
  FOLDER: '.',
  'NAME=VALUE': 'name=x',
  'VALID-UNTIL': '2030-01-01T00:00:00Z',
  JSON: '{}',
  TOPIC: 'formats',
  PATH: '/v1/user',
  SHELL: 'bash',
};

const filled = (word: string, fill: Readonly<Record<string, string>>, before = ''): string => {
  const named = before.startsWith('--') ? usual[before.slice(2).toUpperCase()] : undefined;
  const key = word.replace(/^@/, '');
  if (!/^@?[A-Z][A-Z=-]*$/.test(word)) return word;
  const value = fill[key] ?? (before.startsWith('--') ? named : undefined) ?? usual[key] ?? 'x_1';
  return word.startsWith('@') ? `@${value}` : value;
};

export interface Followed {
  readonly command: string;
  readonly ended: Ended;
  /** What is wrong. */
  readonly fault?: string;
}

export interface Outcome {
  readonly state: State;
  readonly ended: Ended;
  readonly followed: readonly Followed[];
}

export async function follow(state: State): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'dtp-hints-'));
  try {
    const place = { home: join(folder, 'home'), cwd: join(folder, 'home', 'work') };
    mkdirSync(place.cwd, { recursive: true });
    writeFileSync(join(place.cwd, 'sample.html'), '<title>a sample</title>');
    writeFileSync(
      join(place.cwd, 'openapi.yaml'),
      'openapi: 3.1.0\ninfo: { title: Pets, version: 1.0.0 }\npaths: {}\n',
    );
    await state.prepare?.(place);
    const argv = typeof state.line === 'string' ? shellWords(state.line) : state.line;
    const signal = state.lasts && { signal: ctrlCSoon(), clock: wallClock };
    const ended = await run(state, place, argv, state.answer, signal || {});
    const printed = plain(ended.stderr) + (argv[0] === 'doctor' ? ended.stdout : '') + spokenIn(argv, ended);
    const text = `${plain(ended.stderr)}\n${ended.stdout}\n${spokenIn(argv, ended)}`;
    const followed: Followed[] = [];
    for (const command of commandsIn(printed)) {
      const copy = mkdtempSync(join(tmpdir(), 'dtp-hints-'));
      try {
        // The same path, because messages and stored values contain it.
        cpSync(place.home, join(copy, 'home'), {
          recursive: true,
          verbatimSymlinks: true,
          preserveTimestamps: true,
        });
        followed.push(await followOne(state, place, command));
        rmSync(place.home, { recursive: true, force: true });
        cpSync(join(copy, 'home'), place.home, {
          recursive: true,
          verbatimSymlinks: true,
          preserveTimestamps: true,
        });
      } finally {
        rmSync(copy, { recursive: true, force: true });
      }
    }
    return { state, ended: { ...ended, stderr: text }, followed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the tools of `dtp mcp` returned: strings in JSON, which often contain JSON again. */
function spokenIn([command]: readonly string[], { stdout }: Ended): string {
  if (command !== 'mcp') return '';
  const texts = stdout
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line): readonly string[] =>
      (JSON.parse(line).result?.content ?? []).map((one: { readonly text: string }) => one.text),
    );
  return texts
    .map((text) => `${text.startsWith('{"error"') ? (JSON.parse(text).error.hint ?? '') : text}\n`)
    .join('');
}

/** The output without colors, and without a spinner in front of a line. */
const plain = (text: string): string =>
  stripVTControlCharacters(text).replace(/^.*?(?= {2}(next|try): dtp )/gm, '');

async function run(
  state: State,
  { home, cwd }: Place,
  argv: readonly string[],
  answer: State['answer'],
  more: World = {},
): Promise<Ended> {
  const { openSend } = service((request) => (answer?.(request) as Reply | undefined) ?? wellAnswer(request));
  return dtp(argv, {
    home,
    cwd: state.inHome ? home : cwd,
    openSend: state.isReal ? async (options) => openRealSend(options) : openSend,
    clock: hastyClock,
    columns: 5000,
    openBrowser: async () => undefined,
    spawn: async () => 0,
    ...(state.env?.DTP_API_KEY === 'k-1' && { own: 'w_1' }),
    ...state.world,
    ...more,
    env: { NO_COLOR: '1', DTP_ERROR_FORMAT: 'text', ...state.env, ...more.env },
  });
}

/** Whether a person must confirm the command, which the suggestion cannot do. */
function isConfirmed(words: string): boolean {
  const operation = allOperations.find((one) => one.command.join(' ') === words);
  return operation
    ? harmOf(operation) !== undefined
    : /^(config (trust|delete)|events queue drop)$/.test(words);
}

async function followOne(state: State, place: Place, command: string): Promise<Followed> {
  const [line = '', file] = command.split(' < ');
  const [, ...typed] = shellWords(line.replace(/ [|>] .*$/, ''));
  const argv = typed.map((word, at) => filled(word, state.fill ?? {}, typed[at - 1]));
  const { command: found, argv: read } = readLine(program, argv);
  const words = wordsOf(found).join(' ');
  if (isConfirmed(words) && !read.includes('--help')) argv.push('--yes');
  let stdin = file === undefined ? undefined : 'k-2\n';
  // A person types the credential at a prompt, and chooses what to set up.
  if (words === 'auth login' && stdin === undefined) {
    if (!argv.includes('--with-token')) argv.push('--with-token');
    stdin = 'k-2\n';
  }
  if (words === 'init' && argv.length === 1) argv.push('--local');
  if (words === 'init' && argv.includes('--with-token')) stdin = 'k-2\n';
  const lasts = /^(serve|events tail|mcp)$/.test(words) || argv.some((word) => word.startsWith('--watch'));
  const signal = lasts ? ctrlCSoon() : undefined;
  const ended = await run(state, place, argv, state.later ?? state.answer, {
    ...(stdin !== undefined && { stdin }),
    // A clock that does not wait would never let the signal abort.
    ...(signal && { signal, clock: wallClock }),
    tty: false,
  });
  const fault = faultOf(words, ended, lasts);
  return { command, ended, ...(fault !== undefined && { fault }) };
}

/** Presses Ctrl-C after a moment. */
function ctrlCSoon(): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new ExitCode(130)), 300);
  return controller.signal;
}

/** These report what is wrong with their exit code, which is their success. */
const reporting = /^(doctor|auth status)$/;

function faultOf(words: string, { code, stdout, stderr }: Ended, lasts: boolean): string | undefined {
  if (code === 0) return undefined;
  if (reporting.test(words) && stdout !== '' && code !== 2) return undefined;
  if (lasts && code !== 2) return undefined;
  return `exit code ${code}: ${stderr.trim()}`;
}
