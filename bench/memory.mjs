/** The peak memory of small commands, compared with a bare Node, and the size of the installed package. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inTurn, run } from './support/process.mjs';
import { measured, report, scaled } from './support/report.mjs';
import { startSink } from './support/servers.mjs';
import { dtp, findBinary, root } from './support/tool.mjs';

const ROUNDS = scaled(7);

async function measure({ folder, env: own }) {
  const sink = await startSink(own);
  const env = { ...own, ...sink.settings };
  const empty = join(folder, 'empty.mjs');
  writeFileSync(empty, '');
  const binary = findBinary();
  const operation = ['auth', 'user', '-o', 'json'];
  const commands = [
    ['bare node', [process.execPath, empty], env],
    ['dtp --version', dtp('--version'), env],
    ['one operation, loopback', dtp(...operation), env],
    ['one operation, local:', dtp(...operation), { ...own, DTP_BASE_URL: 'local:' }],
    ...(binary === undefined
      ? []
      : [
          ['dtp --version, binary', [binary, '--version'], env],
          ['one operation, loopback, binary', [binary, ...operation], env],
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
    const held = commands.map(([name], at) => {
      const { peak } = runs[at];
      if (at === 0) return measured(name, peak, 'MB');
      const goal = name === 'one operation, loopback' ? { atMost: 1.3 } : {};
      return measured(name, peak, 'MB', { ratio: peak / runs[0].peak, to: 'bare node', ...goal });
    });
    return [
      ...held,
      measured('the installed package, without the driver', packageSize(), 'MB', { atMost: 5 }),
    ];
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
