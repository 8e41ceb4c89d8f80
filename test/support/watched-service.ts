/** The built service with two tenants: one attacks it, the other one uses it, and it is watched from outside. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openStore, type Store } from '../../src/service/data/store.ts';
import { firstKey, seed } from '../../src/service/tenancy/seed.ts';
import { addStranger } from './embedded-service.ts';
import { home, type Served, serve } from './process.ts';
import { type Reaction, type RoughClients, roughClients } from './rough-clients.ts';
import { tls } from './tls-server.ts';

export interface Tenant {
  readonly key: string;
  readonly workspace: string;
}

export interface Tenants {
  readonly folder: string;
  /** Who attacks: the first user. */
  readonly attacker: Tenant;
  /** Somebody with another organization. */
  readonly other: Tenant;
  readonly remove: () => void;
}

/** A new folder with the data of two tenants. `fill` adds what an attack needs. */
export function twoTenants(fill: (store: Store, workspace: string) => unknown = () => undefined): Tenants {
  const { folder, remove } = home();
  const store = openStore(join(folder, 'data', 'service.db'));
  seed(store, new Date());
  const { key, workspaceId: workspace } = firstKey(store);
  const { headers, workspace: second } = addStranger(store, new Date());
  fill(store, workspace);
  store.close();
  const other = { key: headers['x-api-key'], workspace: second };
  return { folder, remove, attacker: { key, workspace }, other };
}

const certificates = resolve(import.meta.dirname, 'tls');

/** Flags of `dtp serve`: for this machine only, and for others. */
export const places = {
  'on loopback': [],
  'behind a proxy': ['--behind-proxy', '--allow-host', 'localhost'],
  'with TLS': [
    ...['--tls-cert', join(certificates, 'server.pem'), '--tls-key', join(certificates, 'server.key')],
    // In this form, it counts as an IP address beyond loopback.
    ...['--host', '::ffff:127.0.0.1'],
  ],
} as const;

export type Place = keyof typeof places;

export interface Attacked {
  readonly clients: RoughClients;
  readonly attacker: Tenant;
  readonly other: Tenant;
  readonly address: string;
}

/** Returns the answers that were read, and in words what was wrong. */
export type Attack = (attacked: Attacked) => Promise<readonly (Reaction | string)[] | undefined>;

/** Logs in to the page. Returns the cookie. */
export async function logIn({ ask }: RoughClients, { key }: Tenant): Promise<string> {
  const { headers } = await ask('POST', '/-/login', { body: Buffer.from(`key=${key}`) });
  return String(headers['set-cookie']).split(';')[0] ?? '';
}

interface Round {
  readonly what: string;
  readonly answers: readonly { readonly status: number; readonly ms: number }[];
}

export interface Found {
  /** Undefined if the service still runs. */
  readonly exitCode: number | undefined;
  readonly errors: string;
  /** The most memory that it ever had, in megabytes. */
  readonly peak: number;
  readonly reactions: readonly (Reaction | string)[];
  readonly rounds: readonly Round[];
}

/** The memory that a process has had at most (VmHWM), in megabytes. Undefined if it has ended. */
function peakOf(pid: number): number | undefined {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1000);
  } catch {
    return undefined;
  }
}

/** Its heap may take this many megabytes. */
export const heap = { NODE_OPTIONS: '--max-old-space-size=300' };

/** The URL at which this machine reaches a service that others may call. */
export const addressOf = ({ address }: Pick<Served, 'address'>) =>
  `${address.split(':')[0]}://127.0.0.1:${new URL(address).port}`;

