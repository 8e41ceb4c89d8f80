/** Reads an export into an empty store, and checks that the store then holds exactly what was exported. */
import { isDeepStrictEqual } from 'node:util';
import { messageOf, orThrow } from '../../caught.ts';
import { fieldsOf } from '../../json-object.ts';
import { Refusal } from '../refusal.ts';
import { schema } from '../schema/tables.ts';
import { latestVersion } from '../schema/versions.ts';
import {
  headerLine,
  isEmptyStore,
  openTally,
  type StoredTable,
  storedTables,
  type TableSums,
  tableLines,
} from './export.ts';
import { databaseProblem, isDiskFault } from './remote-fault.ts';
import { type Store, versionIn } from './store.ts';

const damaged = (why: string): Refusal => new Refusal(422, `the file is damaged: ${why}`);

/** The rows that a line has, and their table. */
type ExportLine = readonly [table: unknown, ...rows: unknown[]];

/**
 * Imports everything or nothing, also the tables. Throws Refusal for an unsuitable file or store. `pause` may throw to
 * stop it.
 */
export async function importStore(store: Store, source: AsyncIterable<Uint8Array>, pause: () => Promise<void>) {
  const lines = readExport(source);
  const first = await lines.next();
  const { commit, rollBack } = store.begin('IMMEDIATE');
  try {
    if (!isEmptyStore(store)) throw new Refusal(409, 'there is already data, and an import replaces nothing');
    if (versionIn(store) === 0) {
      for (const sql of schema) store.run(sql);
      store.insert('meta', { key: 'schema', value: String(latestVersion()) });
    }
    const tables = new Map(storedTables(store).map((table) => [table.name, table.columns]));
    let line = first;
    for (; !line.done; line = await lines.next()) copyRows(store, tables, line.value);
    const expected = line.value;
    const stored = tableLines(store);
    let next = stored.next();
    for (; !next.done; next = stored.next()) await pause();
    if (!isDeepStrictEqual(next.value, expected)) throw damaged('its rows do not match its digests');
    commit();
    return next.value;
  } catch (error) {
    rollBack();
    throw error;
  }
}

/**
 * Yields the lines of an export, and returns its last one. Throws Refusal if it is not an export of this version, or if
 * its rows do not match the numbers and digests in its last line.
 */
async function* readExport(source: AsyncIterable<Uint8Array>): AsyncGenerator<ExportLine, TableSums> {
  const lines = linesIn(source);
  const { value: header = '' } = await lines.next();
  if (!header.startsWith('{"format":"dtp-data",')) throw new Refusal(422, 'the file is not an export of dtp');
  if (header !== headerLine()) throw new Refusal(422, 'the file is from a version of dtp with other tables');
  const tally = openTally();
  let end: unknown;
  for await (const line of lines) {
    if (end !== undefined) throw damaged('there are lines after its end');
    const noJson = () => damaged('a line is not JSON');
    const value: unknown = orThrow(() => JSON.parse(line), noJson);
    if (!Array.isArray(value)) {
      end = value;
      continue;
    }
    const [table, ...rows] = value;
    tally.add(String(table), rows);
    yield [table, ...rows];
  }
  if (end === undefined) throw damaged('its end is missing');
  const sums = tally.sums(Object.keys(fieldsOf(end)));
  if (!isDeepStrictEqual(sums, end)) throw damaged('its rows do not match its digests');
  return sums;
}

/** Passes on the bytes of an export, and the last ones only if all of them are an export. Returns its last line. */
export async function* checkedExport(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, TableSums> {
  const passed: Uint8Array[] = [];
  const seen = async function* () {
    for await (const chunk of source) {
      passed.push(chunk);
      yield chunk;
    }
  };
  const lines = readExport(seen());
  for (;;) {
    const line = await lines.next();
    yield* passed.splice(0, line.done ? passed.length : passed.length - 1);
    if (line.done) return line.value;
  }
}

function copyRows(
  store: Store,
  tables: ReadonlyMap<unknown, StoredTable['columns']>,
  [name, ...rows]: ExportLine,
): void {
  const columns = tables.get(name);
  if (!columns || !rows.every((row): row is unknown[] => Array.isArray(row) && row.length === columns.length))
    throw damaged('a line does not fit its table');
  const marks = rows.map(() => `(${columns.map(() => '?').join(', ')})`).join(', ');
  const names = columns.map((column) => column.name).join(', ');
  try {
    store.run(`INSERT INTO ${name} (${names}) VALUES ${marks}`, ...rows.flat().map(cellOf));
  } catch (error) {
    if (databaseProblem(error) || isDiskFault(error)) throw error;
    throw new Refusal(422, `the database refuses rows of ${name}: ${messageOf(error)}`);
  }
}

function cellOf(value: unknown): string | number | null | Uint8Array {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  const { base64 } = fieldsOf(value);
  if (typeof base64 !== 'string') throw damaged('a value has an unknown type');
  return Buffer.from(base64, 'base64');
}

/** The longest line, in bytes. It is held in memory. */
const LINE_LIMIT = 128 * 1024 * 1024;

async function* linesIn(source: AsyncIterable<Uint8Array>): AsyncGenerator<string, undefined> {
  let [rest, size]: [Uint8Array[], number] = [[], 0];
  for await (const chunk of source) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, end + 1)]).toString();
      [rest, size, from] = [[], 0, end + 1];
    }
    // The source may use the buffer of the chunk again.
    rest.push(Buffer.from(chunk.subarray(from)));
    size += chunk.byteLength - from;
    if (size > LINE_LIMIT) throw damaged('a line is too long');
  }
  if (size > 0) throw damaged('its last line is incomplete');
}
