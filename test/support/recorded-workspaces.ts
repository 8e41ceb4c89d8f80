/** A recorder in this process that answers for two workspaces, and the sources that can select one of them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bodyOfBytes } from '../../src/request/http.ts';
import { dtp, type Ended, temporaryFolder } from './context.ts';
import { type Reply, validateRequestLine } from './two-workspaces.ts';
import type { Row } from './wire.ts';

/** The workspace that each operation is about (`named`, `credential` or `none`), from the hand-typed list. */
export const workspaceKinds: ReadonlyMap<string, string> = new Map(
  readFileSync(new URL('../operations.tsv', import.meta.url), 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .flatMap(([kind, id = '', ...rest]) => (kind === 'operation' ? [[id, rest[4] ?? ''] as const] : [])),
);

/** The workspaces of the service, by their ids. The credential belongs to w_1. */
export const workspaceNames = { w_1: 'Pets', w_2: 'Shop' } as const;
export const listRequestLine = 'GET /v1/workspaces';

const workspaceRows = Object.entries(workspaceNames).map(([id, name]) => ({ id, name, slug: name.toLowerCase() }));
const ownDetails = { workspace_id: 'w_1', workspace_slug: 'pets', org_slug: 'acme' };

/** How a value is selected: the flags, the variables, and the files of the home. */
export interface Selection {
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

const profiles = (workspace: string) => JSON.stringify({ profiles: { default: { workspace } } });

export const selectionSources = {
  '-w': (value: string): Selection => ({ flags: ['-w', value] }),
  DTP_WORKSPACE_ID: (value: string): Selection => ({ env: { DTP_WORKSPACE_ID: value } }),
  profile: (value: string): Selection => ({ files: { 'config/config.json': profiles(value) } }),
  '.dtp.json': (value: string): Selection => ({ files: { '.dtp.json': JSON.stringify({ workspace: value }) } }),
} as const;

/** The words of a row without its workspace. */
export function wordsWithoutWorkspace(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => word === '-w' || word === '--workspace');
  return [...(at < 0 ? words : words.toSpliced(at, 2)), '--yes', '-o', 'json'];
}

/** Runs a row with a selection. `asked` has the method, path and query of each request. */
export async function runRecorded(
  { argv, files = {}, reply }: Pick<Row, 'argv' | 'files' | 'reply'>,
  { flags = [], env = {}, files: selecting = {} }: Selection,
  validate: Reply = [200, JSON.stringify(ownDetails)],
): Promise<Ended & { readonly asked: readonly string[] }> {
  const home = temporaryFolder();
  for (const [name, text] of Object.entries({ ...files, ...selecting })) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text, { mode: 0o600 });
  }
  const asked: string[] = [];
  const replyTo = (line: string): Reply => {
    if (line === validateRequestLine) return validate;
    if (line === listRequestLine) return [200, JSON.stringify(workspaceRows)];
    return line.endsWith('/artifacts/preflight') ? [200, '{"auth_token":"t-1"}'] : [reply[0], reply[1]];
  };
  const openSend = async () => ({
    send: async ({ method, url }: { readonly method: string; readonly url: string }) => {
      const { pathname, search } = new URL(url);
      asked.push(`${method} ${pathname}${search}`);
      const [status, body = ''] = replyTo(`${method} ${pathname}${search}`);
      return { status, headers: { 'content-type': 'application/json' }, body: bodyOfBytes(Buffer.from(body)) };
    },
    close: async () => undefined,
  });
  const world = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_ERROR_FORMAT: 'text', ...env };
  const ended = await dtp([...wordsWithoutWorkspace(argv), ...flags], { home, cwd: home, env: world, openSend });
  return { ...ended, asked };
}
