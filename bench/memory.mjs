/**
 * The peak memory of small commands, compared with a bare Node, and the size of the installed package.
 *
 *   --node PATH     also use another Node (repeatable)
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { inTurn, run } from './support/process.mjs';
import { measured, report, scaled } from './support/report.mjs';
import { startSink } from './support/servers.mjs';
import { dtpUnder, findBinary, root, versionOf } from './support/tool.mjs';

const ROUNDS = scaled(7);

const { values: flags } = parseArgs({ options: { node: { type: 'string', multiple: true, default: [] } } });

async function measure({ folder, env: own }) {
  const sink = await startSink(own);
  const env = { ...own, ...sink.settings };
  const empty = join(folder, 'empty.mjs');
  writeFileSync(empty, '');
  const binary = findBinary();
  const operation = ['auth', 'user', '-o', 'json'];
  /** The name of a command, its command line, its environment, what it is compared with, and the goal. */
  const ofNode = (node, suffix) => {
    const beside = `bare node${suffix}`;
    return [
      [beside, [node, empty], env],
      [`dtp --version${suffix}`, dtpUnder(node, '--version'), env, beside],
      [`one operation, loopback${suffix}`, dtpUnder(node, ...operation), env, beside, { atMost: 1.3 }],
      [`one operation, local:${suffix}`, dtpUnder(node, ...operation), { ...own, DTP_BASE_URL: 'local:' }, beside],
    ];
  };
  const commands = [
    ...ofNode(process.execPath, ''),
    ...flags.node.map((node) => resolve(node)).flatMap((node) => ofNode(node, `, Node ${versionOf(node).slice(1)}`)),
    ...(binary === undefined
      ? []
      : [
          ['dtp --version, binary', [binary, '--version'], env, 'bare node'],
          ['one operation, loopback, binary', [binary, ...operation], env, 'bare node'],
        ]),
  ];
  try {
    const runs = await inTurn(
      ROUNDS,
      commands.map(
        ([, line, env]) =>
          () =>
            run(line, { env, cwd: folder }),
      ),
    );
    const peaks = new Map(commands.map(([name], at) => [name, runs[at].peak]));
    const held = commands.map(([name, , , to, goal]) => {
      const peak = peaks.get(name);
      return measured(name, peak, 'MB', to ? { ratio: peak / peaks.get(to), to, ...goal } : undefined);
    });
    return [...held, measured('the installed package, without the driver', packageSize(), 'MB', { atMost: 5 })];
  } finally {
    await sink.stop();
  }
}

/** The size on the disk in MB. */
function packageSize() {
  const text = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
  });
  const [{ unpackedSize }] = JSON.parse(text);
  return unpackedSize / 1e6;
}

await report(`memory, medians of ${ROUNDS}`, measure);
