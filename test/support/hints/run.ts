/** Runs a command in a state, with a service that answers as the state says. */
import { stripVTControlCharacters } from 'node:util';
import { ExitCode } from '../../../src/errors.ts';
import { allOperations } from '../../../src/operations/index.ts';
import { harmOf } from '../../../src/operations/operation.ts';
import { findTemplate } from '../../../src/operations/paths.ts';
import type { HttpRequest } from '../../../src/request/http.ts';
import { openSend as openRealSend } from '../../../src/transport/send.ts';
import { readLine } from '../../../src/tree/line.ts';
import { hastyClock, wallClock } from '../clocks.ts';
import { dtp, type Ended, type World } from '../context.ts';
import { type Reply, service } from '../function-service.ts';
import { shellWords } from './extract.ts';

export { openRealSend };

export const base = 'https://api.example.test';

/** A credential, a workspace and a repository, all in variables. */
export const completeEnv = {
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
  /** Makes files in the home and the current folder. */
  readonly prepare?: (place: Place) => void | Promise<void>;
  /** The answer while the state lasts. If it returns undefined, the service is well. */
  readonly answer?: (request: HttpRequest) => Reply | Error | undefined;
  /** The answer to what is suggested, if the service recovers or the user did what the hint says. */
  readonly later?: (request: HttpRequest) => Reply | Error | undefined;
  /** Works in the home folder. */
  readonly inHome?: true;
  /** Ends with Ctrl-C. */
  readonly lasts?: true;
  /** Uses the real network on loopback, or only for the first command. */
  readonly isReal?: true | 'first';
  /** Values for placeholders, in addition to the usual ones. */
  readonly fill?: Readonly<Record<string, string>>;
  /** The command line to which advice about flags is applied, without what the error rejects. */
  readonly instead?: string;
  /** The error has the exit code of internal errors, such as for a taken port. */
  readonly exits?: 1;
  /** The later reason why the command still fails after advice about flags. */
  readonly fails?: RegExp;
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
export function healthyResponse({ method, url }: HttpRequest): Reply {
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

/** What a person would type for a placeholder. */
export const placeholderValues: Readonly<Record<string, string>> = {
  ID: 'w_1',
  URL: base,
  FILE: 'sample.html',
  NAME: 'acme',
  REF: 'pets:v1',
  'NAMESPACE:TAG': 'pets:v1',
  'OWNER/NAME': 'acme/sdk',
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
  const named = before.startsWith('--') ? placeholderValues[before.slice(2).toUpperCase()] : undefined;
  const key = word.replace(/^@/, '');
  if (!/^@?[A-Z][A-Z=:/-]*$/.test(word)) return word;
  const value = fill[key] ?? (before.startsWith('--') ? named : undefined) ?? placeholderValues[key] ?? 'x_1';
  return word.startsWith('@') ? `@${value}` : value;
};

export interface Followed {
  readonly command: string;
  readonly ended: Ended;
  /** What is wrong. */
  readonly fault?: string;
}

/** The output without colors, and without a spinner in front of a line. */
export const plain = (text: string): string =>
  stripVTControlCharacters(text).replace(/^.*?(?= {2}(next|try): dtp )/gm, '');

export async function run(
  state: State,
  { home, cwd }: Place,
  argv: readonly string[],
  answer: State['answer'],
  more: World = {},
): Promise<Ended> {
  const { openSend } = service((request) => (answer?.(request) as Reply | undefined) ?? healthyResponse(request));
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
  return operation ? harmOf(operation) !== undefined : /^(config (trust|delete)|events queue drop)$/.test(words);
}

export async function followOne(state: State, place: Place, command: string): Promise<Followed> {
  const [line = '', file] = command.split(' < ');
  const [, ...typed] = shellWords(line.replace(/ [|>] .*$/, ''));
  const argv = typed.map((word, at) => filled(word, state.fill ?? {}, typed[at - 1]));
  const { command: found, argv: read } = readLine(argv);
  const words = found.words.join(' ');
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
export function ctrlCSoon(): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new ExitCode(130)), 300);
  return controller.signal;
}

/** These report what is wrong with their exit code, which is their success. */
const reporting = /^(doctor|auth status)$/;

export function faultOf(words: string, { code, stdout, stderr }: Ended, lasts: boolean): string | undefined {
  if (code === 0) return undefined;
  if (reporting.test(words) && stdout !== '' && code !== 2) return undefined;
  if (lasts && code !== 2) return undefined;
  return `exit code ${code}: ${stderr.trim()}`;
}
