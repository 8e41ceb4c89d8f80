/**
 * Times whole commands from start to exit, compared with a bare Node and other tools: medians in milliseconds.
 *
 *   --node PATH     also use another Node (repeatable)
 *   --binary PATH   the standalone executable, if it is not in build/
 *   --peer NAME@VERSION   also time a tool of the npm registry (repeatable); --peers: the pinned one
 *
 * It does not use hyperfine, which runs all rounds of a command in one block: other load on the machine would then affect
 * only one command. Here the commands take turns, A B C A B C, on one core.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'rolldown';
import { groupOf } from '../scripts/bundle/chunks.mjs';
import { input, output } from '../scripts/bundle/options.mjs';
import { isThere, median } from './support/process.mjs';
import { measured, report, scaled, skip } from './support/report.mjs';
import { startSink } from './support/servers.mjs';
import { dtpUnder, findBinary, root, versionOf } from './support/tool.mjs';

const ROUNDS = scaled(25, 2);
const WARM = scaled(3);
const UNDICI = 'undici GET';
const PINNED_PEER = '@redocly/cli@2.77.0';

const { values: flags } = parseArgs({
  options: {
    node: { type: 'string', multiple: true, default: [] },
    binary: { type: 'string' },
    peer: { type: 'string', multiple: true, default: [] },
    peers: { type: 'boolean', default: false },
  },
});

/** Everything that is started from now on runs on one core. The sink is already running, and has the other cores. */
function pin() {
  if (!isThere('taskset') || availableParallelism() < 2) return skip('taskset: nothing is pinned to a core');
  const text = execFileSync('taskset', ['-cp', String(process.pid)], { encoding: 'utf8' });
  const last = /(\d+)\s*$/.exec(text)?.[1];
  execFileSync('taskset', ['-cp', last, String(process.pid)], { stdio: 'ignore' });
}

/** Returns the time in milliseconds. Throws if the command fails, or does not print what it should. */
function time({ name, line: [program, ...argv], shows, env }) {
  const start = performance.now();
  const { status, stdout, stderr, error } = spawnSync(program, argv, {
    env,
    cwd: env.HOME,
    encoding: 'utf8',
  });
  const ms = performance.now() - start;
  if (error) throw error;
  if (status !== 0 || !shows.test(stdout)) throw new Error(`${name} exited with ${status}: ${stderr || stdout}`);
  return ms;
}

/** The commands to time. A completion list is cached for a minute, so `before` renews it before each run. */
function commandsOf(tool, suffix, { env, local, beside }) {
  const headline = suffix === '';
  const complete = (...more) => tool('__complete', 'workspaces', ...more);
  const one = (name, line, shows, atMost, more) => ({
    ...{ name: `${name}${suffix}`, line, shows, env, to: beside, atMost },
    ...more,
  });
  return [
    one('dtp --version', tool('--version'), /^\d/, 1.3),
    one('dtp --help', tool('--help'), /^Usage: dtp/, 1.3, { headline }),
    one('dtp ws --help', tool('ws', '--help'), /^Usage: dtp ws/, 1.3),
    one('a completion, from the stored list', complete(), /^w_1\t/m, 1.3, {
      before: complete('--fresh'),
    }),
    one('one operation, loopback', tool('auth', 'user', '-o', 'json'), /"u_1"/, 2, {
      ...(headline && { headline, to: UNDICI, atMost: 1.15 }),
    }),
    one('one operation, local:', tool('auth', 'user', '-o', 'json'), /"id"/, 2.2, {
      env: local,
    }),
    one('dtp auth status, loopback', tool('auth', 'status', '-o', 'json'), /"valid": true/, 2),
  ];
}

/** The commands under one Node, compared with a bare start of that Node. */
function ofNode(node, suffix, { folder, env, local, address }) {
  const beside = `bare node${suffix}`;
  const empty = join(folder, 'empty.mjs');
  const get = join(folder, 'get.mjs');
  writeFileSync(empty, '');
  writeFileSync(
    get,
    `import { get } from 'node:http';\nget('${address}/v1/user', (answer) => answer.pipe(process.stdout));\n`,
  );
  const one = (name, line, shows, more) => ({ name: `${name}${suffix}`, line, shows, env, ...more });
  return [
    one('bare node', [node, empty], /^$/),
    ...commandsOf((...argv) => dtpUnder(node, ...argv), suffix, { env, local, beside }),
    one('node:http GET', [node, get], /u_1/, { to: beside }),
  ];
}

/** The goal of the executable is to be as fast as another tool that is a binary. */
function ofBinary(binary, { env, local }) {
  const commands = commandsOf((...argv) => [binary, ...argv], ', binary', {
    env,
    local,
    beside: 'bare node',
  });
  const goals = { 'dtp --version, binary': 'gh --version', 'one operation, loopback, binary': 'gh api GET' };
  return commands.map((one) => {
    const to = goals[one.name];
    if (to === undefined) return one;
    return isThere('gh') ? { ...one, to, atMost: 1 } : { ...one, atMost: undefined };
  });
}

