/** A team's service: nginx distributes requests over processes of `dtp serve` that share one libSQL server. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { home, type Served, serve } from './process.ts';
import { freePort, hasSqld, openSqld, type Sqld } from './sqld.ts';

const hasNginx = spawnSync('nginx', ['-v']).status === 0;

if (hasSqld && !hasNginx) process.stderr.write('skipped: nginx is not installed (npm run test:slow installs it)\n');

/** Whether this machine has all programs. The reason is printed if not. */
export const hasTeam = hasSqld && hasNginx;

/** A process of the team. */
interface Member {
  /** Its own URL, not that of the load balancer. */
  readonly address: string;
  /** Ends it at once, as a crash does. */
  readonly kill: () => Promise<void>;
  /** Starts it on the same port if it does not run. */
  readonly start: () => Promise<void>;
}

export interface Team extends Pick<Served, 'key' | 'workspace_id'> {
  /** The URL of the load balancer. */
  readonly address: string;
  readonly sqld: Sqld;
  readonly services: readonly Member[];
  readonly balancer: Member;
  /** Ends everything, and deletes its files. Throws if a service that still runs does not end well. */
  readonly remove: () => Promise<void>;
}

/** Whether the tests of this file run with a team's service. */
export const isTeam = process.env.DTP_TEST_TEAM === '1';

/** Starts `dtp serve`, or a team's service, and waits until it listens. `stop` returns an exit code. */
export async function openService(
  folder: string,
  argv: readonly string[] = [],
): Promise<Pick<Served, 'address' | 'key' | 'workspace_id' | 'stop'>> {
  if (!isTeam) return serve(folder, argv);
  const { remove, ...team } = await openTeam();
  return { ...team, stop: () => remove().then(() => 0) };
}

interface TeamOptions {
  /** How many processes serve. */
  readonly count?: number;
  /** More arguments of `dtp serve`. */
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Where the services reach the database. */
  readonly database?: (sqld: Sqld) => string;
}

/** Starts a libSQL server, the services at the same time, and then the load balancer. */
export async function openTeam({
  count = 2,
  argv = [],
  env = {},
  database = ({ url }) => url,
}: TeamOptions = {}): Promise<Team> {
  const { folder, remove } = home();
  const sqld = await openSqld();
  const started = await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const own = join(folder, `service-${at}`);
      mkdirSync(own);
      const port = String(await freePort());
      const start = () => serve(own, ['--database', database(sqld), '--port', port, ...argv], env);
      return serviceOf(await start(), start);
    }),
  );
  const services = started.map(({ member }) => member);
  const balancer = await openBalancer(folder, services);
  const [first] = started;
  if (!first) throw new Error('a team has at least one service');
  return {
    ...{ address: balancer.address, sqld, services, balancer },
    // Only the service that has created the tables prints it.
    key: started.map(({ facts }) => facts.key).find(Boolean) ?? '',
    workspace_id: first.facts.workspace_id,
    remove: async () => {
      await balancer.kill();
      const codes = await Promise.all(started.map(({ stop }) => stop()));
      await sqld.remove();
      remove();
      if (codes.some((code) => code !== 0)) throw new Error(`the services have ended with ${codes.join(' and ')}`);
    },
  };
}

function serviceOf(facts: Served, again: () => Promise<Served>) {
  let running: Served | undefined = facts;
  const kill = async () => {
    const { pid, ended } = running ?? {};
    running = undefined;
    if (pid === undefined) return;
    process.kill(pid, 'SIGKILL');
    await ended;
  };
  const start = async () => {
    running ??= await again();
  };
  const member: Member = { address: facts.address, kill, start };
  return { facts, member, stop: async () => (running ? running.stop() : 0) };
}

/** One process, which needs no privileges and keeps its files in `folder`. */
async function openBalancer(folder: string, services: readonly Member[]): Promise<Member> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  writeFileSync(join(folder, 'nginx.conf'), configurationOf(port, services));
  let child: ChildProcess | undefined;
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child?.once('exit', done));
    child.kill('SIGKILL');
    await ended;
  };
  const start = async () => {
    if (child && child.exitCode === null && child.signalCode === null) return;
    child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'nginx.log')], {
      stdio: 'ignore',
    });
    while (!(await fetch(`${address}/healthz`).catch(() => undefined))) {
      if (child.exitCode !== null) throw new Error(readFileSync(join(folder, 'nginx.log'), 'utf8'));
      await sleep(20);
    }
  };
  await start();
  return { address, kill, start };
}

/**
 * Requests go to the services in turn. Connections to them end before the services end them (after 5 s), because a
 * request that meets the end of its connection is only sent again if it has no effect. Bodies are not kept in files.
 */
const configurationOf = (port: number, services: readonly Member[]) => `
daemon off;
master_process off;
pid nginx.pid;
events { worker_connections 2048; }
http {
  access_log off;
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  client_max_body_size 0;
  large_client_header_buffers 8 64k;
  ignore_invalid_headers off;
  upstream services {
    ${services.map(({ address }) => `server ${new URL(address).host} max_fails=1 fail_timeout=1s;`).join('\n    ')}
    keepalive 64;
    keepalive_timeout 2s;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://services;
      proxy_http_version 1.1;
      proxy_set_header Connection '';
      proxy_set_header Host $http_host;
      proxy_request_buffering off;
      proxy_buffering off;
      proxy_read_timeout 600s;
    }
  }
}
`;
