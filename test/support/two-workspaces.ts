/** A service on a socket with one workspace for each of its keys, which records the requests. */
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { openSend } from '../../src/transport/send.ts';
import { dtp, type Ended, temporaryFolder, type World } from './context.ts';
import { listening } from './sockets.ts';

export type Reply = readonly [status: number, body?: string | Buffer | undefined];

/** Keys and access tokens, and the workspace of each. */
const owners: Readonly<Record<string, string>> = {
  'k-1': 'w_1',
  'k-2': 'w_2',
  'Bearer t-2': 'w_2',
  'only-a-secret-5ec7e7': 'w_1',
};

export const validateRequestLine = 'GET /v1/auth/validate';

/** The error when the key of `w_1` is used with `-w w_2`. */
export const refusal = 'the credential from DTP_API_KEY belongs to workspace "w_1", but -w selects "w_2"';

export const push = ['artifacts', 'push', 'openapi.yaml', '--namespace', 'pets'];
export const slugs = ['--organization-slug', 'acme', '--workspace-slug', 'slug-of-w_2'];

/** A home with a document to push and a report to upload. */
export function homeWithDocument(): string {
  const home = temporaryFolder();
  const info = '{ title: Pets, version: 1.0.0 }';
  writeFileSync(join(home, 'openapi.yaml'), `openapi: 3.1.0\ninfo: ${info}\npaths: {}\n`);
  writeFileSync(join(home, 'lint.html'), '<title>lint</title>');
  return home;
}

export interface TwoWorkspaces {
  readonly address: string;
  /** Method, path and query of each request since the last call of `reset`. */
  readonly asked: readonly string[];
  readonly reset: () => void;
  /** Runs a command with the key of `w_1`. */
  readonly run: (argv: readonly string[], world: World & { readonly home: string }) => Promise<Ended>;
}

/** `reply` answers everything except validateApiKey. The service is closed after the test. */
export async function twoWorkspaces(
  reply: (line: string) => Reply = () => [200, '{}'],
  validate: (key: string) => Reply | undefined = validated,
): Promise<TwoWorkspaces> {
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    const line = `${request.method} ${request.url}`;
    asked.push(line);
    request.resume().on('end', () => {
      const key = String(request.headers['x-api-key'] ?? request.headers.authorization ?? '');
      const answer = line === validateRequestLine ? validate(key) : reply(line);
      // Without an answer, the service hangs.
      if (answer) response.writeHead(answer[0], { 'content-type': 'application/json' }).end(answer[1]);
    });
  });
  const address = `http://${await listening(server, () => server.closeAllConnections())}`;
  const run: TwoWorkspaces['run'] = (argv, world) =>
    dtp(argv, {
      openSend: async (options) => openSend(options),
      ...world,
      env: { DTP_BASE_URL: address, DTP_API_KEY: 'k-1', DTP_ERROR_FORMAT: 'text', ...world.env },
    });
  return {
    address,
    asked,
    reset: () => {
      asked.length = 0;
    },
    run,
  };
}

function validated(key: string): Reply {
  const workspace_id = owners[key];
  if (workspace_id === undefined) return [401, '{"message":"no such key"}'];
  return [200, JSON.stringify({ workspace_id, org_slug: 'acme', workspace_slug: `slug-of-${workspace_id}` })];
}
