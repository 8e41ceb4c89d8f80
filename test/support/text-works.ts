/** Every function that receives a string from the service, as a function of that string only. */
import { DtpError } from '../../src/errors.ts';
import { withoutSecrets } from '../../src/invocation/explain.ts';
import { replaceBigints } from '../../src/json-object.ts';
import { errorOf, shownResult, toolResult } from '../../src/mcp/result.ts';
import { operations } from '../../src/operations/index.ts';
import { instantOf } from '../../src/render/amounts.ts';
import { annotation, maskCommand, withoutCommands } from '../../src/render/annotation.ts';
import { boundValue } from '../../src/render/bounds.ts';
import { cell, listCell, recordCell } from '../../src/render/cells.ts';
import { chart } from '../../src/render/chart.ts';
import { checksText } from '../../src/render/checks.ts';
import { csv, tsv } from '../../src/render/delimited.ts';
import { plainScalars } from '../../src/render/formats.ts';
import { messageJson, messageText } from '../../src/render/message.ts';
import { writeNames } from '../../src/render/names.ts';
import { hasHidden, jsonText, linePieces, visible } from '../../src/render/sanitize.ts';
import { shortener, shortId } from '../../src/render/short.ts';
import { layOut, table } from '../../src/render/table.ts';
import { cut, widthOf, wrapLines, wrapWords } from '../../src/render/width.ts';
import { label } from '../../src/render/words.ts';
import { yaml } from '../../src/render/yaml.ts';
import { findInexactNumber, parseJson } from '../../src/request/json.ts';
import { readResponse } from '../../src/request/read.ts';
import { reasonIn } from '../../src/request/reason.ts';
import { maskDeep, maskOf, redactHeaders, redactUrl, redactValue } from '../../src/request/redact.ts';
import { commandLine } from '../../src/settings/command-line.ts';

const screen = { color: true, width: 80, now: 0 };
const pipe = { color: false };
const secrets = ['a-secret-of-some-length', 'another/secret+of=some length'];
const log = { masked: <Value>(value: Value) => maskDeep(value, maskOf(secrets)) as Value };
const failure = (text: string) =>
  new DtpError('server', text, { hint: text, request_id: text, details: { text }, next: [text], page: text });
const fields = (text: string) =>
  Object.fromEntries(
    Array.from({ length: Math.ceil(text.length / 64) }, (_, at) => [`${at}${text.slice(0, 64)}`, text.slice(0, 8)]),
  );
const items = (text: string) => Array.from({ length: Math.ceil(text.length / 64) }, () => text.slice(0, 64));
const rowsWith = (text: string) => items(text).map((one, id) => ({ id, name: one }));
const answer = (body: string, status: number) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: (async function* () {
    yield Buffer.from(body);
  })(),
});
const given = {
  operation: operations.getWorkspace,
  input: {},
  globals: {},
  query: undefined,
  log,
} as never;

