/** A .dtp.json by somebody else never changes where requests and credentials go. */
import { chmodSync, chownSync, copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSpool } from '../../src/store/spool.ts';
import { openProbe } from '../../src/transport/probe.ts';
import { openSend } from '../../src/transport/send.ts';
import { wallClock } from '../support/clocks.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { trustFolderFile } from '../support/folder-file.ts';
import { listening } from '../support/sockets.ts';

const event = JSON.stringify([
  {
    id: 'e-1',
    execution_id: 'run-77',
    interaction_type: 'TARGET_GENERATE',
    local_started_at: '2026-01-31T12:00:00Z',
    created_at: '2026-01-31T12:00:00Z',
    success: true,
  },
]);

/** All commands that send something or read the file. The last one changes the configuration. */
const commands: Readonly<Record<string, World>> = {
  'auth token': {},
  'auth status': {},
  'ws list': {},
  'ws list --dry-run': {},
  'api /v1/user': {},
  'codehost setup get --org a --repo b --generate-gen-lock-id g': {},
  '__complete --fresh namespaces': {},
  doctor: {},
  'events queue flush': {},
  'events post --body -': { stdin: event },
  'auth login --with-token': { stdin: 'k-typed' },
};
/** The commands that use a word of the deployment, and the one that reports every invalid setting. */
const worded = ['codehost setup get --org a --repo b --generate-gen-lock-id g', 'doctor'];

interface Listeners {
  readonly good: string;
  readonly evil: string;
  /** Where each request went, with its credential. */
  readonly requests: string[];
  readonly evilConnections: () => number;
}

