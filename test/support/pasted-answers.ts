/** The places of a service's answer from which a string can come into a printed command. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DtpError } from '../../src/errors.ts';
import type { HttpRequest } from '../../src/request/http.ts';
import type { World } from './context.ts';
import type { Reply } from './function-service.ts';

export const base = 'https://api.example.test';

export interface PastedPlace {
  readonly name: string;
  readonly argv: (text: string) => readonly string[];
  readonly answer?: (text: string, request: HttpRequest) => Reply | DtpError | undefined;
  /** Writes files below the home folder. */
  readonly prepare?: (text: string, home: string) => void;
  readonly env?: (text: string) => Readonly<Record<string, string>>;
  readonly cwd?: (text: string, home: string) => string;
  /** Whether no variable selects a service. */
  readonly isBare?: true;
  readonly world?: World;
  /** Which strings can be there at all. */
  readonly takes?: (text: string) => boolean;
}

export const json = { 'content-type': 'application/json' };
export const missing = (): Reply => [404, { message: 'not found' }, json];
export const away = () => new DtpError('network', 'away', { retryable: true });
const terminal: World = { tty: true, columns: 20_000 };
export const isList = ({ method, url }: HttpRequest, end: string): boolean =>
  method === 'GET' && new URL(url).pathname.endsWith(end);

export const answered: readonly PastedPlace[] = [
  {
    name: 'the ids of two things with the same name',
    argv: () => ['ws', 'get', '-w', 'twice'],
    answer: (text, request) =>
      isList(request, '/workspaces') ? [200, [text, 'w_2'].map((id) => ({ id, name: 'twice' })), json] : undefined,
    env: () => ({ DTP_WORKSPACE_ID: '' }),
  },
  {
    name: 'a name that is similar',
    argv: (text) => ['ws', 'tokens', 'delete', '--yes', '--', `${text}deploi`],
    answer: (text, request) =>
      isList(request, '/tokens') ? [200, [{ id: 't_1', name: `${text}deploy` }], json] : missing(),
  },
  {
    name: 'the id of a new workspace',
    argv: () => ['ws', 'create', '--name', 'pets', '--organization-id', 'o_1'],
    answer: (id, { method }) => (method === 'POST' ? [200, { id, name: 'pets' }, json] : undefined),
    world: terminal,
  },
  {
    name: 'the id of a new job',
    argv: () => [
      'code-samples',
      'jobs',
      'create',
      '--schema-file',
      'openapi.yaml',
      '--language',
      'go',
      '--wait',
      '--wait-timeout',
      '1ms',
    ],
    prepare: (_, home) => writeFileSync(join(home, 'openapi.yaml'), 'openapi: 3.1.0'),
    answer: (job_id, { method }) => (method === 'POST' ? [202, { job_id }, json] : [202, { status: 'running' }, json]),
  },
  {
    name: 'the id of an event that is chosen',
    argv: () => ['events', 'get'],
    answer: (id, request) => (isList(request, '/events') ? [200, [{ id, interaction_type: 'LINT' }], json] : undefined),
    world: { ...terminal, answers: () => '1' },
    env: () => ({ TERM: 'dumb' }),
  },
  {
    name: 'the id of a workspace and a token that are chosen',
    argv: () => ['ws', 'tokens', 'delete'],
    answer: (text, request) =>
      isList(request, '/workspaces') || isList(request, '/tokens') ? [200, [{ id: text, name: 'one' }], json] : [204],
    world: { ...terminal, answers: (prompt) => (prompt.includes('y/N') ? 'y' : '1') },
    env: () => ({ TERM: 'dumb', DTP_WORKSPACE_ID: '' }),
  },
  {
    name: 'the ids in the events of a run that failed',
    argv: () => ['codehost', 'actions', 'get', '--org=acme', '--repo=pets', '--watch'],
    answer: (text, request) =>
      isList(request, '/events')
        ? [
            200,
            [
              {
                id: 'e',
                gh_action_run_link: 'https://x.test/1',
                error: 'no',
                execution_id: text,
                generate_gen_lock_id: text,
              },
            ],
            json,
          ]
        : isList(request, '/action')
          ? [200, { run_url: 'https://x.test/1', run_status: 'failure' }, json]
          : undefined,
  },
  {
    name: 'a lock id that was probably meant',
    argv: (text) => [
      ...['codehost', 'actions', 'trigger', '--org=acme', '--repo-name=pets'],
      ...[`--gen-lock-id=${text}lock-1`, '--wait'],
    ],
    answer: (text, request) =>
      isList(request, '/targets')
        ? [200, [{ generate_gen_lock_id: `${text}lock-2` }], json]
        : isList(request, '/action')
          ? [200, { run_url: `https://x.test/${Math.random()}`, run_status: 'failure' }, json]
          : undefined,
  },
  {
    name: 'the token of the next page',
    argv: () => ['artifacts', 'revisions', 'list', 'pets'],
    answer: (text, request) =>
      isList(request, '/revisions') ? [200, { items: [], next_page_token: text }, json] : undefined,
    world: terminal,
  },
  {
    name: 'a name in an error of the service',
    takes: (text) => !/[:@]/.test(text),
    argv: (text) => ['artifacts', 'manifests', 'get', '--', text, 'v123'],
    answer: (text, { url }) =>
      url.includes('/manifests/')
        ? [422, { message: `namespace ${text} has no tag v123: not found` }, json]
        : undefined,
  },
];
