/** `dtp doctor` in healthy and broken worlds, and its checks by name. */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { HttpResponse, Send } from '../../src/request/http.ts';
import { dtp, temporaryFolder, type World } from './context.ts';

/** This must not appear in any message, whatever is wrong. */
export const canary = 'canary-5ec7e7';

export interface Check {
  readonly check: string;
  readonly status: string;
  readonly message: string;
  readonly mend?: string;
}

export async function examined(argv: readonly string[], world: World = {}) {
  const ended = await dtp(['doctor', '--json', ...argv], world);
  const checks = JSON.parse(ended.stdout) as readonly Check[];
  for (const { check, status, message, mend } of checks) {
    expect(['ok', 'warn', 'fail', 'skip']).toContain(status);
    expect(message, check).not.toBe('');
    // A check that is not ok has a fix, and no other check has one.
    expect(mend !== undefined && mend !== '', `${check}: ${mend}`).toBe(status === 'warn' || status === 'fail');
  }
  const failures = checks.filter(({ status }) => status === 'fail');
  expect(ended.code === 0, ended.stderr).toBe(failures.length === 0);
  const [first] = failures;
  if (first) expect(JSON.parse(ended.stderr).error.message).toContain(`${first.check}: ${first.message}`);
  return {
    code: ended.code,
    stderr: ended.stderr,
    checks,
    /** `status: message` of one check. */
    of: (name: string) => {
      const found = checks.find(({ check }) => check === name);
      return `${found?.status}: ${found?.message}`;
    },
    mend: (name: string) => checks.find(({ check }) => check === name)?.mend,
  };
}

/** The names of the checks, in order. */
export const names = [
  ...['node', 'configuration', 'folder-file', 'profile', 'settings', 'file-modes', 'state-folder', 'data-folder'],
  ...[
    'base-address',
    'credential-source',
    'proxy',
    'dns',
    'connection',
    'clock',
    'credential',
    'workspace',
    'access',
    'queue',
  ],
];

/** A world in which the service is reachable and answers as given. */
export function reaching(answers: Readonly<Record<string, readonly [number, unknown]>> = {}, date = 'now') {
  const sent: string[] = [];
  const send: Send = async ({ method, url, headers }): Promise<HttpResponse> => {
    const { pathname, search } = new URL(url);
    sent.push(`${method} ${pathname}${search} ${headers['x-api-key'] ?? 'bare'}`);
    const [status, value] = answers[pathname] ?? [200, known[pathname]];
    const time = date === 'now' ? new Date().toUTCString() : date;
    return { status, headers: { date: time }, body: bytes(JSON.stringify(value)) };
  };
  const probe = {
    lookUp: async () => ['192.0.2.1'],
    reach: async () => undefined,
    reachProxy: async () => undefined,
  };
  const world = {
    openSend: async () => ({ send, close: async () => undefined }),
    openProbe: async () => probe,
  } satisfies World;
  return { world, sent };
}

async function* bytes(text: string) {
  yield Buffer.from(text);
}

const known: Readonly<Record<string, unknown>> = {
  '/v1/auth/validate': { workspace_slug: 'main' },
  '/v1/workspace/access': { generation_allowed: true, message: 'go on' },
};
export const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: canary };

/** Names, permissions and contents of all files. */
export const snapshot = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(folder, name);
      const found = statSync(path);
      return `${name} ${found.mode} ${found.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : ''}`;
    });

/** A home with a configuration. */
export function configured(text: string, { file = 0o600, folder = 0o700 } = {}) {
  const home = temporaryFolder();
  mkdirSync(join(home, 'config'));
  writeFileSync(join(home, 'config', 'config.json'), text);
  chmodSync(join(home, 'config', 'config.json'), file);
  chmodSync(join(home, 'config'), folder);
  return home;
}

export const stored = (profile: object) => JSON.stringify({ current: 'work', profiles: { work: profile } });
export const credential = { credential: canary, credential_origin: 'https://api.example.test' };