/** Starts the service, attacks it while the other tenant uses it, and returns what could be seen from outside. */
export async function watch({ folder, attacker, other }: Tenants, place: Place, attack: Attack): Promise<Found> {
  const idle = home();
  const service = await serve(folder, places[place], heap);
  const reference = await serve(idle.folder);
  let exitCode: number | undefined;
  let peak = 0;
  const look = () => {
    peak = Math.max(peak, peakOf(service.pid) ?? 0);
  };
  const timer = setInterval(look, 100);
  void service.ended.then((code) => {
    exitCode = code;
  });
  const address = addressOf(service);
  const clients = roughClients(address, { 'x-api-key': attacker.key });
  try {
    const using = startUsing([
      { address, pid: service.pid, ca: tls('ca.pem'), ...other },
      { ...reference, workspace: reference.workspace_id },
    ]);
    await using.isReady;
    const reactions = (await attack({ clients, attacker, other, address })) ?? [];
    const rounds = await using.end();
    look();
    return { exitCode, errors: service.errors(), peak, reactions, rounds };
  } finally {
    clearInterval(timer);
    clients.close();
    process.kill(reference.pid, 'SIGKILL');
    if (exitCode === undefined) process.kill(service.pid, 'SIGKILL');
    await Promise.all([service.ended, reference.ended]);
    idle.remove();
  }
}

const program = resolve(import.meta.dirname, 'other-tenant.mjs');

/** Starts the process of the other tenant. `end` returns what it saw. */
function startUsing(
  services: readonly (Tenant & { readonly address: string; readonly pid: number; readonly ca?: string })[],
) {
  const child = spawn(process.execPath, [program, JSON.stringify(services)], { stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  const ended = new Promise((done) => child.once('close', done));
  const isReady = new Promise<void>((ready, failed) => {
    child.stdout.on('data', (chunk) => {
      text += chunk;
      ready();
    });
    child.once('close', () => failed(new Error('the other tenant has ended')));
  });
  const end = async (): Promise<readonly Round[]> => {
    child.stdin.end();
    await ended;
    return JSON.parse(text.split('\n')[1] ?? '');
  };
  return { isReady, end };
}

interface Bounds {
  /** In megabytes. */
  readonly memory?: number;
  /** How long the other tenant waits at most, with one exception in a hundred, in milliseconds. */
  readonly wait?: number;
}

/**
 * Returns what is wrong with a service after an attack. The time that an idle service takes meanwhile does not count, so
 * that a slow disk changes nothing.
 */
export function faultsIn({ exitCode, errors, peak, reactions, rounds }: Found, bounds: Bounds): readonly string[] {
  const { memory = Number.POSITIVE_INFINITY, wait = Number.POSITIVE_INFINITY } = bounds;
  const times = rounds.map(({ answers: [own] }) => own?.ms ?? 0);
  const slowest = Math.max(0, ...rounds.map(({ answers: [, idle] }) => idle?.ms ?? 0));
  const longest = times.toSorted((one, two) => one - two)[Math.ceil(times.length * 0.99) - 1] ?? 0;
  const refused = rounds.filter(({ answers: [own] }) => ![200, 204].includes(own?.status ?? 0));
  const unclear = reactions
    .filter((one) => typeof one !== 'string')
    .filter(
      ({ status, headers, isWhole }) =>
        !isWhole || (status >= 500 && !(status === 503 && Number(headers['retry-after']) > 0)),
    );
  return [
    ...reactions.filter((one) => typeof one === 'string'),
    exitCode !== undefined &&
      `the service ended with ${exitCode}: ${/^.*(FATAL|Error).*$/m.exec(errors)?.[0] ?? errors}`,
    peak > memory && `it took ${peak} MB of memory`,
    longest > wait + slowest &&
      `the other tenant waited ${longest} ms, an idle service took ${slowest} (${times.join(', ')})`,
    refused.length > 0 &&
      `the other tenant got ${refused.map(({ what, answers: [own] }) => `${own?.status} for ${what}`).join(', ')}`,
    unclear.length > 0 &&
      `the attacker got ${unclear.map(({ status, headers, size }) => `${status} (Retry-After: ${headers['retry-after']}, ${size} bytes)`).join(', ')}`,
  ].filter((fault) => fault !== false);
}