async function listen(): Promise<Listeners> {
  const requests: string[] = [];
  let evilConnections = 0;
  const open = async (name: string) => {
    const server = http.createServer((request, response) => {
      const { 'x-api-key': key, authorization, 'x-workspace-identifier': id } = request.headers;
      requests.push(`${name} ${request.method} ${request.url} ${key ?? authorization ?? id ?? 'bare'}`);
      const body = { workspace_id: 'w_own', org_slug: 'acme', workspace_slug: 'main', access_token: 't-1' };
      request.resume().on('end', () => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
    });
    server.on('connection', () => {
      if (name === 'evil') evilConnections++;
    });
    return `http://${await listening(server, () => server.closeAllConnections())}`;
  };
  return {
    good: await open('good'),
    evil: await open('evil'),
    requests,
    evilConnections: () => evilConnections,
  };
}

/** A user with a service, queued events for it, and a profile for another service. */
async function makeHome({ good, evil }: Listeners) {
  const home = join(temporaryFolder(), 'home');
  const repository = join(home, 'repository');
  for (const folder of ['config', 'repository/.git']) mkdirSync(join(home, folder), { recursive: true, mode: 0o700 });
  const own = { base_url: good, credential: 'k-own', credential_origin: good, workspace: 'w_own' };
  const other = { base_url: evil, credential: 'k-other', credential_origin: evil, workspace: 'w_own' };
  const configuration = { current: 'own', profiles: { own, other } };
  writeFileSync(join(home, 'config/config.json'), JSON.stringify(configuration), { mode: 0o600 });
  copyFileSync(resolve(import.meta.dirname, '../support/tls/ca.pem'), join(repository, 'evil.pem'));
  const holder = {
    ...wallClock,
    date: () => new Date(),
    pid: process.pid,
    isAlive: () => true,
    beganAt: () => undefined,
  };
  const spool = openSpool(join(home, 'state'), holder);
  await spool.open({ base: good, workspace: 'w_own' }, 2 ** 20, async (keep) => {
    await keep(Buffer.from(event), 1, async () => false);
  });
  return { home, repository };
}

/** Hostile settings, by name. */
const decisions: Readonly<Record<string, (to: Listeners) => readonly [key: string, value: string]>> = {
  'another service': ({ evil }) => ['base_url', evil],
  'another path of the same origin': ({ good }) => ['base_url', `${good}/open/to/all`],
  'the embedded service': () => ['base_url', 'local:'],
  'another profile': () => ['profile', 'other'],
  'the built-in profile': () => ['profile', 'local'],
  'other certificates': () => ['ca_cert', 'evil.pem'],
  'a word in paths': () => ['words.codehost', 'evil'],
  'both words in paths': () => ['words.codehost', 'docsite'],
};

interface Laid {
  /** The error of every command that reads the file. Undefined if no command reads it. */
  readonly says?: string;
  /** Whether the file is rejected, whatever its content. */
  readonly isRefused?: true;
  readonly world?: World;
}

/** How the file came to be there. */
const states: Readonly<Record<string, (repository: string, text: string) => Promise<Laid> | Laid>> = {
  'own, as after a clone': (repository, text) => {
    writeFileSync(join(repository, '.dtp.json'), text);
    return { says: 'which is not trusted' };
  },
  'changed after it was trusted': async (repository, text) => {
    writeFileSync(join(repository, '.dtp.json'), '{"base_url":"https://api.example.test"}');
    await trustFolderFile(repository, join(repository, '..'));
    writeFileSync(join(repository, '.dtp.json'), text);
    return { says: 'which has changed since it was trusted' };
  },
  'of another user': (repository, text) => {
    const path = join(repository, '.dtp.json');
    writeFileSync(path, text);
    const refused = { says: 'belongs to another user', isRefused: true } as const;
    // Only root can change the owner of a file. Other users run as if they were the other user.
    if (process.geteuid?.() !== 0) return { ...refused, world: { uid: (process.geteuid?.() ?? 0) + 1 } };
    chownSync(path, 12345, 12345);
    return refused;
  },
  'writable by its group': (repository, text) => {
    writeFileSync(join(repository, '.dtp.json'), text);
    chmodSync(join(repository, '.dtp.json'), 0o664);
    return { says: 'can be changed by other users (mode 0664)', isRefused: true };
  },
  'writable by everybody': (repository, text) => {
    writeFileSync(join(repository, '.dtp.json'), text);
    chmodSync(join(repository, '.dtp.json'), 0o646);
    return { says: 'can be changed by other users (mode 0646)', isRefused: true };
  },
  'a symbolic link': (repository, text) => {
    writeFileSync(join(repository, 'settings.json'), text);
    symlinkSync('settings.json', join(repository, '.dtp.json'));
    return { says: 'is a symbolic link', isRefused: true };
  },
  'above the root of the repository': (repository, text) => {
    writeFileSync(join(repository, '../.dtp.json'), text);
    return {};
  },
  'above the home folder': (repository, text) => {
    rmSync(join(repository, '.git'), { recursive: true });
    writeFileSync(join(repository, '../../.dtp.json'), text);
    return {};
  },
  'above a folder outside of home and repositories': (repository, text) => {
    rmSync(join(repository, '.git'), { recursive: true });
    const shared = temporaryFolder();
    mkdirSync(join(shared, 'work'));
    writeFileSync(join(shared, '.dtp.json'), text);
    return { world: { cwd: join(shared, 'work') } };
  },
};

/** Runs every command and returns its requests and outcome. */
async function runAll(to: Listeners, { home, repository }: Awaited<ReturnType<typeof makeHome>>, world: World) {
  const ran = new Map<string, { code: number; stderr: string; sent: readonly string[] }>();
  for (const [command, more] of Object.entries(commands)) {
    to.requests.length = 0;
    const { code, stderr } = await dtp(command.split(' '), {
      home,
      cwd: repository,
      openSend: async (options) => openSend(options),
      openProbe: async () => openProbe(),
      ...world,
      ...more,
      env: { DTP_ERROR_FORMAT: 'text', ...world.env },
    });
    ran.set(command, { code, stderr, sent: [...to.requests] });
  }
  return ran;
}

const rows = [
  ...Object.keys(states).map((state) => [state, 'stored', {}] as const),
  ...Object.keys(states)
    .slice(0, 2)
    .map((state) => [state, 'exported', { DTP_API_KEY: 'k-env' }] as const),
];

/** The requests, without those for the workspace of the credential, which is asked for once and then known. */
const asked = (sent: readonly string[] = []) => sent.filter((one) => !one.includes(' /v1/auth/validate '));

describe.each(rows)('a file that is %s, and a credential that is %s', (state, _, env) => {
  test.each(Object.keys(decisions))('cannot decide for %s', async (decision) => {
    const to = await listen();
    const usual = await runAll(to, await makeHome(to), { env });
    // Without the file, each command sends something that could be redirected.
    for (const [command, { sent }] of usual) if (!command.includes('--dry-run')) expect(sent, command).not.toEqual([]);

    const [key, value] = decisions[decision]?.(to) ?? ['', ''];
    const more = decision === 'both words in paths' ? { 'words.docsite': 'codehost' } : {};
    const at = await makeHome(to);
    const laid = await states[state]?.(at.repository, JSON.stringify({ [key]: value, ...more }));
    const { says, isRefused, world } = laid ?? {};
    const ran = await runAll(to, at, { env, ...world });

    expect(to.evilConnections()).toBe(0);
    for (const [command, { code, stderr, sent }] of ran) {
      const before = usual.get(command);
      expect(asked(before?.sent), command).toEqual(expect.arrayContaining(asked(sent)));
      const isUsed = isRefused || !key.startsWith('words.') || worded.includes(command);
      if (says === undefined || !isUsed) {
        expect([code, asked(sent)], `${command}: ${stderr}`).toEqual([before?.code, asked(before?.sent)]);
        continue;
      }
      // A completion just offers nothing.
      if (!command.startsWith('__complete')) {
        expect(code, `${command}: ${stderr}`).toBe(3);
        expect(stderr, command).toContain(says);
      }
      if (command !== 'doctor') expect(sent, command).toEqual([]);
    }
  });
});
