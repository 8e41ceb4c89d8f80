/**
 * The wire, observed by nock: rows of literal requests, and the program run with them without leaving the
 * process.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import nock from 'nock';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Context } from '../../src/context.ts';
import { sendOver } from '../../src/transport/send.ts';
import { dtp, type Ended, temporaryFolder, type World } from './context.ts';
import { trustFolderFile } from './folder-file.ts';
import { Bridge } from './nock-bridge.ts';

/** A command line, the request that it must send and the output that it must print. Every value is typed by hand. */
export interface Row {
  readonly id: string;
  /** `-o json` is added. */
  readonly argv: readonly string[];
  /** Files written to the folder where the command runs. */
  readonly files?: Readonly<Record<string, string>>;
  readonly method: string;
  /** With the query, as sent. */
  readonly path: string;
  /** All headers except `common`, the credential and the length of the body. */
  readonly headers: Readonly<Record<string, string>>;
  /** A JSON value, or the whole form as a string. */
  readonly body?: unknown;
  /** Sent without a credential although one is configured. */
  readonly anonymous?: true;
  /** The namespace whose token the request uses. That token is requested first. */
  readonly tokenOf?: string;
  readonly reply: Reply;
  readonly stdout: string;
}

export type Reply = readonly [status: number, body?: string | Buffer | undefined, headers?: Record<string, string>];

/** A request as it arrived. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const asksJson = { accept: 'application/json' };
export const sendsJson = { accept: 'application/json', 'content-type': 'application/json' };
export const sendsForm = {
  accept: 'application/json',
  'content-type': 'multipart/form-data; boundary=dtp-00000000-0000-4000-8000-000000000000',
};

/** The lines of a JSON document as printed. */
export const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;

/** The lines of a form. */
export const crlf = (...all: readonly string[]): string => `${all.join('\r\n')}\r\n`;

/** The output of an operation without a body. */
export const done = (id: string, status: number): string =>
  lines('{', '  "ok": true,', `  "operation": "${id}",`, `  "status": ${status}`, '}');

/** The output for one batch of one delivered event, except for the fields that a row gives. */
export const posted = (counts: Readonly<Record<string, number>>): string => {
  const all = {
    accepted: 1,
    delivered: 1,
    pending: 0,
    rejected: 0,
    batches: 1,
    attempts: 1,
    bytes: 0,
    elapsed_ms: 0,
  };
  return `${JSON.stringify({ ...all, ...counts }, undefined, 2)}\n`;
};

export const openWire = (): Context['openSend'] => async (options) => ({
  send: sendOver(() => new Bridge(), options.userAgent),
  close: async () => undefined,
});

// nock replaces node:http when it is imported, for all files of this process.
nock.restore();

/** For a whole test file: nothing leaves the process, and every expected request must arrive. */
export function guardWire(): void {
  beforeAll(() => nock.activate());
  beforeEach(() => nock.disableNetConnect());
  afterEach(() => {
    const pending = nock.pendingMocks();
    nock.cleanAll();
    expect(pending).toEqual([]);
  });
  afterAll(() => {
    nock.restore();
    nock.enableNetConnect();
  });
}

/** Answers requests with exactly this method, path and query, one for each reply, and collects them. */
export function answer(method: string, path: string, ...replies: readonly Reply[]): readonly Seen[] {
  const seen: Seen[] = [];
  for (const [status, body, headers] of replies)
    nock('https://api.example.test')
      .intercept((uri) => uri === path, method)
      .reply(function (uri) {
        const { headers: came, requestBodyBuffers } = this.req as typeof this.req & {
          requestBodyBuffers: readonly Buffer[];
        };
        seen.push({
          method: this.req.method,
          path: uri,
          headers: { ...came },
          body: Buffer.concat(requestBodyBuffers).toString(),
        });
        return [status, body, headers ?? {}];
      });
  return seen;
}

/** Answers the request for a namespace's token with `t-1`. */
export const answerPreflight = (): readonly Seen[] =>
  answer('POST', '/v1/artifacts/preflight', [200, '{"auth_token":"t-1"}']);

/** Runs the program against https://api.example.test with a credential. */
export async function wire(
  argv: readonly string[],
  { files = {}, ...world }: World & { readonly files?: Readonly<Record<string, string>> } = {},
): Promise<Ended> {
  const home = world.home ?? temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  await trustFolderFile(home, home);
  return dtp(argv, {
    ...world,
    home,
    env: { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', ...world.env },
    openSend: openWire(),
  });
}
