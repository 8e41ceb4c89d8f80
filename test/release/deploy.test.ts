/** The files in deploy/ fit together, and the same command lines and the same nginx.conf run here as processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { home, serve } from '../support/process.ts';
import { freePort, openSqld } from '../support/sqld.ts';
import { hasTeam } from '../support/team.ts';
import { tls } from '../support/tls-server.ts';

const deploy = new URL('../../deploy/', import.meta.url);
const textOf = (name: string) => readFileSync(new URL(name, deploy), 'utf8');

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly networks: readonly string[];
  readonly secrets?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
}

const compose = parse(textOf('compose.yaml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: object;
  readonly networks: object;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
};
const { services } = compose;

/** What a user puts next to the files, as the guide says. */
const given = ['tls', 'owner.key'];

test('each part refers to parts that exist', () => {
  for (const [name, service] of Object.entries(services)) {
    expect([name, service.image === undefined]).toEqual([name, service.build !== undefined]);
    expect([name, service.image?.split(':')[1] ?? 'built']).not.toEqual([name, 'latest']);
    for (const network of service.networks) expect(Object.keys(compose.networks)).toContain(network);
    for (const secret of service.secrets ?? []) expect(Object.keys(compose.secrets)).toContain(secret);
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {}))
      expect([other, condition, services[other]?.healthcheck !== undefined]).toEqual([other, 'service_healthy', true]);
    for (const [source = ''] of (service.volumes ?? []).map((volume) => volume.split(':')))
      if (!source.startsWith('./')) expect(Object.keys(compose.volumes)).toContain(source);
      else
        expect([source, existsSync(new URL(source, deploy)) || given.includes(source.slice(2))]).toEqual([
          source,
          true,
        ]);
  }
  for (const { file } of Object.values(compose.secrets)) expect(given).toContain(file.slice(2));
  const guide = readFileSync(new URL('../docs/team-service.md', deploy), 'utf8');
  for (const name of [...given, 'dtp-0.1.0.tgz']) expect(guide).toContain(name);
  const urls = Object.values(services).flatMap(({ environment = {} }) => Object.values(environment));
  for (const url of urls.filter((text) => URL.canParse(text)))
    expect(Object.keys(services)).toContain(new URL(url).hostname);
  const upstreams = [...textOf('nginx.conf').matchAll(/server ([\w-]+):8080/g)].map(([, name]) => name);
  expect(upstreams).toEqual(Object.keys(services).filter((name) => services[name]?.build !== undefined));
});

const commandOf = ({ command = [] }: Service) =>
  command.map((word) => word.replace(/\$\{DTP_HOST:\?[^}]*\}/, 'dtp.example.com'));

const { folder, remove } = home();
afterAll(remove);

/** Sends a GET to the proxy, as a client that knows the name and trusts the certificate. */
const ask = (port: number, path: string, headers = {}) =>
  new Promise<{ status: number; text: string }>((done, failed) => {
    const options = { host: '127.0.0.1', port, path, rejectUnauthorized: false, agent: false as const };
    https
      .get({ ...options, headers: { host: 'dtp.example.com', ...headers } }, (response) => {
        let text = '';
        response.on('data', (chunk) => (text += chunk));
        response.on('end', () => done({ status: response.statusCode ?? 0, text }));
      })
      .on('error', failed);
  });

test.runIf(hasTeam)('the command lines and the proxy work', async () => {
  const sqld = await openSqld();
  const key = `dtp_${'0123456789abcdef'.repeat(4)}`;
  writeFileSync(join(folder, 'owner.key'), key, { mode: 0o600 });
  const names = Object.keys(services).filter((name) => services[name]?.build !== undefined);
  const ports = await Promise.all(names.map(freePort));
  const running = await Promise.all(
    names.map((name, at) => {
      const [, ...words] = commandOf(services[name] as Service);
      const argv = words.map((word) =>
        word
          .replace('--host=0.0.0.0', '--host=127.0.0.1')
          .replace('--port=8080', `--port=${ports[at]}`)
          .replace('/run/secrets/owner-key', join(folder, 'owner.key')),
      );
      const own = join(folder, name);
      mkdirSync(own);
      return serve(own, argv, { DTP_DATABASE_URL: sqld.url });
    }),
  );
  const port = await freePort();
  let conf = textOf('nginx.conf').replace('443', String(port)).replaceAll('/etc/nginx/tls', folder);
  for (const [at, name] of names.entries()) conf = conf.replace(`${name}:8080`, `127.0.0.1:${ports[at]}`);
  writeFileSync(join(folder, 'cert.pem'), tls('server.pem'));
  writeFileSync(join(folder, 'key.pem'), tls('server.key'));
  const paths = `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/log;`;
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (one) => `${one}_temp_path ${folder}/t-${one};`,
  );
  writeFileSync(join(folder, 'nginx.conf'), `${paths}\n${conf.replace('http {', `http { ${temporary.join(' ')}`)}`);
  const nginx: ChildProcess = spawn('nginx', [
    '-p',
    folder,
    '-c',
    join(folder, 'nginx.conf'),
    '-e',
    join(folder, 'log'),
  ]);
  try {
    while ((await ask(port, '/readyz').catch(() => ({ status: 0 }))).status !== 200) {
      if (nginx.exitCode !== null) throw new Error(readFileSync(join(folder, 'log'), 'utf8'));
      await sleep(50);
    }
    const mine = { 'x-api-key': key };
    const statuses = await Promise.all(Array.from({ length: 20 }, () => ask(port, '/v1/workspace', mine)));
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await ask(port, '/v1/workspace', { ...mine, host: 'other.example' })).status).not.toBe(200);
    // The health check of the containers.
    for (const own of ports) expect((await fetch(`http://127.0.0.1:${own}/readyz`)).status).toBe(200);
    // With one service left, every request still has an answer.
    await running[0]?.stop();
    for (let at = 0; at < 10; at++) expect((await ask(port, '/v1/workspace', mine)).status).toBe(200);
    // Without the database, the answers are those of the service.
    await sqld.kill();
    for (let at = 0; at < 10; at++)
      for (const path of ['/v1/workspace', '/readyz'])
        expect(await ask(port, path, mine)).toMatchObject({ status: 503, text: expect.stringMatching(/^\{"/) });
    expect((await ask(port, '/healthz')).status).toBe(200);
    await sqld.start();
    await expect.poll(() => ask(port, '/readyz'), { timeout: 60_000 }).toMatchObject({ status: 200 });
  } finally {
    nginx.kill('SIGKILL');
    await Promise.all(running.map(({ stop }) => stop()));
    await sqld.remove();
  }
});
