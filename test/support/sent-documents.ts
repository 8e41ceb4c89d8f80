/** Commands that send an API document, each way to pass it, and what arrived on the wire. */
import { expect } from 'vitest';
import type { Context } from '../../src/context.ts';
import { readAll } from '../../src/request/http.ts';
import { dtp, type Ended, type World } from './context.ts';

type Way = (path: string) => readonly string[];

const stored = ['--package-name', 'p', '--sdk-classname', 'C', '--format', 'yaml', '--yes'];
const body = (value: object) => ['--body', JSON.stringify(value)];

/** Everything except standard input. */
const ways: Readonly<Record<string, Way>> = {
  'preview --schema-file': (path) => ['code-samples', 'preview', '--schema-file', path, '--language', 'curl'],
  'preview -F': (path) => ['code-samples', 'preview', '-F', `schema_file=@${path}`, '-F', 'language=curl'],
  'preview --body': (path) => ['code-samples', 'preview', ...body({ schema_file: path, language: 'curl' })],
  'jobs create --schema-file': (path) => [
    ...['code-samples', 'jobs', 'create', '--schema-file', path, '--language', 'curl'],
  ],
  'jobs create -F': (path) => ['code-samples', 'jobs', 'create', '-F', `schema_file=@${path}`],
  'jobs create --body': (path) => ['code-samples', 'jobs', 'create', ...body({ schema_file: path })],
  'suggest openapi --schema': (path) => ['suggest', 'openapi', '--schema', path],
  'suggest openapi -F': (path) => ['suggest', 'openapi', '-F', `schema=@${path}`],
  'suggest openapi --body': (path) => ['suggest', 'openapi', ...body({ schema: path })],
  'schema-store create --spec': (path) => ['schema-store', 'create', '--spec', path, ...stored],
  'schema-store create -F': (path) => ['schema-store', 'create', '-F', `spec=@${path}`, ...stored],
};

export const everyWay = Object.entries(ways);

/** One command of each operation. */
export const everyFlag = everyWay.filter(([name]) => / --s/.test(name));

export const documentEnv = {
  DTP_BASE_URL: 'https://api.example.test',
  DTP_API_KEY: 'k-1',
  DTP_ERROR_FORMAT: 'text',
};

/** Runs a command, and returns the document that it sent. */
export async function sentBy(
  argv: readonly string[],
  world: World,
): Promise<Ended & { readonly document: Buffer | undefined }> {
  let document: Buffer | undefined;
  const openSend: Context['openSend'] = async () => ({
    send: async ({ body }) => {
      if (!body) throw new Error('no body was sent');
      document = documentIn('open' in body ? await whole(body) : Buffer.from(body));
      return {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: answer(),
      };
    },
    close: async () => undefined,
  });
  const ended = await dtp(argv, { openSend, ...world, env: documentEnv });
  return { ...ended, document };
}

async function whole(body: { readonly size: number; readonly open: () => AsyncIterable<Uint8Array> }) {
  const bytes = Buffer.from((await readAll(body.open(), 2 ** 30)) ?? []);
  expect(bytes.byteLength).toBe(body.size);
  return bytes;
}

async function* answer(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"snippets":[],"job_id":"j"}');
}

function documentIn(bytes: Buffer): Buffer {
  if (bytes.at(0) === 0x7b) return Buffer.from(JSON.parse(bytes.toString()).spec);
  const part = bytes.toString('latin1').search(/name="schema(_file)?"/);
  const start = bytes.indexOf('\r\n\r\n', part) + 4;
  return bytes.subarray(start, bytes.indexOf('\r\n--dtp-', start));
}
