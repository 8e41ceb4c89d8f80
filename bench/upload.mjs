/** Upload and download of a large report, compared with curl and the same server: throughput, scaling and peak memory. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { inTurn, isThere, run } from './support/process.mjs';
import { piece } from './support/records.mjs';
import { count, measured, report, scaled, skip } from './support/report.mjs';
import { startSink } from './support/servers.mjs';
import { dtp } from './support/tool.mjs';

const MIB = scaled(2048, 2);
const HALF = Math.round(MIB / 2);
const ROUNDS = scaled(3);

/** Writes a report. Returns its MD5. */
function writeReport(file, mib) {
  const at = openSync(file, 'w');
  const hash = createHash('md5');
  for (let written = 0; written < mib; written++) {
    writeSync(at, piece);
    hash.update(piece);
  }
  closeSync(at);
  return hash.digest('hex');
}

/** Upload and download of one size, each with the tool and with curl. */
function commandsOf({ file, md5, sink, folder, env: own }) {
  const env = { ...own, ...sink.settings };
  const target = join(folder, 'fetched');
  const form = ['-H', 'x-api-key: bench-key', '-F', 'data={"type":"linting"}', '-F', `file=@${file}`];
  const last = ['-o', 'json', '--timeout', '10m'];
  const checked = (line, shows) => async () => {
    const ended = await run(line, { env, cwd: folder });
    rmSync(target, { force: true });
    if (!ended.text.includes(shows)) throw new Error(`${line.join(' ')}: ${ended.text}`);
    return ended;
  };
  return {
    upload: checked(dtp('reports', 'upload', '--type', 'linting', '--file', file, ...last), '/report'),
    download: checked(dtp('reports', 'linting-url', md5, '--download', target, ...last), '"bytes"'),
    curlUpload: checked(['curl', '-sS', ...form, `${sink.address}/v1/reports`], '/report'),
    curlDownload: checked(
      ['sh', '-c', 'curl -sS -o "$1" "$2" && md5sum "$1"', 'sh', target, `${sink.address}/report`],
      md5,
    ),
  };
}

async function measure({ folder, env }) {
  const made = [];
  for (const mib of [HALF, MIB]) {
    const file = join(folder, `report-${mib}.html`);
    made.push({ file, md5: writeReport(file, mib), sink: await startSink(env, { report: mib }) });
  }
  const [half, whole] = made.map((one) => commandsOf({ ...one, folder, env }));
  const curl = isThere('curl') ? [whole.curlUpload, whole.curlDownload] : [];
  if (curl.length === 0) skip('curl is not installed');
  try {
    const ours = [half.upload, half.download, whole.upload, whole.download];
    const [halfUp, halfDown, up, down, ...curls] = await inTurn(ROUNDS, [...ours, ...curl]);
    return [
      ...rowsOf('upload', [halfUp, up], ['curl', curls[0]], { atLeast: 0.85, headline: true }, { atMost: 120 }),
      ...rowsOf('download', [halfDown, down], ['curl and md5sum', curls[1]], { atLeast: 0.9 }, {}),
    ];
  } finally {
    for (const { sink } of made) await sink.stop();
  }
}

function rowsOf(name, [half, whole], [to, curl], rateGoal, memoryGoal) {
  const what = `${name} of ${count(MIB)} MiB`;
  const rateOf = ({ ms }) => MIB / (ms / 1000);
  const beside = curl && { ratio: curl.ms / whole.ms, to, ...rateGoal };
  return [
    ...(curl ? [measured(`${to}, the same ${name}`, rateOf(curl), 'MiB/s')] : []),
    measured(what, rateOf(whole), 'MiB/s', beside),
    measured(`${what}, time`, whole.ms / 1000, 's', {
      ...{ ratio: whole.ms / half.ms, to: `${count(HALF)} MiB`, atMost: 2.2 },
    }),
    measured(`${what}, memory`, whole.peak, 'MB', memoryGoal),
  ];
}

await report(`upload, medians of ${ROUNDS}`, measure);
