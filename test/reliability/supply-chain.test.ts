/**
 * The dependencies: exact, verified, without install scripts, few, listed, and checked for known
 * vulnerabilities.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/context.ts';
import { listening } from '../support/sockets.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'));
const manifest = read('package.json');
const packages = Object.entries<{
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}>(read('package-lock.json').packages).filter(([place]) => place !== '');

test('each version is exact, and the installed packages are verified', () => {
  const versions = Object.values({ ...manifest.devDependencies, ...manifest.optionalDependencies });
  // The version of jq-wasm also names the version of jq.
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-jq-\d+\.\d+\.\d+)?$/.test(String(version)))).toEqual([]);
  expect(packages.filter(([, { integrity = '' }]) => !/^sha512-/.test(integrity))).toEqual([]);
  expect(packages.filter(([, { resolved = 'https:' }]) => !resolved.startsWith('https:'))).toEqual([]);
});

test('no package has an install script', () => {
  expect(packages.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
});

test('dependencies are few: the bundle has only these packages, and two are installed with it', () => {
  const direct = Object.entries(manifest.devDependencies).filter((one) => noticed().includes(one.join(' ')));
  expect(direct.map(([name]) => name)).toEqual([
    ...['@clack/prompts', '@jmespath-community/jmespath', '@modelcontextprotocol/server', '@noble/hashes'],
    ...['@toon-format/toon', '@vercel/detect-agent'],
    ...[
      'chalk',
      'cli-table3',
      'commander',
      'conf',
      'cross-spawn',
      'fflate',
      'get-east-asian-width',
      'highlight.js',
      'jq-wasm',
      'json-p3',
      'ora',
      'undici',
      'yaml',
      'yauzl',
    ],
  ]);
  expect(manifest.dependencies).toBeUndefined();
  expect(Object.keys(manifest.optionalDependencies)).toEqual(['@napi-rs/keyring', 'libsql']);
});

/** Names and versions of the packages whose notices are in the build. */
const noticed = () => {
  const notices = readFileSync(join(root, 'THIRD-PARTY-NOTICES'), 'utf8');
  return [...notices.matchAll(/^={80}\n(.+)$/gm)].map(([, name]) => name as string);
};

/**
 * Runs scripts/shipped.mjs with a registry that reports an advisory for each of these, by severity, or no
 * advisories.
 */
async function shipped(task: string, advisories?: Readonly<Record<string, string>>) {
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (!advisories || request.method !== 'POST') return response.writeHead(405).end('{}');
      const asked = JSON.parse(gunzipSync(Buffer.concat(chunks)).toString());
      const known = Object.entries(advisories).filter(([name]) => name in asked);
      return response.end(JSON.stringify(Object.fromEntries(known.map(advisoryOf))));
    });
  });
  const env = {
    PATH: process.env.PATH,
    HOME: temporaryFolder(),
    npm_config_registry: `http://${await listening(server)}/`,
  };
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((done) =>
    execFile(
      process.execPath,
      ['scripts/shipped.mjs', task],
      { cwd: root, env, maxBuffer: 2 ** 26 },
      (error, stdout, stderr) => done({ code: error?.code ?? 0, stdout, stderr }),
    ),
  );
}

const told = 'a fault, https://example.test/1';

const advisoryOf = ([name, severity]: readonly [string, string]) => [
  name,
  [{ id: 1, url: 'https://example.test/1', title: 'a fault', severity, vulnerable_versions: '>=0' }],
];

test('the audit fails only for severe advisories in packages that users get', async () => {
  expect(await shipped('audit', { undici: 'high', '@libsql/linux-x64-gnu': 'critical' })).toMatchObject({
    code: 1,
    stdout: `audit: critical: @libsql/linux-x64-gnu: ${told}
audit: critical: libsql: by @libsql/linux-x64-gnu
audit: high: undici: ${told}
`,
  });
  expect(await shipped('audit', { undici: 'moderate', vitest: 'critical' })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^audit: no high or critical vulnerabilities in \d\d+ packages\n$/),
  });
  expect(await shipped('audit')).toMatchObject({
    code: 0,
    stdout: 'audit: skipped: the registry responded with 405\n',
  });
});

test('the SBOM names each package that users get, with its license and digest, and no other', async () => {
  const { code, stdout } = await shipped('sbom');
  expect(code).toBe(0);
  const { bomFormat, metadata, components, dependencies } = JSON.parse(stdout) as Materials;
  expect([bomFormat, metadata.component.name]).toEqual(['CycloneDX', 'dtp']);
  const installed = packages.filter(([, { dev, devOptional }]) => !dev && !devOptional);
  const expected = [
    ...noticed().map((one) => one.split(' ')[0]),
    ...installed.map(([place]) => place.split('node_modules/').at(-1)),
  ];
  expect([...new Set(components.map(({ name }) => name))].sort()).toEqual([...new Set(expected)].sort());
  expect(components.filter(({ licenses }) => licenses.length === 0)).toEqual([]);
  const undigested = components.filter(({ hashes }) => !hashes).map(({ name }) => name);
  expect(undigested.sort()).toEqual(['ajv', 'content-type', 'decNumber', 'fast-uri', 'jq', 'llhttp', 'oniguruma']);
  const { undici } = manifest.devDependencies;
  const { 'jq-wasm': jq } = manifest.devDependencies;
  expect(components.filter(({ version }) => !/^\d/.test(version))).toMatchObject([
    { name: 'llhttp', version: `bundled with undici ${undici}` },
    ...['jq', 'oniguruma', 'decNumber'].map((name) => ({ name, version: `bundled with jq-wasm ${jq}` })),
  ]);
  const refs = new Set(['dtp@0.1.0', ...components.map((one) => one['bom-ref'])]);
  expect(dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]).every((ref) => refs.has(ref))).toBe(true);
});

interface Materials {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly name: string } };
  readonly components: readonly {
    readonly 'bom-ref': string;
    readonly name: string;
    readonly version: string;
    readonly licenses: readonly unknown[];
    readonly hashes?: readonly unknown[];
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}
