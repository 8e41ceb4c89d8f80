/** Large results in each format, as whole commands: whether time grows linearly, and JSON compared with a bare program. */
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { inTurn, run } from './support/process.mjs';
import { revisionBytes, revisionsText } from './support/records.mjs';
import { count, measured, report, scaled } from './support/report.mjs';
import { startSink } from './support/servers.mjs';
import { dtp } from './support/tool.mjs';

const ROUNDS = scaled(3);
const ROWS = scaled(100_000, 2);
const MB = scaled(100);
const formats = ['json', 'table', 'csv', 'tsv', 'yaml', 'ndjson', 'name'];

/** Writes the document that the tool will show. */
function writeDocument(file, name, rows) {
  const at = openSync(file, 'w');
  writeSync(at, '{"items":[');
  for (let from = 0; from < rows; from += 10_000)
    writeSync(at, `${from ? ',' : ''}${revisionsText(from, Math.min(from + 10_000, rows), name, rows)}`);
  writeSync(at, ']}');
  closeSync(at);
}

/** The minimum that any tool must do to show JSON. */
const bare = `import { readFileSync } from 'node:fs';
const value = JSON.parse(readFileSync(process.argv[2], 'utf8'));
process.stdout.write(JSON.stringify(value, undefined, 2) + '\\n');
`;

/** Both must print the same number of bytes. The bare program rounds a long integer, but its length stays the same. */
function checkBytes(node, json) {
  if (node.bytes !== json.bytes) throw new Error(`-o json: ${json.bytes} bytes instead of ${node.bytes}`);
}

async function measure({ folder, env: own }) {
  const sink = await startSink(own);
  const env = { ...own, ...sink.settings };
  const list =
    (rows, format, name = 'rows') =>
    async () => {
      const argv = ['artifacts', 'revisions', 'list', `${name}-${rows}`, '--all', '-o', format];
      const ended = await run(dtp(...argv), { env, cwd: folder });
      if (ended.lines < rows) throw new Error(`-o ${format}: ${ended.lines} lines of ${rows} rows`);
      return ended;
    };
  const script = join(folder, 'bare.mjs');
  writeFileSync(script, bare);
  /** Writes a document of `MB` megabytes. Returns its number of rows, and a run of the bare program. */
  const documentOf = (name) => {
    const rows = Math.round((MB * 1e6) / revisionBytes(name));
    const document = join(folder, `${name}.json`);
    writeDocument(document, name, rows);
    return { rows, parsed: () => run([process.execPath, script, document], { env, cwd: folder }) };
  };
  /** Measures `-o json` of a document, compared with the bare program. */
  const beside = async (name, label, atMost) => {
    const { rows, parsed } = documentOf(name);
    await list(rows, 'ndjson', name)();
    const [node, json] = await inTurn(ROUNDS, [parsed, list(rows, 'json', name)]);
    checkBytes(node, json);
    const to = 'JSON.parse and JSON.stringify';
    return measured(label, json.ms / 1000, 's', { ratio: json.ms / node.ms, to, atMost });
  };
  const { rows: many, parsed } = documentOf('rows');
  const half = (number) => Math.round(number / 2);
  // The sink creates its pages on the first request, which should not be measured.
  for (const rows of [half(ROWS), ROWS, half(many), many]) await list(rows, 'ndjson')();
  try {
    const [node, json, less] = await inTurn(ROUNDS, [parsed, list(many, 'json'), list(half(many), 'json')]);
    checkBytes(node, json);
    const others = [
      await beside('digests', `-o json of ${MB} MB of digests`, 1.3),
      await beside('integer', `-o json of ${MB} MB with one integer of 20 digits`, 3),
    ];
    const runs = await inTurn(
      ROUNDS,
      formats.flatMap((format) => [list(half(ROWS), format), list(ROWS, format)]),
    );
    const doubled = (name, to, one, two) => {
      const growth = { ratio: two.ms / one.ms, to, atMost: 2.2 };
      return measured(name, two.ms / 1000, 's', growth);
    };
    const timeOf = (format) => runs[2 * formats.indexOf(format) + 1].ms;
    return [
      measured(`JSON.parse and JSON.stringify of ${MB} MB`, node.ms / 1000, 's'),
      measured(`-o json of ${MB} MB`, json.ms / 1000, 's', {
        ...{ ratio: json.ms / node.ms, to: 'JSON.parse and JSON.stringify' },
        ...{ atMost: 1.5, headline: true },
      }),
      ...others,
      measured(`-o json of ${MB} MB, memory`, json.peak, 'MB', {
        ratio: json.peak / node.peak,
        to: 'JSON.parse and JSON.stringify',
      }),
      doubled(`-o json of ${MB} MB, doubled`, `${MB / 2} MB`, less, json),
      ...formats.map((format, at) =>
        doubled(`-o ${format} of ${count(ROWS)} rows`, `${count(half(ROWS))} rows`, runs[2 * at], runs[2 * at + 1]),
      ),
      measured(`-o yaml of ${count(ROWS)} rows, compared with JSON`, timeOf('yaml') / 1000, 's', {
        ...{ ratio: timeOf('yaml') / timeOf('json'), to: '-o json of the same rows', atMost: 3 },
      }),
    ];
  } finally {
    await sink.stop();
  }
}

await report(`render, medians of ${ROUNDS}`, measure);