export const textFunctions: Readonly<Record<string, (text: string) => unknown>> = {
  redactUrl,
  'redactUrl of a URL': (text) => redactUrl(`https://a.example/?token=${text}`),
  'redactUrl of user info': (text) => redactUrl(`https://${text}`),
  redactValue: (text) => redactValue({ text }),
  'redactValue of names': (text) => redactValue(fields(text)),
  'redactValue of a long name': (text) => redactValue({ [text]: 1 }),
  redactHeaders: (text) => redactHeaders({ a: text }),
  maskOf: (text) => maskOf(secrets)(text),
  maskDeep: (text) => maskDeep({ text }, maskOf(secrets)),
  'reasonIn text': reasonIn,
  'reasonIn HTML': (text) => reasonIn(`<html><body>${text}`),
  'reasonIn HTML with tags': (text) => reasonIn(`<html>${'<p>'.repeat(text.length / 4)}${text}`),
  'reasonIn JSON': (text) => reasonIn({ message: text, errors: { [text]: text } }),
  'reasonIn list': (text) => reasonIn({ errors: items(text) }),
  'reasonIn unknown': (text) => reasonIn({ other: text }),
  hasHidden,
  visible,
  'visible lines': (text) => visible(text, { lines: true }),
  jsonText,
  'jsonText long': (text) => jsonText([text, 123456789012345678901n]),
  linePieces: async (text) => [...(await linePieces(items(text)))],
  withoutLong: (text) => replaceBigints({ text, n: 1n }, String),
  widthOf,
  cut: (text) => cut(text, 40),
  wrapped: (text) => wrapLines(text, 72, '  '),
  words: (text) => wrapWords(text, 72),
  label,
  shortId,
  'shortener of a list': (text) => shortener(items(text))(text),
  cell,
  'cell of a list': (text) => cell(items(text)),
  listCell: (text) => listCell(text, screen),
  recordCell,
  layOut: (text) =>
    layOut(
      [
        ['NAME', 'TEXT'],
        ['a', visible(text)],
      ],
      {},
    ),
  'layOut rows': (text) =>
    layOut(
      items(text).map((one) => ['a', visible(one)]),
      {},
    ),
  'table of a string': (text) => table(text, screen),
  'table of a record': (text) => table({ id: 1, text }, screen),
  'table of a long name': (text) => table({ [text]: 1 }, screen),
  'table of fields': (text) => table(fields(text), screen),
  'table of a list': (text) => table([{ id: 1, text }], screen),
  'table of rows': (text) => table(rowsWith(text), screen),
  'table on a narrow terminal': (text) => table([{ id: 1, text }], { ...screen, width: 40 }),
  'wide table': (text) => table([{ id: 1, text }], { ...screen, wide: true }),
  'table in a pipe': (text) => table([{ id: 1, text }], pipe),
  'table of strings': (text) => table(items(text), screen),
  'record in a pipe': (text) => table({ id: 1, text }, pipe),
  csv: (text) => csv([{ id: 1, text }], pipe),
  'csv of rows': (text) => csv(rowsWith(text), pipe),
  tsv: (text) => tsv([{ id: 1, text }], pipe),
  yaml: (text) => yaml({ id: 1, text }),
  'yaml of a long name': (text) => yaml({ [text]: 1 }),
  'yaml of a list': (text) => yaml(items(text)),
  names: (text) => writeNames([{ id: text }], pipe),
  bare: (text) => plainScalars(text, screen),
  messageText: (text) => messageText(failure(text), { color: true, debug: true, width: 80 }),
  'messageText in a pipe': (text) => messageText(failure(text), { color: false, debug: false }),
  messageJson: (text) => messageJson(failure(text)),
  chart: (text) => chart([{ label: text, value: 1, note: '1' }], 80, true),
  checksText: (text) =>
    checksText([{ check: 'a', status: 'ok', message: text, fix: text }], { width: 80, color: true }),
  instantOf,
  'instantOf digits': (text) => instantOf(`2025-01-01T00:00:00.${text}`),
  annotation: (text) => annotation('error', text, text),
  maskCommand,
  withoutCommands,
  'parseJson of a string': (text) => parseJson(JSON.stringify(text)),
  'parseJson of what is not JSON': (text) => {
    try {
      parseJson(text);
    } catch {}
  },
  'parseJson of numbers': (text) =>
    parseJson(
      `[${items(text)
        .map((_, i) => `9007199254740993${i}`)
        .join(',')}]`,
    ),
  'parseJson of a number': (text) => {
    try {
      parseJson(`1${text}`);
    } catch {}
  },
  inexactIn: (text) => findInexactNumber(`[1${text}`),
  readResponse: async (text) => {
    await readResponse(
      operations.getWorkspace,
      answer(JSON.stringify({ text }), 200) as never,
      { method: 'GET', url: 'http://a.example/', headers: {} } as never,
    );
  },
  'readResponse failed': async (text) => {
    try {
      await readResponse(
        operations.getWorkspace,
        answer(text, 500) as never,
        { method: 'GET', url: 'http://a.example/', headers: {} } as never,
      );
    } catch {}
  },
  withoutSecrets: (text) => withoutSecrets(failure(text), secrets),
  commandLine: (text) => commandLine(['ws', 'get', text, '--proxy', text]),
  bounded: (text) => boundValue({ rows: items(text) }, 'rows', 50),
  'bounded text': (text) => boundValue({ text }, undefined),
  shownResult: async (text) => toolResult(await shownResult(given, { kind: 'value', value: { text } })),
  errorOf: (text) => errorOf(failure(text), log),
};
