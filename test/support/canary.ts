/** A secret to search for, in the output and on the disk. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DtpError } from '../../src/errors.ts';
import type { HttpResponse, Send } from '../../src/request/http.ts';
import type { Probe } from '../../src/transport/probe.ts';
import { temporaryFolder, type World } from './context.ts';

/** Hosts and header names come back in lower case, so search for both spellings. */
export const canary = 'Canary-5eC7E7-of-the-Test';
export const api = 'https://api.example.test';
export const withUser = `https://me:${canary}@api.example.test`;
export const proxy = `http://me:${canary}@127.0.0.1:9`;

/** Encodings in which the secret could leak. */
const forms = [
  canary,
  Buffer.from(canary).toString('base64url'),
  Buffer.from(canary).toString('hex'),
  Buffer.from(`me:${canary}`).toString('base64'),
  [...canary].reverse().join(''),
].map((form) => form.toLowerCase());
export const secretFormsIn = (text: string) => forms.filter((form) => text.toLowerCase().includes(form));

export interface Kind {
  readonly env?: Readonly<Record<string, string>>;
  readonly profile?: Readonly<Record<string, unknown>>;
  readonly argv?: readonly string[];
}

export const key = { DTP_API_KEY: 'another-key' };
export const responseOf = (status: number, body: string, headers: Record<string, string> = {}): HttpResponse => ({
  status,
  headers: { 'x-request-id': 'r_1', ...headers },
  body: (async function* () {
    yield Buffer.from(body);
  })(),
});
const repeating = JSON.stringify({
  message: `no ${canary} nor ${Buffer.from(canary).toString('base64')}`,
  token: canary,
  details: [{ secret: canary, at: `x?key=${canary}` }],
});
const echoed = {
  'set-cookie': `s=${canary}`,
  'x-echo': canary,
  [canary.toLowerCase()]: Buffer.from(canary).toString('hex'),
  location: `https://${canary}.example/?sig=${canary}`,
};

/** Services that return nothing secret, or that repeat the request in their failures. */
export const services: Readonly<Record<string, Send>> = {
  fine: async () =>
    responseOf(200, '{"workspace_id":"w_1","org_slug":"o","workspace_slug":"w"}', { 'set-cookie': canary }),
  'a 401': async () => responseOf(401, repeating, echoed),
  'a 422': async () => responseOf(422, repeating, echoed),
  'a 500': async () => responseOf(500, repeating, echoed),
  'a 302': async () => responseOf(302, '', echoed),
  'not JSON': async () => responseOf(200, `<html>${canary}`, { 'set-cookie': canary }),
  'a lost connection': async () => {
    throw new DtpError('network', `lost after ${canary}`, { cause: new Error(`read ${canary}`) });
  },
  'a fault of ours': async () => {
    throw new TypeError(`cannot read ${canary}`);
  },
};

const lost = () => Promise.reject(new DtpError('network', 'connection refused'));
const probe: Probe = { lookUp: lost, connect: lost } as unknown as Probe;

export function makeHome({ profile }: Kind): string {
  const home = temporaryFolder();
  mkdirSync(join(home, 'config'), { mode: 0o700 });
  writeFileSync(join(home, 'summary.md'), '');
  const known = profile?.credential === undefined ? {} : { credential_workspace: 'w_1' };
  const profiles = profile ? { default: { ...profile, ...known } } : {};
  writeFileSync(join(home, 'config/config.json'), JSON.stringify({ profiles }), { mode: 0o600 });
  return home;
}

export const worldOf = (kind: Kind, home: string, send: Send, asked: string[] = []): World => {
  let now = 0;
  return {
    home,
    own: 'w_1',
    env: {
      DTP_WORKSPACE_ID: 'w_1',
      DTP_OUTPUT_FILE: join(home, 'journal.ndjson'),
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: join(home, 'summary.md'),
      ...kind.env,
    },
    openSend: async () => ({ send, close: async () => undefined }),
    openProbe: async () => probe,
    exec: async () => canary,
    keychain: async () => canary,
    runAside: async (argv) => {
      asked.push(...argv);
      return undefined;
    },
    // Sleeps pass at once. Deadlines are longer, and are never reached.
    clock: {
      now: () => now,
      sleep: (ms, signal) =>
        new Promise((done, failed) => {
          const abort = () => failed(signal?.reason);
          signal?.addEventListener('abort', abort);
          if (ms >= 10_000) return;
          now += ms;
          setImmediate(() => {
            signal?.removeEventListener('abort', abort);
            done();
          });
        }),
    },
  };
};

/** The files below a folder that contain the secret, and their permissions. */
export const filesWithSecret = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => secretFormsIn(readFileSync(file, 'latin1')).length > 0 || secretFormsIn(file).length > 0)
    .map((file) => `${file.slice(folder.length + 1)} ${(statSync(file).mode & 0o777).toString(8)}`);
