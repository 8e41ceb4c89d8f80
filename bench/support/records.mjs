/** The events and revisions in requests and responses. The same number always gives the same record. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';

const hashOf = (number) => (Math.imul(number, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0');

export const interactions = ['CI_EXEC', 'CLI_EXEC', 'LINT', 'TARGET_GENERATE', 'PUBLISH'];

/** An event of about 500 bytes, as a pipeline would send it. Twenty events belong to one action. Ids are not in order. */
export function eventOf(number, workspace) {
  const action = Math.floor(number / 20);
  return {
    id: `${hashOf(number)}-0000-4000-8000-${String(number).padStart(12, '0')}`,
    execution_id: `run-${action}`,
    workspace_id: workspace,
    interaction_type: interactions[number % interactions.length],
    local_started_at: '2025-03-01T10:00:00.000Z',
    local_completed_at: '2025-03-01T10:00:01.000Z',
    created_at: new Date(1_740_000_000_000 + number * 1000).toISOString(),
    speakeasy_api_key_name: 'ci',
    speakeasy_version: '1.400.0',
    success: number % 10 !== 0,
    source_revision_digest: `sha256:${action % 5000}`,
    lint_report_digest: `lint-${action % 3000}`,
    openapi_diff_report_digest: `diff-${action % 2000}`,
    generate_gen_lock_id: `lock-${action % 200}`,
    generate_target: ['typescript', 'python', 'go', 'java'][number % 4],
  };
}

/** The number of events that are written at once. */
const PIECE = 500;

/** Writes the events from `from` up to but not including `to` as NDJSON, and returns the path of the file. */
export async function writeEvents(folder, from, to, workspace) {
  const file = join(folder, `events-${from}-${to}-${workspace}.ndjson`);
  const out = createWriteStream(file);
  for (let at = from; at < to; at += PIECE) {
    const size = Math.min(PIECE, to - at);
    const lines = Array.from({ length: size }, (_, index) => JSON.stringify(eventOf(at + index, workspace)));
    if (!out.write(`${lines.join('\n')}\n`)) await new Promise((done) => out.once('drain', done));
  }
  out.end();
  await finished(out);
  return file;
}

/** A revision of about 250 bytes. */
const revisionOf = (number) => ({
  id: `${hashOf(number)}-0000-4000-8000-${String(number).padStart(12, '0')}`,
  digest: `sha256:${hashOf(number).repeat(8)}`,
  namespace_name: `pets-${number % 100}`,
  tags: number % 3 === 0 ? ['latest', `v${number}`] : [`v${number}`],
  created_at: new Date(1_740_000_000_000 + number * 1000).toISOString(),
  updated_at: '2026-01-31T12:00:00.000Z',
});

const digestOf = (text) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** The kinds of lists by name, with a function that returns the JSON of one revision in a list of `rows`. */
const lists = {
  rows: (number) => JSON.stringify(revisionOf(number)),
  // One digest in 25 begins like a number with an exponent, such as `7e12`.
  digests: (number) =>
    JSON.stringify({
      ...revisionOf(number),
      digest: digestOf(`${number}`),
      layers: [digestOf(`${number} a`), digestOf(`${number} b`)],
    }),
  // One integer in the middle cannot be represented as a double.
  integer: (number, rows) =>
    JSON.stringify({ ...revisionOf(number), size: 0 }).replace(
      '"size":0',
      number === Math.floor(rows / 2) ? '"size":12345678901234567891' : '"size":1234',
    ),
};

/** The bytes of a revision in a list, including its comma. */
export const revisionBytes = (name) => lists[name](1, 0).length + 1;

/** The JSON of some revisions of a list of `rows`, joined by commas. */
export const revisionsText = (from, to, name = 'rows', rows = to) =>
  Array.from({ length: to - from }, (_, at) => lists[name](from + at, rows)).join(',');

/** One MiB, of which uploaded and downloaded reports consist. */
export const piece = Buffer.alloc(1024 * 1024, 'The report. ');
