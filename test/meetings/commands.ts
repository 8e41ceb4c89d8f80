/** The commands of the tool, each with a line that works, and what the tool says about its flags. */
import { execFileSync } from 'node:child_process';
import { rows as wireRows } from '../wire/rows.ts';
import { built } from './drivers.ts';

export interface Flag {
  readonly name: string;
  readonly type: string;
  readonly group: string;
  readonly repeatable: boolean;
  readonly enum?: readonly string[];
  readonly known_values?: readonly string[];
}

/** What `dtp schema` says about a command. */
export interface Described {
  readonly command: string;
  readonly operation?: string;
  readonly method?: string;
  readonly effect: string;
  readonly result?: string;
  readonly flags: readonly Flag[];
  readonly exit_codes: readonly { readonly code: number }[];
}

export interface Command extends Described {
  /** A line that works, without `dtp`. */
  readonly argv: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** The request that the answer belongs to; undefined for a command of this machine. */
  readonly request: { readonly method: string; readonly path: string } | undefined;
  readonly reply: { readonly status: number; readonly body: string; readonly headers: Record<string, string> };
}

interface Schema {
  readonly commands: readonly Described[];
  readonly global_flags: readonly Flag[];
}

export const schema = JSON.parse(
  execFileSync(process.execPath, [built, 'schema', '--all'], {
    env: { HOME: '/nonexistent' },
    maxBuffer: 2 ** 26,
  }).toString(),
) as Schema;

/** Lines of commands that are not operations. */
const ofMachine: Readonly<Record<string, readonly string[]>> = {
  api: ['api', '/v1/workspaces?time=2026-01-01T00:00:00+02:00&byte=%E9&a;b&c&d='],
  'auth oidc-token': ['auth', 'oidc-token'],
  'auth status': ['auth', 'status'],
  completion: ['completion', 'bash'],
  'config explain': ['config', 'explain'],
  'config get': ['config', 'get', 'output'],
  'config list': ['config', 'list'],
  'config path': ['config', 'path'],
  'config set': ['config', 'set', 'timeout', '9s', '--profile', 'p'],
  'config unset': ['config', 'unset', 'timeout', '--profile', 'p'],
  'events get': ['events', 'get', 'e-1'],
  'events queue list': ['events', 'queue', 'list'],
  'events queue flush': ['events', 'queue', 'flush'],
  help: ['help', 'ws', 'list'],
  schema: ['schema', 'ws', 'list'],
};

/** Commands that run until they are stopped, or change this machine. Their tests are elsewhere. */
export const excluded: readonly string[] = [
  ...['auth login', 'auth logout', 'auth move', 'config delete', 'config trust', 'config untrust', 'config use'],
  ...['artifacts pull', 'artifacts push', 'data export', 'data import', 'dev', 'doctor', 'events queue drop'],
  ...['events tail', 'init', 'mcp', 'open', 'serve', 'ws use'],
];

/** What a request of a command of this machine asks, if it sends one. */
const asks: Readonly<Record<string, string>> = {
  api: '/v1/workspaces',
  'auth status': '/v1/auth/validate',
  'events get': '/v1/workspace/w_1/events',
};

/** Leaves out the flags of a line that it does not need, so that they can be drawn. */
function needed(line: readonly string[], flags: readonly Flag[]): readonly string[] {
  const argv: string[] = [];
  for (let at = 0; at < line.length; at++) {
    const word = line[at] as string;
    const flag = flags.find(({ name }) => name === word.replace(/^--no-/, '--'));
    const isOptional = flag && (['members', 'filters'].includes(flag.group) || flag.repeatable);
    if (word === '--yes' || isOptional) at += flag && flag.type !== 'boolean' ? 1 : 0;
    else argv.push(word);
  }
  return argv;
}

export const commands: readonly Command[] = schema.commands.flatMap((described): readonly Command[] => {
  const row = wireRows.find(({ id }) => id === described.operation);
  const [status = 200, body = '', headers = {}] = row?.reply ?? [];
  const own = ofMachine[described.command];
  const asked = asks[described.command];
  const request = row
    ? { method: row.method, path: row.path.replace(/\?.*/, '') }
    : asked === undefined
      ? undefined
      : { method: 'GET', path: asked };
  const reply = row
    ? { status, body: String(body), headers }
    : {
        status: 200,
        body: described.command === 'auth status' ? '{"workspace_id":"w_1"}' : '[{"id":"e-1"}]',
        headers: {},
      };
  const argv = row ? needed(row.argv, described.flags) : own;
  return argv ? [{ ...described, argv, files: row?.files ?? {}, request, reply }] : [];
});
