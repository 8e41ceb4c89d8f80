/** What posting costs the machine that posts, and how many workers, connections or both it takes to post faster. */
import { statSync } from 'node:fs';
import { cpuOfChildren, inTurn, median, run } from './support/process.mjs';
import { writeEvents } from './support/records.mjs';
import { count, measured, report, scaled } from './support/report.mjs';
import { startSink } from './support/servers.mjs';
import { dtp } from './support/tool.mjs';

const ROUNDS = scaled(3);
const BATCH = 500;
/** The events of a part. There are four parts, so that four workers have one each. */
const [PART, FAR_PART] = [100_000, 25_000].map((events) => BATCH * scaled(events / BATCH));
const PARTS = 4;
/** How long a far service takes for a request, in milliseconds. */
const DELAY = 50;

const perMillion = (figure, events) => (figure * 1e6) / events;
const rateOf = ({ ms }, events) => events / (ms / 1000);

async function writeParts({ folder }, events) {
  const files = [];
  for (let at = 0; at < PARTS; at++) files.push(await writeEvents(folder, at * events, (at + 1) * events, 'w_1'));
  return files;
}

/** Posts the parts as docs/many-machines.md does: `workers` processes at once, one for each part. */
async function post({ settings }, env, { files, workers = 1, flags = [] }) {
  const [node, script] = dtp();
  const line = [
    'sh',
    '-c',
    'printf "%s\\n" "$@" | xargs -P "$WORKERS" -I{} "$NODE" "$TOOL" events post --body @{} $FLAGS',
  ];
  const before = cpuOfChildren();
  const variables = { ...env, ...settings, WORKERS: String(workers), NODE: node, TOOL: script, FLAGS: flags.join(' ') };
  const ended = await run([...line, 'sh', ...files], { env: variables });
  return { ...ended, cpu: cpuOfChildren() - before };
}

/** With a service that takes no time: the work of the machine itself. */
async function nearRows(place) {
  const files = await writeParts(place, PART);
  const events = PARTS * PART;
  const sink = await startSink(place.env);
  try {
    const runs = [];
    const poster = (options) => async () => {
      const ended = await post(sink, place.env, { files, ...options });
      runs.push({ options, ...ended });
      return ended;
    };
    const [one, alone] = [{ workers: 1 }, { workers: 1, flags: ['--no-queue'] }];
    const all = await inTurn(ROUNDS, [one, { workers: 2 }, { workers: 4 }, alone].map(poster));
    const cpuOf = (wanted) => median(runs.filter(({ options }) => options === wanted).map(({ cpu }) => cpu));
    const received = Number(await (await fetch(`${sink.address}/received`)).text()) / runs.length;
    const size = files.reduce((sum, file) => sum + statSync(file).size, 0);
    const [single, ...more] = all.slice(0, 3);
    return [
      measured('CPU time for a million events', perMillion(cpuOf(one), events), 's', {
        note: `measured with ${count(events)}`,
      }),
      measured('CPU time for a million events, --no-queue', perMillion(cpuOf(alone), events), 's', {
        ...{ ratio: cpuOf(alone) / cpuOf(one), to: 'with the queue' },
      }),
      measured('bytes on the wire for a million events', perMillion(received / 1e6, events), 'MB', {
        ...{ ratio: received / size, to: 'the NDJSON file' },
      }),
      measured('1 worker', rateOf(single, events), 'events/s'),
      ...more.map((ended, at) =>
        measured(`${[2, 4][at]} workers`, rateOf(ended, events), 'events/s', {
          ...{ ratio: single.ms / ended.ms, to: '1 worker' },
        }),
      ),
    ];
  } finally {
    await sink.stop();
  }
}

/** With a service that is far away or slow, so that connections matter. */
async function farRows(place) {
  const files = await writeParts(place, FAR_PART);
  const events = PARTS * FAR_PART;
  const sink = await startSink(place.env, { delay: DELAY });
  try {
    const ways = [
      ['1 worker', {}],
      ['1 worker, --concurrency 16', { flags: ['--concurrency', '16'] }],
      ['1 worker, --concurrency 64', { flags: ['--concurrency', '64'] }],
      ['2 workers', { workers: 2 }],
      ['4 workers', { workers: 4 }],
    ];
    const all = await inTurn(
      ROUNDS,
      ways.map(
        ([, options]) =>
          () =>
            post(sink, place.env, { files, ...options }),
      ),
    );
    return ways.map(([name], at) =>
      measured(`${name}, ${DELAY} ms for a request`, rateOf(all[at], events), 'events/s', {
        ...(at > 0 && { ratio: all[0].ms / all[at].ms, to: '1 worker' }),
      }),
    );
  } finally {
    await sink.stop();
  }
}

await report(`workers, medians of ${ROUNDS}`, async (place) => [...(await nearRows(place)), ...(await farRows(place))]);