/** undici alone, bundled and started as in the tool: no operation can be faster than this. */
async function ofUndici({ folder, env, address }) {
  const program = join(folder, 'undici.mjs');
  writeFileSync(
    program,
    `import { setFlagsFromString } from 'node:v8';
    import { Agent } from 'undici';
    setFlagsFromString('--no-wasm-tier-up --no-wasm-dynamic-tiering');
    const agent = new Agent();
    void agent.request({ origin: '${address}', path: '/v1/user', method: 'GET' }).then(async ({ body }) => {
      process.stdout.write(await body.text());
      await agent.close();
    });`,
  );
  const names = { entryFileNames: 'undici.cjs', chunkFileNames: '[name].cjs' };
  const codeSplitting = {
    includeDependenciesRecursively: false,
    groups: [{ name: groupOf, debugName: 'by need' }],
  };
  await build({
    ...input,
    // Node itself cannot load the parser from a file of bytes.
    plugins: input.plugins.filter(({ name }) => name !== 'parser'),
    cwd: root,
    input: program,
    output: { ...output, ...names, dir: folder, codeSplitting },
  });
  return {
    ...{ name: UNDICI, line: [process.execPath, join(folder, 'undici.cjs')], shows: /u_1/, env },
    ...{ to: 'bare node', note: 'the least that a request of the package takes' },
  };
}

function peers({ folder, env, address }) {
  const beside = { env, to: 'bare node' };
  const url = `${address}/v1/user`;
  const found = [];
  if (isThere('curl')) found.push({ name: 'curl GET', line: ['curl', '-sS', url], shows: /u_1/, ...beside });
  else skip('curl is not installed');
  if (isThere('gh')) {
    const gh = { ...beside, env: { ...env, GH_TOKEN: 'none', GH_NO_UPDATE_NOTIFIER: '1' } };
    found.push({ ...gh, name: 'gh --version', line: ['gh', '--version'], shows: /^gh/ });
    found.push({ ...gh, name: 'gh api GET', line: ['gh', 'api', url], shows: /u_1/ });
  } else skip('gh is not installed');
  for (const name of [...(flags.peers ? [PINNED_PEER] : []), ...flags.peer])
    found.push(...fromRegistry(name, folder, beside));
  return found;
}

/** Installs a package into a folder, without its scripts, from the registry that npm uses. */
function fromRegistry(spec, folder, { env, to }) {
  const name = spec.replace(/(.)@.*$/, '$1');
  const place = join(folder, 'peers', name.replace('/', '-'));
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'package.json'), '{}');
  try {
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', spec], {
      cwd: place,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 180_000,
    });
  } catch (error) {
    skip(`${spec} could not be installed: ${String(error.stderr).trim().split('\n')[0]}`);
    return [];
  }
  const own = join(place, 'node_modules', name);
  const { bin } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));
  const script = typeof bin === 'string' ? bin : (bin[name.split('/').at(-1)] ?? Object.values(bin)[0]);
  // The tools must not check for updates or send telemetry.
  const quiet = { CI: '1', DO_NOT_TRACK: '1', NO_UPDATE_NOTIFIER: '1', REDOCLY_TELEMETRY: 'off' };
  const line = [process.execPath, join(own, script), '--version'];
  return [{ name: `${spec} --version`, line, shows: /\d/, env: { ...env, ...quiet }, to }];
}

async function measure({ folder, env: own }) {
  const sink = await startSink(own);
  pin();
  const env = { ...own, ...sink.settings };
  const local = { ...own, DTP_BASE_URL: 'local:' };
  const place = { folder, env, local, address: sink.address };
  const binary = flags.binary === undefined ? findBinary() : resolve(flags.binary);
  try {
    const commands = [
      ...ofNode(process.execPath, '', place),
      ...flags.node
        .map((node) => resolve(node))
        .flatMap((node) => ofNode(node, `, Node ${versionOf(node).slice(1)}`, place)),
      await ofUndici(place),
      ...peers(place),
      ...(binary === undefined ? [] : ofBinary(binary, place)),
    ];
    return rowsOf(commands, timesOf(commands));
  } finally {
    await sink.stop();
  }
}

/** The median of each command, by its name. */
function timesOf(commands) {
  const times = new Map(commands.map(({ name }) => [name, []]));
  for (let round = -WARM; round < ROUNDS; round++)
    for (const command of commands) {
      if (command.before) time({ ...command, line: command.before });
      const ms = time(command);
      if (round >= 0) times.get(command.name).push(ms);
    }
  return new Map([...times].map(([name, all]) => [name, median(all)]));
}

const rowsOf = (commands, times) =>
  commands.map(({ name, to, atMost, headline, note }) => {
    const ms = times.get(name);
    const shown = { headline, note };
    return measured(name, ms, 'ms', to ? { ratio: ms / times.get(to), to, atMost, ...shown } : shown);
  });

await report(`startup, medians of ${ROUNDS}`, measure);
